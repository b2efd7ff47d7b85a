import { setImmediate as nextTurn } from 'node:timers/promises'

export type Task = () => void | Promise<void>

/** `urgent` goes in front of what is not; `delay` in milliseconds, cut short by `idle`, which `afresh` begins again where it runs. */
export interface TaskOptions {
  readonly urgent?: boolean
  readonly delay?: number
  readonly afresh?: boolean
}

/** How long tasks may run on before other work of the thread gets a turn. */
const sliceMs = 10

/** Runs tasks one after another. A task whose key waits already is not added twice. */
export class DrainableQueue {
  readonly #urgent = new Map<string, Task>()
  readonly #patient = new Map<string, Task>()
  readonly #delayed = new Map<
    string,
    { readonly task: Task; readonly urgent: boolean; readonly timer: NodeJS.Timeout }
  >()
  readonly #onError: (error: unknown, key: string) => void
  #waiting: (() => void)[] = []
  #running = false
  #closed = false

  constructor(onError: (error: unknown, key: string) => void) {
    this.#onError = onError
  }

  add(key: string, task: Task, { urgent = false, delay = 0, afresh = false }: TaskOptions = {}): void {
    if (this.#closed || this.#urgent.has(key)) return
    if (delay > 0 && this.#waiting.length === 0) {
      if (this.#patient.has(key) || (this.#delayed.has(key) && !afresh)) return
      clearTimeout(this.#delayed.get(key)?.timer)
      this.#delayed.set(key, { task, urgent, timer: setTimeout(() => this.#ripen(key), delay) })
      return
    }
    clearTimeout(this.#delayed.get(key)?.timer)
    this.#delayed.delete(key)
    if (urgent) this.#patient.delete(key)
    if (!this.#patient.has(key)) (urgent ? this.#urgent : this.#patient).set(key, task)
    void this.#run()
  }

  /** Resolves when nothing runs or waits; what is delayed runs now. */
  idle(): Promise<void> {
    if (!this.#running && this.#empty()) return Promise.resolve()
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve))
    for (const key of this.#delayed.keys()) this.#ripen(key)
    return done
  }

  /** Drops what waits; resolves when the running task has ended. */
  close(): Promise<void> {
    this.#closed = true
    for (const { timer } of this.#delayed.values()) clearTimeout(timer)
    for (const tasks of [this.#urgent, this.#patient, this.#delayed]) tasks.clear()
    return this.idle()
  }

  #empty(): boolean {
    return this.#urgent.size + this.#patient.size + this.#delayed.size === 0
  }

  #ripen(key: string): void {
    const delayed = this.#delayed.get(key)
    if (delayed !== undefined) this.add(key, delayed.task, { urgent: delayed.urgent })
  }

  #take(): readonly [string, Task] | undefined {
    for (const tasks of [this.#urgent, this.#patient]) {
      for (const [key, task] of tasks) {
        tasks.delete(key)
        return [key, task]
      }
    }
    return undefined
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    await nextTurn()
    let since = performance.now()
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      const [key, task] = next
      try {
        await task()
      } catch (error) {
        this.#onError(error, key)
      }
      if (performance.now() - since < sliceMs) continue
      await nextTurn()
      since = performance.now()
    }
    this.#running = false
    if (!this.#empty()) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
