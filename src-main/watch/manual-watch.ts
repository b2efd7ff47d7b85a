import { HintQueue } from './hint-queue.ts'
import type { StartWatch } from './watch.ts'

/** A watch that sees nothing by itself: a test says what may have changed. */
export function manualWatch(): {
  readonly start: StartWatch
  hint(path: string): void
  everything(): void
  /** What the watched asked to be watched. */
  readonly folders: ReadonlySet<string>
  readonly hot: ReadonlySet<string>
} {
  const queues = new Set<HintQueue>()
  const folders = new Set<string>()
  const hot = new Set<string>()
  return {
    start(_root, signal) {
      const hints = new HintQueue(signal)
      queues.add(hints)
      signal.addEventListener('abort', () => queues.delete(hints))
      return {
        hints,
        folder: (path) => void folders.add(path),
        gone: (path) => void folders.delete(path),
        hot: (path) => void hot.add(path)
      }
    },
    hint: (path) => queues.forEach((hints) => hints.path(path)),
    everything: () => queues.forEach((hints) => hints.everything()),
    folders,
    hot
  }
}
