/** What a view is made of first, and what takes the keyboard in it. */
export const mainList = ':is([role="tree"], [role="grid"], [role="feed"])'

/** Gives the keyboard back, unless something has it by now. */
export function giveBack(before: Element | null): void {
  if (document.activeElement === document.body) returnTarget(before)?.focus({ preventScroll: true })
}

/** Where the focus was; where that is gone because something was opened meanwhile, the list of that, or it until it has one. */
export function returnTarget(before: Element | null): HTMLElement | null {
  const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
  if (isThere) return before
  const main = document.querySelector<HTMLElement>(`main ${mainList}`)
  return main ?? document.querySelector<HTMLElement>('[data-session]') ?? document.querySelector('nav [role="tree"]')
}
