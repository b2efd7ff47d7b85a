import type { EntryRecord } from '#shared/model/records.ts'

/** What was computed of the first `count` entries. */
export interface Before<T> {
  readonly count: number
  readonly result: T
}

/**
 * A function of a session's entries that is told what it made of them when there were fewer: of the very same records,
 * and nothing else of them may have an influence on the result.
 */
export function growing<T>(
  compute: (entries: readonly EntryRecord[], before: Before<T> | null) => T
): (entries: readonly EntryRecord[]) => T {
  const known = new WeakMap<EntryRecord, { readonly entries: readonly EntryRecord[]; readonly result: T }>()
  return (entries) => {
    const [first] = entries
    if (first === undefined) return compute(entries, null)
    const last = known.get(first)
    const isGrown = last !== undefined && last.entries.every((entry, at) => entries[at] === entry)
    const result = compute(entries, isGrown ? { count: last.entries.length, result: last.result } : null)
    // The list itself may be added to.
    known.set(first, { entries: entries.slice(), result })
    return result
  }
}
