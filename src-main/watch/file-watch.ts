import { type FSWatcher, watch } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HintQueue } from './hint-queue.ts'
import type { StartWatch, Watch } from './watch.ts'

export interface FileWatchOptions {
  readonly log: (line: string) => void
  /** Where the system can watch a whole tree at once; Linux watches folder by folder. */
  readonly recursive?: boolean
  readonly watch?: typeof watch
  readonly mostWatches?: number
}

const mostHot = 64
const pollMs = 1000
const hotForMs = 10 * 60_000
const reconcileMs = 2 * 60_000
/** How often everything is looked at where something could not be watched. */
const unwatchedMs = 10_000

interface HotFile {
  readonly size: number
  readonly modified: number
  readonly until: number
}

/**
 * The system's file events, which are only hints: they may be late, missing or doubled. Files that were written to a
 * short while ago are polled, and now and then everything is looked at, more often where the system refuses a watch.
 */
export function fileWatch(options: FileWatchOptions): StartWatch {
  return (root, signal) => new FileWatch(root, signal, options)
}

class FileWatch implements Watch {
  readonly hints: HintQueue
  readonly #options: FileWatchOptions
  readonly #recursive: boolean
  readonly #root: string
  readonly #watches = new Map<string, { readonly inode: number; readonly watcher: FSWatcher }>()
  readonly #hot = new Map<string, HotFile | undefined>()
  readonly #poll: NodeJS.Timeout
  #reconcile: NodeJS.Timeout
  #isWhole = true
  #isRootGone = false
  #isPolling = false

  constructor(root: string, signal: AbortSignal, options: FileWatchOptions) {
    this.#root = root
    this.#options = options
    this.#recursive = options.recursive ?? process.platform !== 'linux'
    this.hints = new HintQueue(signal)
    this.#poll = setInterval(() => void this.#look(), pollMs).unref()
    this.#reconcile = setInterval(() => this.hints.everything(), reconcileMs).unref()
    signal.addEventListener('abort', () => this.#close(), { once: true })
    if (this.#recursive) this.#start(root, 0)
  }

  folder(path: string, inode: number): void {
    if (this.#recursive) return
    const known = this.#watches.get(path)
    if (known?.inode === inode) return
    this.#stop(path)
    if (this.#watches.size < (this.#options.mostWatches ?? 4096)) this.#start(path, inode)
    else this.#miss(`${path}: there are too many folders to watch each`)
  }

  gone(path: string): void {
    this.#stop(path)
    if (path === this.#root) this.#isRootGone = true
  }

  hot(path: string): void {
    const file = this.#hot.get(path)
    this.#hot.delete(path)
    this.#hot.set(path, file === undefined ? undefined : { ...file, until: Date.now() + hotForMs })
    for (const coldest of this.#hot.keys()) {
      if (this.#hot.size <= mostHot) break
      this.#hot.delete(coldest)
    }
  }

  #start(path: string, inode: number): void {
    try {
      const watcher = (this.#options.watch ?? watch)(path, { recursive: this.#recursive, persistent: false })
      watcher.on('change', (_, name) => this.hints.path(name === null ? path : join(path, String(name))))
      watcher.on('error', (error) => {
        this.#stop(path)
        this.#miss(String(error))
      })
      this.#watches.set(path, { inode, watcher })
    } catch (error) {
      this.#miss(String(error))
    }
  }

  #stop(path: string): void {
    this.#watches.get(path)?.watcher.close()
    this.#watches.delete(path)
  }

  /** From now on everything is looked at often, as not all of it is watched. */
  #miss(why: string): void {
    if (!this.#isWhole) return
    this.#isWhole = false
    this.#options.log(
      `Not all of ${this.#root} can be watched (${why}); it is looked at every ${unwatchedMs / 1000} s.`
    )
    clearInterval(this.#reconcile)
    this.#reconcile = setInterval(() => this.hints.everything(), unwatchedMs).unref()
  }

  async #look(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    if (this.#isRootGone) await this.#lookForRoot()
    await this.#lookAtHot()
    this.#isPolling = false
  }

  async #lookForRoot(): Promise<void> {
    const root = await lstat(this.#root).catch(() => undefined)
    if (root?.isDirectory() !== true) return
    this.#isRootGone = false
    this.hints.path(this.#root)
  }

  async #lookAtHot(): Promise<void> {
    for (const [path, before] of this.#hot) {
      const now = await stat(path).catch(() => undefined)
      if (!this.#hot.has(path)) continue
      const isSame = now?.size === before?.size && now?.mtimeMs === before?.modified
      if (!isSame) this.hints.path(path)
      const until = isSame && before !== undefined ? before.until : Date.now() + hotForMs
      if (now === undefined || Date.now() > until) this.#hot.delete(path)
      else this.#hot.set(path, { size: now.size, modified: now.mtimeMs, until })
    }
  }

  #close(): void {
    clearInterval(this.#poll)
    clearInterval(this.#reconcile)
    for (const path of this.#watches.keys()) this.#stop(path)
    this.#hot.clear()
  }
}
