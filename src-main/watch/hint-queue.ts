import type { Hint } from './watch.ts'

/** More paths than these are taken for everything. */
const mostPaths = 10_000

/** Hints that wait to be taken; the same one only once. Ends with the signal. */
export class HintQueue implements AsyncIterable<Hint> {
  readonly #paths = new Set<string>()
  readonly #signal: AbortSignal
  #everything = false
  #wake = Promise.withResolvers<void>()

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#wake.resolve(), { once: true })
  }

  path(path: string): void {
    if (this.#paths.size >= mostPaths) {
      this.everything()
      return
    }
    this.#paths.add(path)
    this.#wake.resolve()
  }

  everything(): void {
    this.#paths.clear()
    this.#everything = true
    this.#wake.resolve()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Hint, void, undefined> {
    for (;;) {
      if (this.#signal.aborted) return
      const hint = this.#take()
      if (hint !== undefined) {
        yield hint
        continue
      }
      this.#wake = Promise.withResolvers()
      await this.#wake.promise
    }
  }

  #take(): Hint | undefined {
    if (this.#everything) {
      this.#everything = false
      return { kind: 'everything' }
    }
    for (const path of this.#paths) {
      this.#paths.delete(path)
      return { kind: 'path', path }
    }
    return undefined
  }
}
