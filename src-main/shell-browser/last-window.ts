/** Calls `end` once no window has been there for `grace` milliseconds after the last one went; a reload comes back in time. */
export function endAfterLastWindow(grace: number, end: () => void): (windows: number) => void {
  let timer: NodeJS.Timeout | undefined
  return (windows) => {
    clearTimeout(timer)
    if (windows === 0) timer = setTimeout(end, grace)
  }
}
