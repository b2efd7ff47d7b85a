import type { EntryRecord, JsonObject, SessionRecords } from '#shared/model/records.ts'
import { inheritedUsage, sumUsage, unknownUsage, type Usage } from '#shared/model/usage.ts'
import { cut } from '../cut.ts'
import type { MeteredRequest } from '../format.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'
import { dialectOf, stateOf } from './dialect.ts'
import type { Before } from './growing.ts'
import type { Dialect, Facts } from './schema.ts'

const agentLength = 200
const mostAgents = 100

/** Usage of one request as an agent writes it; what is not there stays null. */
function usageFrom(stored: JsonObject | null): Usage {
  if (stored === null) return unknownUsage
  const input = count(stored, 'input')
  const cacheRead = count(stored, 'cacheRead')
  const cacheWrite = count(stored, 'cacheWrite')
  const output = count(stored, 'output')
  const parts = [input, cacheRead, cacheWrite, output]
  const recorded = parts.some((part) => part !== null)
  const total = recorded ? parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) : count(stored, 'totalTokens')
  if (total === null) return unknownUsage
  return {
    requests: 1,
    input,
    cacheRead,
    cacheWrite,
    output,
    reasoning: count(stored, 'reasoning') ?? count(stored, 'reasoningTokens'),
    total,
    cost: costFrom(stored),
    inherited: 0,
    unknown: 0
  }
}

/**
 * The stored object that an entry's usage stands in; undefined for an entry that is no request.
 * An assistant's answer always is one, everything else only if it says so.
 */
export function usageOf(object: JsonObject, message: JsonObject | null): Usage | null {
  const type = asString(object['type'])
  if (type === 'message' && message !== null) {
    const own = asObject(message['usage'])
    if (message['role'] === 'assistant') return usageFrom(own)
    if (message['role'] !== 'toolResult') return null
    const stored = own ?? taskUsage(message)
    return stored === null ? null : usageFrom(stored)
  }
  if (type === 'usage' || type === 'model_usage') return usageFrom(asObject(object['usage']))
  if (type === 'compaction' || type === 'branch_summary') {
    const own = asObject(object['usage'])
    return own === null ? null : usageFrom(own)
  }
  return null
}

/** What a task's result says of its sub-agent; omp counts it. */
export function taskUsage(message: JsonObject): JsonObject | null {
  return message['toolName'] === 'task' ? asObject(asObject(message['details'])?.['usage']) : null
}

/** Requests on all branches by the rules of the agent's own meter; what is older than a fork's header is inherited. */
export function ompRequests(records: SessionRecords): readonly MeteredRequest[] {
  const meter = meterOf(records)
  return records.entries.flatMap((entry, at) => {
    if (entry.usage === null || !counts(entry, meter.dialect)) return []
    const facts = entry.facts as Facts
    return {
      at,
      contextTokens: contextTokensOf(entry),
      inherited: isInherited(entry, meter),
      subagents: facts.task === true ? (facts.agents ?? 'all') : null
    }
  })
}

/** By what requests are counted. */
export interface Meter {
  readonly dialect: Dialect
  /** Milliseconds since 1970 for a fork. */
  readonly inheritedBefore: number | null
}

export function meterOf(records: SessionRecords): Meter {
  const { header, lineage } = stateOf(records)
  return { dialect: dialectOf(records), inheritedBefore: lineage === null ? null : (header?.time ?? null) }
}

const isInherited = ({ time }: EntryRecord, { inheritedBefore }: Meter): boolean =>
  inheritedBefore !== null && time !== null && time < inheritedBefore

/** Tokens in the context once an answer was given, as recorded with it. */
export const contextTokensOf = ({ role, usage }: EntryRecord): number | null =>
  role === 'assistant' ? usage?.total || null : null

/** Sum over all requests, what a fork repeats apart; over those that `before` lacks and its own sum. */
export function totalUsage(entries: readonly EntryRecord[], meter: Meter, before: Before<Usage> | null): Usage {
  const parts = before === null ? [] : [before.result]
  for (let at = before?.count ?? 0; at < entries.length; at++) {
    const entry = entries[at]
    if (entry === undefined || entry.usage === null || !counts(entry, meter.dialect)) continue
    parts.push(isInherited(entry, meter) ? inheritedUsage(entry.usage) : entry.usage)
  }
  return sumUsage(parts)
}

/** What a task's result says of its sub-agents: the names of their files, as far as it does. */
export function taskAgents(message: JsonObject): readonly string[] {
  const details = asObject(message['details'])
  const named = [details?.['agentId'], ...asList(details?.['results']).map((result) => asObject(result)?.['id'])]
  return named
    .flatMap((name) => (typeof name === 'string' && name !== '' ? [cut(name, agentLength)] : []))
    .slice(0, mostAgents)
}

function counts(entry: EntryRecord, dialect: Dialect): boolean {
  if (entry.role === 'assistant') return true
  const facts = entry.facts as Facts
  const ompOwn = facts.type === 'model_usage' || facts.task === true
  return ompOwn === (dialect === 'omp')
}

/** Tokens; null for what is no count. */
function count(stored: JsonObject, member: string): number | null {
  const value = amount(stored, member)
  return Number.isSafeInteger(value) ? value : null
}

function amount(stored: JsonObject, member: string): number | null {
  const value = asNumber(stored[member])
  return value !== null && value >= 0 ? value : null
}

function costFrom(stored: JsonObject): number | null {
  const flat = amount(stored, 'cost')
  if (flat !== null) return flat
  const parts = asObject(stored['cost'])
  if (parts === null) return null
  const total = amount(parts, 'total')
  if (total !== null) return total
  const known = ['input', 'output', 'cacheRead', 'cacheWrite'].map((member) => amount(parts, member))
  return known.some((part) => part !== null) ? known.reduce<number>((sum, part) => sum + (part ?? 0), 0) : null
}
