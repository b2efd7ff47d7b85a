import type { Json, JsonObject } from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'
import { asList, asObject } from '../json.ts'
import type { Sample } from './schema.ts'

/** Token counts as the agent writes them; null where it wrote none. */
export function sampleOf(stored: Json | undefined): Sample | null {
  const usage = asObject(stored)
  if (usage === null) return null
  const sample = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'].map((name) =>
    count(usage[name])
  )
  const [input = null, output = null, cacheRead = null, cacheWrite = null, reasoning = null] = sample
  return sample.every((part) => part === null) ? null : [input, output, cacheRead, cacheWrite, reasoning]
}

/** The last counts of the stream that an answer or attempt holds. */
export function streamSample(stream: Json | undefined): Sample | null {
  for (const record of asList(stream).toReversed()) {
    const chunk = chunkOf(record)
    const sample = chunk?.['type'] === 'usage' ? sampleOf(chunk['usage']) : null
    if (sample !== null) return sample
  }
  return null
}

/** The chunk that a record of a stream holds, where it holds a single one. */
export const chunkOf = (record: Json): JsonObject | null => asObject(asObject(record)?.['chunk'])

const unknown: Usage = {
  requests: 1,
  input: null,
  cacheRead: null,
  cacheWrite: null,
  output: null,
  reasoning: null,
  total: null,
  cost: null,
  inherited: 0,
  unknown: 1
}

/** The usage of one request; all parts are disjoint but reasoning, which is part of the output. */
export function usageFrom(sample: Sample | null): Usage {
  if (sample === null) return unknown
  const [input, output, cacheRead, cacheWrite, reasoning] = sample
  const total = [input, output, cacheRead, cacheWrite].reduce<number>((sum, part) => sum + (part ?? 0), 0)
  return { requests: 1, input, cacheRead, cacheWrite, output, reasoning, total, cost: null, inherited: 0, unknown: 0 }
}

function count(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
