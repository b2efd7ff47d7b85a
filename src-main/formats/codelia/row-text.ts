import type { Mark } from '#shared/model/entry.ts'
import type { EntryRecord } from '#shared/model/records.ts'
import { oneLine } from '../cut.ts'
import type { RowText } from '../format.ts'
import type { Run } from './assemble.ts'
import type { Links } from './links.ts'
import type { Facts } from './schema.ts'

const summaryLength = 160

/** What a row shows of an entry; cheap, and computed only for rows that are seen. */
export function rowText(entries: readonly EntryRecord[], runs: readonly Run[], links: Links, at: number): RowText {
  const entry = entries[at]
  if (entry === undefined) return { tool: null, summary: '', contextTokens: null, failed: false }
  const facts = entry.facts as Facts
  const run = runs.find(({ from }) => from === at)
  const changes = run === undefined ? [] : run.changes.map(([what]) => what)
  const said = [callArgument(entries, at, entry, facts), summaryOf(entry, facts)]
    .filter((part) => part !== '')
    .join(' · ')
  const changed = changes.length === 0 ? '' : `changed: ${changes.join(', ')}`
  return {
    tool: facts.tool === undefined || facts.tool === '' ? null : facts.tool,
    summary: oneLine([said, changed].filter((part) => part !== '').join(' · '), summaryLength * 2),
    contextTokens: entry.kind === 'response' ? (entry.usage?.total ?? null) : null,
    failed: facts.error === true,
    marks: marksOf(entry, facts, run, links.messages === at)
  }
}

/** A result stands a few entries behind its call; further up only a reused id could be found. */
const callDistance = 64

/** The main argument of the call that an output or a result belongs to. */
function callArgument(entries: readonly EntryRecord[], at: number, { role }: EntryRecord, { call }: Facts): string {
  if (call === undefined || role !== 'tool') return ''
  for (let above = at - 1; above >= 0 && at - above <= callDistance; above--) {
    const made = ((entries[above]?.facts as Facts | undefined)?.calls ?? []).find(([id]) => id === call)
    if (made !== undefined) return made[2]
  }
  return ''
}

function summaryOf(entry: EntryRecord, facts: Facts): string {
  const start = oneLine(entry.preview, summaryLength)
  switch (entry.kind) {
    case 'request':
      return [`${facts.messages ?? 0} messages`, entry.model ?? ''].filter((part) => part !== '').join(' to ')
    case 'response':
      return start === '' ? callWords(facts) || 'No text' : start
    case 'tool-result':
      return outcome(entry, facts)
    case 'message':
      if (facts.call !== undefined) return outcome(entry, facts)
      return start === '' ? callWords(facts) : start
    case 'compaction':
      return 'The history was compacted'
    case 'unknown':
      return facts.type === undefined ? 'Record without a type' : `Unknown type “${facts.type}”`
    default:
      return eventWords(entry, facts, start)
  }
}

const callWords = ({ calls = [] }: Facts): string =>
  oneLine(calls.map(([, name, argument]) => (argument === '' ? name : `${name} ${argument}`)).join(', '), summaryLength)

function outcome(entry: EntryRecord, facts: Facts): string {
  if (facts.error === true) return 'failed'
  if (facts.lines === undefined) return `${(entry.bytes[1] / 1_000_000).toFixed(1)} MB`
  return `${facts.lines} ${facts.lines === 1 ? 'line' : 'lines'}`
}

const names: ReadonlyMap<string, string> = new Map([
  ['agent.event:text', 'Text'],
  ['agent.event:reasoning', 'Reasoning'],
  ['agent.event:final', 'Final answer'],
  ['agent.event:hidden_user_message', 'Hidden message'],
  ['agent.event:llm.retry', 'Retry'],
  ['agent.event:step_start', 'Begins'],
  ['agent.event:step_complete', 'Step ended'],
  ['agent.event:tool_call', 'Calls'],
  ['agent.event:permission.preview', 'Asks for permission'],
  ['agent.event:permission.ready', 'Permission decided'],
  ['agent.event:compaction_start', 'Compaction begins'],
  ['agent.event:compaction_complete', 'Nothing was compacted'],
  ['run.status', 'Status'],
  ['run.context', 'Context'],
  ['run.error', 'Error'],
  ['run.end', 'Run ended']
])

function eventWords(entry: EntryRecord, facts: Facts, start: string): string {
  const type = facts.type ?? ''
  if (type === 'agent.event:tool_result') return outcome(entry, facts)
  const name = names.get(type) ?? type.replace(/^agent\.event:/, '')
  const said = facts.words === undefined || facts.words === '' ? start : facts.words
  return said === '' ? name : `${name}: ${said}`
}

function marksOf(entry: EntryRecord, facts: Facts, run: Run | undefined, isFirstMessage: boolean): readonly Mark[] {
  const marks: Mark[] = []
  if (run !== undefined) {
    if (run.changes.length > 0) {
      const why = run.changes.map(([what, how]) => `${what}: ${how}`).join('\n')
      marks.push({ text: 'changed', tone: 'plain', why: `What is different from the run before:\n${why}` })
    }
    if (run.state.outcome === null) {
      marks.push({ text: 'no end', tone: 'warning', why: 'The run has no end: it goes on, or was interrupted.' })
    }
    if (run.copy > 1) marks.push({ text: 'copy', tone: 'plain', why: 'Another file holds this run too.' })
  }
  if (facts.asked !== undefined) {
    const why = 'The request was written after it was sent and holds this answer. It is shown without it.'
    marks.push({ text: 'written late', tone: 'warning', why })
  }
  if (facts.impossible === true) {
    const why = 'More tokens were read from and written to the cache than the prompt has.'
    marks.push({ text: 'impossible usage', tone: 'warning', why })
  }
  if (facts.last === true) {
    const why = 'Asks for an answer as no step is left. Neither it nor the answer stays in the history.'
    marks.push({ text: 'last step', tone: 'plain', why })
  }
  if (facts.mark !== undefined) {
    const why = facts.mark === 'retain' ? 'What a compaction was told to keep.' : 'The summary of a compaction.'
    marks.push({ text: facts.mark, tone: 'plain', why })
  }
  if (isFirstMessage) {
    marks.push({
      text: 'resumed from',
      tone: 'plain',
      why: 'From here on: the messages that the next turn starts from.'
    })
  }
  if (entry.kind === 'message' && facts.command === true) {
    marks.push({ text: 'command', tone: 'plain', why: 'A command of the agent’s own, which no model sees.' })
  }
  return marks
}
