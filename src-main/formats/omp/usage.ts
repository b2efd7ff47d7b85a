import type { EntryRecord, JsonObject } from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'
import { asNumber, asObject, asString } from '../json.ts'
import type { Dialect, Facts } from './schema.ts'

const nothingRecorded: Usage = {
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

const members = ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'total', 'cost'] as const

/** Usage of one request as an agent writes it; what is not there stays null. */
function usageFrom(stored: JsonObject | null): Usage {
  if (stored === null) return nothingRecorded
  const input = count(stored, 'input')
  const cacheRead = count(stored, 'cacheRead')
  const cacheWrite = count(stored, 'cacheWrite')
  const output = count(stored, 'output')
  const parts = [input, cacheRead, cacheWrite, output]
  const recorded = parts.some((part) => part !== null)
  const total = recorded ? parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) : count(stored, 'totalTokens')
  if (total === null) return nothingRecorded
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

/** Sum over all branches by the rules of the agent's own meter; what is older than the header is inherited. */
export function totalUsage(entries: readonly EntryRecord[], dialect: Dialect, inheritedBefore: number | null): Usage {
  let requests = 0
  let inherited = 0
  let unknown = 0
  const sums: Record<(typeof members)[number], number | null> = {
    input: null,
    cacheRead: null,
    cacheWrite: null,
    output: null,
    reasoning: null,
    total: null,
    cost: null
  }
  for (const entry of entries) {
    const usage = entry.usage
    if (usage === null || !counts(entry, dialect)) continue
    if (inheritedBefore !== null && entry.time !== null && entry.time < inheritedBefore) {
      inherited += usage.total ?? 0
      continue
    }
    requests += usage.requests
    unknown += usage.unknown
    for (const member of members) {
      const value = usage[member]
      if (value !== null) sums[member] = (sums[member] ?? 0) + value
    }
  }
  if (requests === 0) for (const member of members) sums[member] = 0
  return { requests, ...sums, inherited, unknown }
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
