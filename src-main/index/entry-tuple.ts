import type { ByteRange, EntryKind } from '#shared/model/entry.ts'
import type { EntryRecord, JsonObject } from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'

type Count = number | null

/** An entry as the index keeps it: without names and without its file and line, which makes reading it half the work. */
export type EntryTuple = readonly [
  part: number,
  bytes: ByteRange,
  storedId: string | null,
  /** 0 where the object has no such member. */
  storedParent: string | null | 0,
  kind: EntryKind,
  role: string | null,
  time: number | null,
  preview: string,
  model: string | null,
  usage: readonly [number, Count, Count, Count, Count, Count, Count, Count, number, number] | null,
  facts: JsonObject,
  frame?: ByteRange
]

export function toTuple(entry: EntryRecord): EntryTuple {
  const { part, bytes, frame, storedId, storedParent, kind, role, time, preview, model, usage, facts } = entry
  const parent = storedParent === undefined ? 0 : storedParent
  const counts = usage && fromUsage(usage)
  const tuple = [part, bytes, storedId, parent, kind, role, time, preview, model, counts, facts] as const
  return frame === undefined ? tuple : [...tuple, frame]
}

export function fromTuple(
  [part, bytes, storedId, parent, kind, role, time, preview, model, counts, facts, frame]: EntryTuple,
  file: number,
  line: number
): EntryRecord {
  const storedParent = parent === 0 ? undefined : parent
  const usage = counts && toUsage(counts)
  const entry = { file, line, part, bytes, storedId, storedParent, kind, role, time, preview, model, usage, facts }
  return frame === undefined ? entry : { ...entry, frame }
}

function fromUsage(usage: Usage): NonNullable<EntryTuple[9]> {
  const { requests, input, cacheRead, cacheWrite, output, reasoning, total, cost, inherited, unknown } = usage
  return [requests, input, cacheRead, cacheWrite, output, reasoning, total, cost, inherited, unknown]
}

function toUsage(counts: NonNullable<EntryTuple[9]>): Usage {
  const [requests, input, cacheRead, cacheWrite, output, reasoning, total, cost, inherited, unknown] = counts
  return { requests, input, cacheRead, cacheWrite, output, reasoning, total, cost, inherited, unknown }
}
