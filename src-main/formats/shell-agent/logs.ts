import type { EntryRecord, SessionRecords } from '#shared/model/records.ts'
import { align, type Alignment } from './align.ts'
import { type Timeline, timelineOf } from './timeline.ts'

/** The two logs of a session with what they tell of each other. */
export interface Logs {
  readonly entries: readonly EntryRecord[]
  /** Entries of the conversation, which come first; all others are events. */
  readonly lines: number
  readonly timeline: Timeline
  readonly alignment: Alignment
  /** For each event the outcome of the model's call that it belongs to, if it belongs to one. */
  readonly outcomeOf: ReadonlyMap<number, Timeline['turns'][number]['calls'][number]['outcome']>
}

const known = new WeakMap<readonly EntryRecord[], Logs>()

/** Computed once for the same records. */
export function logsOf({ entries, files }: Pick<SessionRecords, 'entries' | 'files'>): Logs {
  const before = known.get(entries)
  if (before?.entries.length === entries.length) return before
  const first = entries.findIndex(({ file }) => files[file]?.role === 'events')
  const lines = first === -1 ? entries.length : first
  const timeline = timelineOf(entries, lines)
  const calls = timeline.turns.flatMap((turn) => turn.calls)
  const outcomeOf = new Map(calls.flatMap(({ items, outcome }) => items.map((item) => [item, outcome] as const)))
  const logs = { entries, lines, timeline, alignment: align(entries, lines, timeline), outcomeOf }
  known.set(entries, logs)
  return logs
}
