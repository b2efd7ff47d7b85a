import { basename } from 'node:path'
import type { EntryRecord, SessionRecords } from '#shared/model/records.ts'
import { sumUsage, type Usage } from '#shared/model/usage.ts'
import type { MeteredRequest, SessionFault } from '../format.ts'
import { statsName, stateFromJson, type State } from './schema.ts'
import type { Stats } from './stats.ts'
import { factsOf } from './timeline.ts'
import { usage } from './usage.ts'

export const fileNamed = ({ files }: SessionRecords, name: string): number =>
  files.findIndex(({ path }) => basename(path) === name)

export function stateOf({ files }: SessionRecords, name: string): State {
  return stateFromJson(files.find(({ path }) => basename(path) === name)?.state ?? {})
}

export const statsOf = (records: SessionRecords): Stats | null => stateOf(records, statsName).document?.stats ?? null

/** An empty file says nothing. */
export const saysAnything = (stats: Stats | null): stats is Stats =>
  stats !== null && Object.values(stats).some((value) => value !== null)

const spends = (entry: EntryRecord): entry is EntryRecord & { readonly usage: Usage } => entry.usage !== null

/**
 * Every request of a session: its usage events; of a log that has none, as older ones do, what stats.json says of all,
 * told of the last entry of the conversation (docs/formats/shell-agent.md, "Usage"). A log is named as its first event
 * says, whatever its directory is called.
 */
export function shellAgentRequests(records: SessionRecords): readonly MeteredRequest[] {
  const { entries } = records
  const started = entries.find((entry) => factsOf(entry).type === 'session_start')?.preview ?? ''
  const log = started === '' ? {} : { log: started }
  const requests = entries.flatMap((entry, at): MeteredRequest[] => {
    if (!spends(entry)) return []
    const { kind, sub } = factsOf(entry)
    const isAgent = kind === 'agent' || kind === ''
    const subagents = kind === 'sub_agent' ? (sub === undefined ? 'all' : [sub]) : null
    const contextTokens = isAgent ? entry.usage.total : null
    return [{ at, inherited: false, contextTokens, subagents, ...requestKind(kind), ...log }]
  })
  const last = entries.findLastIndex(({ file }) => file === 0)
  const own = statsUsage(records)
  if (requests.length > 0 || own === null || last === -1) return requests
  const contextTokens = statsOf(records)?.current_context_tokens ?? null
  return [{ at: last, inherited: false, contextTokens, subagents: null, usage: own, ...log }]
}

function requestKind(kind: string | undefined): Pick<MeteredRequest, 'kind'> {
  if (kind === 'compact') return { kind: 'compaction' }
  return kind === 'sub_agent' ? { kind: 'subagent' } : {}
}

/** What stats.json says of a log without usage events; null where it is not asked, or says nothing. */
export function statsUsage(records: SessionRecords): Usage | null {
  const stats = statsOf(records)
  if (!saysAnything(stats) || records.entries.some(spends)) return null
  const members = {
    input: stats.total_input_tokens,
    cacheRead: stats.total_cache_read_tokens,
    cacheWrite: stats.total_cache_creation_tokens,
    output: stats.total_output_tokens
  }
  const requests = (stats.agent_request_count ?? 0) + (stats.compact_request_count ?? 0)
  const own = usage(requests, members)
  return requests > 0 || (own.total ?? 0) > 0 ? own : null
}

export function totalUsage(records: SessionRecords): Usage {
  const own = statsUsage(records)
  return own ?? sumUsage(records.entries.filter(spends).map((entry) => entry.usage))
}

/** Tokens in the context after the last answer: of the last call of the model, else as stats.json says. */
export function lastContextTokens(records: SessionRecords): number | null {
  const last = records.entries.findLast((entry) => spends(entry) && isOfAgent(entry))
  return last?.usage?.total ?? statsOf(records)?.current_context_tokens ?? null
}

const isOfAgent = (entry: EntryRecord): boolean => factsOf(entry).kind === 'agent'

const counters = [
  ['total_input_tokens', 'input', 'input tokens'],
  ['total_output_tokens', 'output', 'output tokens'],
  ['total_cache_read_tokens', 'cacheRead', 'tokens read from the cache'],
  ['total_cache_creation_tokens', 'cacheWrite', 'tokens written to the cache']
] as const

/** Where stats.json and the sums of the usage events say different things; nothing where either says nothing. */
export function statsDrift(records: SessionRecords): readonly SessionFault[] {
  const stats = statsOf(records)
  const spent = records.entries.filter(spends)
  if (!saysAnything(stats) || spent.length === 0) return []
  const sums = sumUsage(spent.map((entry) => entry.usage))
  const ofKind = (kind: string) => spent.filter((entry) => factsOf(entry).kind === kind)
  const found: (readonly [name: string, stored: number | null, summed: number | null])[] = [
    ...counters.map(([name, member, words]) => [words, stats[name], sums[member]] as const),
    ['requests for compactions', stats.compact_request_count, ofKind('compact').length],
    ['tokens in the context', stats.current_context_tokens, ofKind('agent').at(-1)?.usage.total ?? null]
  ]
  // A sub-agent's requests are in the agent's count, and no event says how many there were.
  if (ofKind('sub_agent').length === 0)
    found.push(['requests of the agent', stats.agent_request_count, ofKind('agent').length])
  const file = fileNamed(records, statsName)
  return found.flatMap(([words, stored, summed]): SessionFault[] =>
    stored === null || summed === null || stored === summed
      ? []
      : [
          {
            kind: 'stats-drift',
            file,
            line: null,
            offset: null,
            length: null,
            entry: null,
            message: `stats.json counts ${grouped.format(stored)} ${words}, the usage events ${grouped.format(summed)}.`
          }
        ]
  )
}

const grouped = new Intl.NumberFormat('en-US')
