import type { EntryRecord } from '#shared/model/records.ts'

/** What was computed of the first `count` entries. */
export interface Before<T> {
  readonly count: number
  readonly result: T
}

/**
 * A function of a session's entries that is told what it made of them when there were fewer: of the very same records,
 * with the same values beside them. Nothing else may have an influence on the result.
 */
export function growing<T, Beside extends readonly (string | number | null)[] = []>(
  compute: (entries: readonly EntryRecord[], before: Before<T> | null, ...beside: Beside) => T
): (entries: readonly EntryRecord[], ...beside: Beside) => T {
  const known = new WeakMap<EntryRecord, { entries: readonly EntryRecord[]; beside: Beside; result: T }>()
  return (entries, ...beside) => {
    const [first] = entries
    if (first === undefined) return compute(entries, null, ...beside)
    const last = known.get(first)
    const isGrown =
      last !== undefined &&
      last.beside.every((value, at) => value === beside[at]) &&
      last.entries.every((entry, at) => entry === entries[at])
    const before = isGrown ? { count: last.entries.length, result: last.result } : null
    const result = compute(entries, before, ...beside)
    // The list itself may be added to.
    known.set(first, { entries: entries.slice(), beside, result })
    return result
  }
}
