import type { EntryRecord } from '#shared/model/records.ts'
import { oneLine } from '../cut.ts'
import type { RowText, TreeNode } from '../format.ts'
import type { Links } from './links.ts'
import type { CallFact, Facts } from './schema.ts'
import { contextTokensOf } from './usage.ts'

const summaryLength = 160
/** A result stands a few entries below its call; further up only a reused id could be found. */
const callDistance = 64

/** What a row shows of an entry; cheap, and computed only for rows that are seen. */
export function rowText(
  entries: readonly EntryRecord[],
  nodes: readonly TreeNode[],
  links: Links,
  at: number
): RowText {
  const entry = entries[at]
  if (entry === undefined) return { tool: null, summary: '', contextTokens: null, failed: false }
  const facts = entry.facts as Facts
  const isTool = facts.tool !== undefined && facts.tool !== ''
  return {
    tool: isTool ? (facts.tool ?? null) : null,
    summary: summaryOf(entries, nodes, links, at, entry, facts),
    contextTokens: contextTokensOf(entry),
    failed: facts.error === true || facts.stop === 'error' || facts.stop === 'aborted'
  }
}

function summaryOf(
  entries: readonly EntryRecord[],
  nodes: readonly TreeNode[],
  links: Links,
  at: number,
  entry: EntryRecord,
  facts: Facts
): string {
  const start = oneLine(entry.preview, summaryLength)
  switch (entry.kind) {
    case 'message':
      return messageSummary(entries, nodes, links, at, entry, facts, start)
    case 'compaction':
      return compactionSummary(entries, nodes, links, at, facts, start)
    case 'branch-summary':
      return start === '' ? 'Left a branch without a summary' : start
    case 'custom':
      return [facts.customType ?? '', start].filter((part) => part !== '').join(': ')
    case 'label':
      return facts.name === undefined || facts.name === '' ? 'Label cleared' : `Label “${facts.name}”`
    case 'model-change':
      return [
        `Model ${entry.model ?? 'unknown'}`,
        ...(facts.role === undefined || facts.role === 'default' ? [] : [`for ${facts.role}`])
      ].join(' ')
    case 'thinking-change':
      return `Thinking ${facts.level ?? 'off'}`
    case 'session-info':
      return start === '' ? 'Name cleared' : `Named “${start}”`
    case 'usage': {
      const tokens = entry.usage?.total ?? null
      return [facts.words ?? '', entry.model ?? '', tokens === null ? '' : `${shortCount(tokens)} tokens`]
        .filter((part) => part !== '')
        .join(' · ')
    }
    case 'boundary':
      return 'Context cleared'
    case 'event':
      return eventSummary(facts)
    default:
      return facts.type === undefined ? 'Entry without a type' : `Unknown type “${facts.type}”`
  }
}

function messageSummary(
  entries: readonly EntryRecord[],
  nodes: readonly TreeNode[],
  links: Links,
  at: number,
  entry: EntryRecord,
  facts: Facts,
  start: string
): string {
  if (facts.call !== undefined) {
    const argument = callOf(entries, nodes, links, at, facts.call)?.[2] ?? ''
    return [argument, outcome(entry, facts)].filter((part) => part !== '').join(' · ')
  }
  if (facts.words !== undefined) return [facts.words, outcome(entry, facts)].filter((part) => part !== '').join(' · ')
  if (start !== '')
    return facts.customType === undefined || facts.customType === '' ? start : `${facts.customType}: ${start}`
  const calls = (facts.calls ?? []).map(([, name, argument]) => (argument === '' ? name : `${name} ${argument}`))
  if (calls.length > 0) return oneLine(calls.join(', '), summaryLength)
  if (facts.stop === 'aborted') return 'Aborted before an answer'
  if (facts.stop === 'error') return 'Failed without an answer'
  return entry.role === 'assistant' ? 'No text' : ''
}

/** How a tool's run ended and how much it gave; where the lines of a huge result were not counted, its size. */
function outcome(entry: EntryRecord, facts: Facts): string {
  if (facts.exit !== undefined && facts.exit !== 0) return `exit ${facts.exit}`
  if (facts.error === true) return 'failed'
  if (facts.exit !== undefined) return ''
  if (facts.call === undefined) return ''
  if (facts.lines === undefined) return `${(entry.bytes[1] / 1_000_000).toFixed(1)} MB`
  return `${facts.lines} ${facts.lines === 1 ? 'line' : 'lines'}`
}

/** The call that a result answers: the nearest one above it with that id, else the last in the file. */
function callOf(
  entries: readonly EntryRecord[],
  nodes: readonly TreeNode[],
  links: Links,
  at: number,
  id: string
): CallFact | undefined {
  const find = (caller: number): CallFact | undefined =>
    (entries[caller]?.facts as Facts | undefined)?.calls?.find((call) => call[0] === id)
  let above = nodes[at]?.parent ?? -1
  for (let steps = 0; above !== -1 && steps < callDistance; steps++) {
    const call = find(above)
    if (call !== undefined) return call
    above = nodes[above]?.parent ?? -1
  }
  const caller = links.callers.get(id)
  return caller === undefined ? undefined : find(caller)
}

/** How many messages went into the summary and how many were kept, back to where the compaction before it began. */
function compactionSummary(
  entries: readonly EntryRecord[],
  nodes: readonly TreeNode[],
  links: Links,
  at: number,
  facts: Facts,
  start: string
): string {
  const firstKept = links.kept.get(at) ?? -1
  let until = -1
  let summarised = 0
  let kept = 0
  let inKept = firstKept !== -1
  for (let above = nodes[at]?.parent ?? -1; above !== -1; above = nodes[above]?.parent ?? -1) {
    const entry = entries[above]
    if (entry !== undefined && entry.role !== null) {
      if (inKept) kept++
      else summarised++
    }
    if (above === firstKept) inKept = false
    if (above === until) break
    if (entry?.kind === 'compaction' && until === -1) {
      until = links.kept.get(above) ?? -2
      if (until === -2) break
    }
  }
  const sizes =
    facts.before === undefined
      ? ''
      : facts.after === undefined
        ? `from ${shortCount(facts.before)} tokens`
        : `${shortCount(facts.before)} to ${shortCount(facts.after)} tokens`
  if (summarised === 0 && kept === 0) return [start, sizes].filter((part) => part !== '').join(' · ')
  const messages = `${summarised} ${summarised === 1 ? 'message' : 'messages'} summarised, ${kept} kept`
  return [messages, sizes].filter((part) => part !== '').join(' · ')
}

function eventSummary(facts: Facts): string {
  const words = facts.words ?? ''
  switch (facts.type) {
    case 'context_edit':
      return facts.empty === true
        ? `Took ${facts.target ?? 'an entry'} out of the context`
        : `Rewrote ${facts.target ?? 'an entry'} in the context`
    case 'mode_change':
      return `Mode ${words || 'unknown'}`
    case 'service_tier_change':
      return words === '' ? 'Service tier cleared' : `Service tier ${words}`
    case 'ttsr_injection':
      return words === '' ? 'Rules injected' : `Rules injected: ${words}`
    case 'credential_pin':
      return words === '' ? 'Credential pinned' : `Credential pinned for ${words}`
    case 'session_init':
      return words === '' ? 'Session set up' : `Session set up: ${words}`
    default:
      return words
  }
}

/** 950, 12.2k, 1.3M. */
function shortCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}
