import type { JsonObject } from '#shared/model/records.ts'
import type { Json } from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'
import { asNumber } from '../json.ts'

/** What a `usage` event says; its members are disjoint, and one that it has not is unknown. */
export function usageOf(event: JsonObject): Usage {
  const input = count(event['input_tokens'])
  const cacheRead = count(event['cache_read_input_tokens'])
  const cacheWrite = count(event['cache_creation_input_tokens'])
  const output = count(event['output_tokens'])
  return usage(1, { input, cacheRead, cacheWrite, output })
}

type Members = Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite' | 'output'>

export function usage(requests: number, members: Members): Usage {
  const known = Object.values(members).filter((value) => value !== null)
  const total = known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
  return {
    requests,
    ...members,
    reasoning: null,
    total,
    cost: null,
    inherited: 0,
    unknown: total === null ? requests : 0
  }
}

/** Tokens; null for what is no count. */
function count(value: Json | undefined): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : asNumber(value)
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null
}
