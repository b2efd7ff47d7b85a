import type { Mark } from '#shared/model/entry.ts'
import type { EntryRecord, SessionRecords } from '#shared/model/records.ts'
import { oneLine } from '../cut.ts'
import type { RowText } from '../format.ts'
import type { Logs } from './logs.ts'
import type { Facts } from './schema.ts'
import { factsOf } from './timeline.ts'

const summaryLength = 160

/** What a row shows of an entry, and where the two logs differ at it. */
export function rowText(_records: SessionRecords, logs: Logs, at: number): RowText {
  const entry = logs.entries[at]
  if (entry === undefined) return { tool: null, summary: '', contextTokens: null, failed: false }
  const facts = factsOf(entry)
  const marks = at < logs.lines ? lineMarks(logs, at, facts) : eventMarks(logs, at, facts)
  return {
    tool: toolOf(logs, at, entry, facts),
    summary: summaryOf(logs, at, entry, facts),
    contextTokens: facts.kind === 'agent' ? (entry.usage?.total ?? null) : null,
    failed: facts.isError === true,
    ...(marks.length === 0 ? {} : { marks })
  }
}

/** The calls of the answer above that a line of results belongs to, by the order of the results. */
function callsOfResults({ entries }: Logs, at: number, { results = [] }: Facts): NonNullable<Facts['calls']> {
  const calls = factsOf(entries[at - 1]).calls ?? []
  return results.flatMap((id) => calls.filter(([call]) => call === id).slice(0, 1))
}

/** A line of results speaks for the tools that were called by the answer above it. */
function toolOf(logs: Logs, at: number, entry: EntryRecord, facts: Facts): string | null {
  if (facts.tool !== undefined) return facts.tool === '' ? 'Tool' : facts.tool
  if (entry.kind !== 'tool-result') return null
  const names = new Set(callsOfResults(logs, at, facts).map(([, name]) => name))
  return names.size === 0 ? 'Tool' : [...names].join(', ')
}

function summaryOf(logs: Logs, at: number, entry: EntryRecord, facts: Facts): string {
  const start = oneLine(entry.preview, summaryLength)
  const lines = facts.lines === undefined ? '' : `${facts.lines} ${facts.lines === 1 ? 'line' : 'lines'}`
  if (entry.kind === 'compaction') return compactionSummary(logs, facts)
  switch (facts.type) {
    case undefined:
      if (entry.kind === 'tool-result') return [askedOf(logs, at, facts) || start, lines].filter(isFilled).join(' · ')
      return start === '' ? callsOf(facts) : start
    case 'user_input':
    case 'user_message':
    case 'text':
      return start
    case 'session_start':
      return 'Session begun'
    case 'session_fork':
      return `Forked from ${facts.sub ?? 'another session'}`
    case 'image_describe':
      return [`Description of ${facts.words ?? 'an image'}`, start].filter(isFilled).join(': ')
    case 'thinking':
      return start === '' ? 'Thinking' : `Thinking: ${start}`
    case 'tool_call':
      return facts.words ?? ''
    case 'tool_result':
      return [start, lines].filter(isFilled).join(' · ')
    case 'usage':
      return usageSummary(entry, facts)
    case 'stop':
      return `Stop: ${facts.reason || 'no reason given'}`
    case 'context_update':
      return 'The conversation was cut by the compaction'
    case 'retry':
      return 'Tried again: what this call had given was discarded'
    case 'sub_agent_start':
      return `Sub-agent ${facts.sub ?? ''} begun: ${facts.words || start}`
    case 'sub_agent_result':
      return `Sub-agent ${facts.sub ?? ''}: ${[facts.words ?? '', start].filter(isFilled).join(', ')}`
    case 'sub_agent_end':
      return `Sub-agent ${facts.sub ?? ''} ended: ${facts.words ?? ''}`
    case 'async_task_result':
      return `Background task ${facts.words ?? ''}: ${start}`
    case 'assistant_message':
      return start === '' ? callsOf(facts) : start
    default:
      return [facts.type, facts.words || start].filter(isFilled).join(': ')
  }
}

const isFilled = (part: string): boolean => part !== ''

/** What the tools were asked for; what they gave is behind it. */
const askedOf = (logs: Logs, at: number, facts: Facts): string =>
  oneLine(
    callsOfResults(logs, at, facts)
      .map(([, , argument]) => argument)
      .filter(isFilled)
      .join(', '),
    summaryLength
  )

const callsOf = ({ calls = [] }: Facts): string =>
  calls.length === 0
    ? 'No text'
    : oneLine(
        calls.map(([, name, argument]) => (argument === '' ? name : `${name} ${argument}`)).join(', '),
        summaryLength
      )

function usageSummary({ usage }: EntryRecord, { kind = '', sub }: Facts): string {
  const who = kind === 'compact' ? 'Compaction' : kind === 'sub_agent' ? `Sub-agent ${sub ?? ''}` : 'Request'
  const { total = null, output = null } = usage ?? {}
  return total === null
    ? who
    : `${who.trim()}: ${grouped.format(total)} tokens, ${grouped.format(output ?? 0)} of them output`
}

function compactionSummary({ timeline }: Logs, facts: Facts): string {
  const asked = facts.trigger === undefined || facts.trigger === '' ? '' : ` (${facts.trigger})`
  return timeline.compactions.length === 1 ? `The conversation was compacted${asked}` : `Compacted${asked}`
}

const mark = (text: string, why: string, tone: Mark['tone'] = 'warning'): Mark[] => [{ text, tone, why }]

function lineMarks({ alignment, entries }: Logs, at: number, facts: Facts): readonly Mark[] {
  if (facts.injected === 'sub-agent') return mark('injected', 'A sub-agent told this; nobody typed it.', 'plain')
  if (facts.injected === 'task') return mark('injected', 'A background task told this; nobody typed it.', 'plain')
  if (alignment.eventOf.has(at)) return []
  if (alignment.behind[at] === -1) {
    return mark('copied', 'No event tells of this line: a fork copied it, or a sub-agent was given it.', 'plain')
  }
  const isPrompt = entries[at]?.role === 'user' && entries[at].kind === 'message'
  return isPrompt
    ? mark('injected', 'No event tells of this line: it was put in while the agent worked.', 'plain')
    : mark('no event', 'No event tells of this line.')
}

function eventMarks({ alignment, timeline, outcomeOf, entries }: Logs, at: number, facts: Facts): readonly Mark[] {
  const outcome = outcomeOf.get(at)
  if (outcome === 'discarded')
    return mark('discarded', 'The call was tried again, so the conversation does not have this.')
  if (alignment.lineOf.has(at)) return []
  if (outcome === 'failed')
    return mark('failed', 'The call failed or was interrupted, so the conversation does not have this.')
  const isSaid = outcome !== undefined || (entries[at]?.kind === 'message' && facts.type !== undefined)
  if (!isSaid) return []
  if (at < (timeline.compactions.at(-1) ?? -1)) {
    return mark('compacted', 'A compaction took this out of the conversation; only its summary stands for it.', 'plain')
  }
  return outcome === 'open' ? [] : mark('not in conversation', 'The conversation has no line for this.')
}

const grouped = new Intl.NumberFormat('en-US')
