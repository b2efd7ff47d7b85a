import { Refusal } from '#shared/contract/refusal.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import { asNumber, asObject, asString } from '../json.ts'

/** In the order in which the agent writes them. */
const counterNames = [
  'current_turn_count',
  'agent_request_count',
  'compact_request_count',
  'total_input_tokens',
  'total_output_tokens',
  'total_cache_read_tokens',
  'total_cache_creation_tokens',
  'current_context_tokens',
  'sub_agent_request_count'
] as const
const optionalCounterNames = ['last_call_speed_tok_per_sec'] as const

type Counter = (typeof counterNames)[number] | (typeof optionalCounterNames)[number]

/** What a `stats.json` says; a counter that it does not have, or not as a number, is null. */
export type Stats = { readonly [name in Counter]: number | null } & {
  /** As it is stored: ISO 8601 UTC, in older files `YYYYMMDD-HHMMSS`. */
  readonly last_updated: string | null
}

/** An empty file is legal and says nothing. Null where the text is neither empty nor an object of JSON. */
export function parseStats(text: string): Stats | null {
  const members = membersOf(text)
  if (members === null) return null
  const counters = [...counterNames, ...optionalCounterNames].map((name) => [name, numberOf(members[name])])
  return {
    ...(Object.fromEntries(counters) as { readonly [name in Counter]: number | null }),
    last_updated: asString(members['last_updated'])
  }
}

/**
 * The text of a `stats.json` after some changes: `key=+n` adds to what is there, where nothing is to 0; `key=value`
 * replaces it. Members that are not named stay, and `last_updated` becomes `now`. An empty text gets every counter.
 * Refused as `invalid-input` for a change of another form, as `unsupported` for a text that is no object.
 */
export function updatedStats(text: string, changes: readonly string[], now: Date): string {
  const before = text.trim() === '' ? Object.fromEntries(counterNames.map((name) => [name, 0])) : membersOf(text)
  if (before === null) {
    throw new Refusal('unsupported', 'stats.json is no object of JSON. It was left as it is; look at it first.')
  }
  const members = new Map(Object.entries(before))
  for (const change of changes) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(change) ?? []
    const [, added] = /^\+(\d+)$/.exec(value ?? '') ?? []
    if (name === undefined || value === undefined || (value.startsWith('+') && added === undefined)) {
      throw new Refusal('invalid-input', `"${change}" is no change of a counter. Write key=+n to add, key=n to set.`)
    }
    if (added !== undefined) members.set(name, (numberOf(members.get(name)) ?? 0) + Number(added))
    else members.set(name, /^\d+$/.test(value) ? Number(value) : value)
  }
  members.delete('last_updated')
  const known = counterNames.filter((name) => members.has(name))
  const names = [...known, ...[...members.keys()].filter((name) => !(known as readonly string[]).includes(name))]
  const ordered = names.map((name) => [name, members.get(name)])
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z')
  return `${JSON.stringify(Object.fromEntries([...ordered, ['last_updated', time]]))}\n`
}

/**
 * The title that the agent gives its terminal, without the escapes around it (docs/formats/shell-agent.md, "Stats").
 * What the file does not say counts 0, as it does there.
 */
export function titleLine(stats: Stats, model: string, isIdle: boolean): string {
  const input = stats.total_input_tokens ?? 0
  const cacheRead = stats.total_cache_read_tokens ?? 0
  const hits = input + cacheRead > 0 ? `${percent.format((cacheRead / (input + cacheRead)) * 100)}%` : '—'
  return [
    `${isIdle ? '' : '⏳ '}${model}`,
    `T:${whole(stats.current_turn_count)}`,
    `R:${whole(stats.agent_request_count)}`,
    `I:${whole(input + cacheRead)}(${hits})`,
    `O:${whole(stats.total_output_tokens)}`,
    `C:${whole(stats.current_context_tokens)}`,
    `S:${whole(stats.last_call_speed_tok_per_sec)}tok/s`
  ].join(' ')
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, roundingMode: 'trunc' })
const whole = (value: number | null): string => grouped.format(value ?? 0)
/** As `printf "%.0f"` rounds. */
const percent = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0, roundingMode: 'halfEven' })

function membersOf(text: string): JsonObject | null {
  if (text.trim() === '') return {}
  try {
    return asObject(JSON.parse(text))
  } catch {
    return null
  }
}

/** A count, which may be stored as a string of digits. */
function numberOf(value: Json | undefined): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : asNumber(value)
  return number !== null && number >= 0 ? number : null
}
