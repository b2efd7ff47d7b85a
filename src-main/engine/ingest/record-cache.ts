import type { EntryRecord } from '#shared/model/records.ts'
import type { SessionKey } from '#shared/model/keys.ts'

/** Entries held together; the session that was used last is held whatever its size. */
const mostEntries = 200_000

interface Held {
  revision: number
  readonly files: EntryRecord[][]
}

/** Records of the sessions that change, so that an append to a long one does not load it again. */
export class RecordCache {
  readonly #held = new Map<SessionKey, Held>()

  /** Entries of a session in file order; undefined where they are not held at that revision. */
  get(key: SessionKey, revision: number): readonly EntryRecord[] | undefined {
    const held = this.#held.get(key)
    if (held?.revision !== revision) return undefined
    return held.files.length === 1 ? held.files[0] : held.files.flat()
  }

  put(key: SessionKey, revision: number, fileCount: number, entries: readonly EntryRecord[]): void {
    const files: EntryRecord[][] = Array.from({ length: fileCount }, () => [])
    for (const entry of entries) files[entry.file]?.push(entry)
    this.#held.delete(key)
    this.#held.set(key, { revision, files })
    this.#shrink()
  }

  /** What a change of a file does to the entries, if they are held. */
  append(
    key: SessionKey,
    change: {
      readonly revision: number
      readonly newRevision: number
      readonly file: number
      readonly kept: number
      /** What the last entry that is kept has become. */
      readonly grown: EntryRecord | null
      readonly entries: readonly EntryRecord[]
    }
  ): void {
    const held = this.#held.get(key)
    const entries = held?.files[change.file]
    if (held === undefined || entries === undefined) return
    if (held.revision !== change.revision) {
      this.#held.delete(key)
      return
    }
    while ((entries.at(-1)?.line ?? 0) > change.kept) entries.pop()
    if (change.grown !== null) entries[entries.length - 1] = change.grown
    for (const entry of change.entries) entries.push(entry)
    held.revision = change.newRevision
  }

  delete(key: SessionKey): void {
    this.#held.delete(key)
  }

  #shrink(): void {
    let count = 0
    for (const [key, { files }] of [...this.#held].toReversed()) {
      const own = files.reduce((sum, { length }) => sum + length, 0)
      count += own
      if (count > mostEntries && count > own) this.#held.delete(key)
    }
  }
}
