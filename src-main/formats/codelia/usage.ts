import type { SessionRecords, JsonObject } from '#shared/model/records.ts'
import { unknownUsage, type Usage } from '#shared/model/usage.ts'
import type { Assembled, MeteredRequest } from '../format.ts'
import { asNumber } from '../json.ts'
import { type Links, linksOf } from './links.ts'

/**
 * Usage of an answer. What was read from and written to the cache is part of `input_tokens`; where it is more than
 * that, `input` is negative, so that sums stay those of the agent (docs/formats/codelia.md, "Usage").
 */
export function usageOf(stored: JsonObject | null): { readonly usage: Usage; readonly isImpossible: boolean } {
  const prompt = count(stored, 'input_tokens')
  const output = count(stored, 'output_tokens')
  if (stored === null || (prompt === null && output === null)) return { usage: unknownUsage, isImpossible: false }
  const cacheRead = count(stored, 'input_cached_tokens')
  const cacheWrite = count(stored, 'input_cache_creation_tokens')
  const input = prompt === null ? null : prompt - (cacheRead ?? 0) - (cacheWrite ?? 0)
  const usage: Usage = {
    requests: 1,
    input,
    cacheRead,
    cacheWrite,
    output,
    reasoning: null,
    total: (prompt ?? 0) + (output ?? 0),
    cost: null,
    inherited: 0,
    unknown: 0
  }
  return { usage, isImpossible: (input ?? 0) < 0 }
}

/** Tokens; null for what is no count. */
function count(stored: JsonObject | null, member: string): number | null {
  const value = asNumber(stored?.[member])
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** A request counts once by its run and number, with its answer's figures; copies of a run repeat them. */
export const requestsOf = (entries: SessionRecords['entries'], { invocations }: Links): readonly MeteredRequest[] =>
  invocations.map(({ request, response, isCopy }) => {
    const usage = response === null ? unknownUsage : (entries[response]?.usage ?? unknownUsage)
    return {
      at: response ?? request ?? -1,
      inherited: isCopy,
      contextTokens: usage.total,
      subagents: null,
      ...(response === null ? { usage, kind: 'attempt' as const } : {})
    }
  })

export const codeliaRequests = ({ entries }: SessionRecords, tree: Assembled): readonly MeteredRequest[] =>
  requestsOf(entries, linksOf(tree))
