import type { EntryRecord } from '#shared/model/records.ts'
import { messageName, placesOf } from './message-names.ts'
import type { Facts } from './schema.ts'

/**
 * When the messages from index `from` on were said, in milliseconds, by the runs in front of them: their prompt, answer
 * or output in the same order, and what a compaction wrote by that (docs/formats/codelia.md, "Times of messages"). Left
 * out where it could be one of several that were written at different times.
 */
export function messageTimes(entries: readonly EntryRecord[], from: number): ReadonlyMap<number, number> {
  const times = new Map<number, number>()
  if (from === entries.length) return times
  const runs = entries.slice(0, from)
  const all = Array.from({ length: entries.length - from }, (_, index) => from + index)
  const said = all.filter((at) => factsOf(entries[at]).mark === undefined)
  const first = origins(entries, runs, said, 1)
  const last = origins(entries, runs, said.toReversed(), -1)
  const compacted = compactionTimes(runs)
  for (const at of all) {
    const { mark, prints: [print = ''] = [] } = factsOf(entries[at])
    const time = mark === undefined ? timeOf(runs, first.get(at)) : compacted(print)
    if (time !== null && (mark !== undefined || timeOf(runs, last.get(at)) === time)) times.set(at, time)
  }
  return times
}

const timeOf = (runs: readonly EntryRecord[], at = -1): number | null => runs[at]?.time ?? null
const factsOf = (entry: EntryRecord | undefined): Facts => (entry?.facts ?? {}) as Facts

/** The first entry that each message may come from, or with the messages in turn and `step` -1 the last. */
function origins(
  entries: readonly EntryRecord[],
  runs: readonly EntryRecord[],
  messages: readonly number[],
  step: 1 | -1
): ReadonlyMap<number, number> {
  const places = placesOf(runs)
  if (step === 1) for (const known of places.values()) known.reverse()
  const found = new Map<number, number>()
  let bound = -step * Infinity
  for (const at of messages) {
    const { prints: [print = ''] = [], call = '' } = factsOf(entries[at])
    const known = places.get(messageName(entries[at]?.role ?? '', print, call)) ?? []
    while (((known.at(-1) ?? bound) - bound) * step < 0) known.pop()
    const origin = known.pop()
    if (origin === undefined) continue
    bound = origin
    found.set(at, origin)
  }
  return found
}

/** When a compaction wrote a message: the last one before the first request that has it, else the only one behind all. */
function compactionTimes(runs: readonly EntryRecord[]): (print: string) => number | null {
  const written = new Map<string, number | null>()
  let open: (number | null)[] = []
  for (const entry of runs) {
    if (entry.kind === 'compaction') open.push(entry.time)
    if (entry.kind !== 'request') continue
    for (const print of factsOf(entry).marks ?? []) if (!written.has(print)) written.set(print, open.at(-1) ?? null)
    open = []
  }
  const [only = null, ...others] = new Set(open)
  return (print) => written.get(print) ?? (written.has(print) || others.length > 0 ? null : only)
}
