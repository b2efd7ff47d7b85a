export interface EndSignal {
  readonly signal: AbortSignal
  /** What a shell expects of a process that ended so: 0 where nobody asked. */
  readonly exitCode: () => number
}

/** Aborts at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function endSignal(): EndSignal {
  const controller = new AbortController()
  let exitCode = 0
  const end = (code: number) => () => {
    exitCode = code
    controller.abort()
  }
  process.once('SIGINT', end(130)).once('SIGTERM', end(143))
  return { signal: controller.signal, exitCode: () => exitCode }
}
