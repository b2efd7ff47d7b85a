import { basename, sep } from 'node:path'
import type { FolderFault } from '#main/formats/format.ts'
import type { Watch } from '#main/watch/watch.ts'
import { type Fault, type FaultKind, placeFault } from '#shared/model/fault.ts'
import type { FolderState } from '../writer-contract.ts'
import type { SeenStates } from './listing.ts'

/** A folder that is open, with what is known of the folders in it. */
export class FollowedFolder {
  readonly path: string
  readonly controller = new AbortController()
  readonly watch: Watch | null
  state: FolderState['state'] = 'reading'
  /** Of the root's file system; another one is not entered. */
  device: number | null = null
  /** Folders that were read, with the number of files in each. */
  readonly folders = new Map<string, number>()
  /** Folders that the walk under way has come to; null between walks. */
  walked: Set<string> | null = null
  /** What the walk under way has seen of files, some of which more than one folder asks for. */
  seen: SeenStates | undefined
  /** When the walk began, and when the next one may; by `performance.now`. */
  walkedFrom = 0
  restUntil = 0
  /** Where sets were claimed whose files the walk came by: looked at once more when it is done. */
  readonly gathering = new Set<string>()
  /** Folders and files that the walk waits for. */
  readonly waiting = new Set<string>()
  readonly #faults = new Map<string, readonly Fault[]>()
  readonly #lookedFor: readonly string[]

  constructor(path: string, lookedFor: readonly string[], startWatch: ((signal: AbortSignal) => Watch) | null) {
    this.path = path
    this.#lookedFor = lookedFor
    this.watch = startWatch === null ? null : startWatch(this.controller.signal)
  }

  holds(path: string): boolean {
    return path === this.path || isBelow(this.path, path)
  }

  /** Replaces what is wrong with a file or folder; true where that is news. */
  setFault(path: string, fault: { readonly kind: FaultKind; readonly message: string } | null): boolean {
    return this.setFaults(path, fault === null ? [] : [{ path, ...fault }])
  }

  /** The same for several, each of a file of its own in that folder. */
  setFaults(path: string, faults: readonly FolderFault[]): boolean {
    if (faults.length === 0) return this.#faults.delete(path)
    const before = this.#faults.get(path)
    const place = { line: null, offset: null, length: null, entry: null }
    this.#faults.set(
      path,
      faults.map(({ path: file, kind, message }) => placeFault({ kind, message, ...place }, file))
    )
    return before?.length !== faults.length || faults.some(({ message }, at) => before[at]?.message !== message)
  }

  /** Forgets a folder and all below it. */
  forget(gone: string): void {
    for (const path of this.folders.keys()) {
      if (path !== gone && !isBelow(gone, path)) continue
      this.folders.delete(path)
      this.watch?.gone(path)
    }
    for (const path of this.#faults.keys()) if (path === gone || isBelow(gone, path)) this.#faults.delete(path)
  }

  status(sessions: number): FolderState {
    return {
      path: this.path,
      name: basename(this.path),
      state: this.state,
      files: [...this.folders.values()].reduce((sum, count) => sum + count, 0),
      sessions,
      lookedFor: [...this.#lookedFor],
      faults: [...this.#faults.values()].flat()
    }
  }
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
