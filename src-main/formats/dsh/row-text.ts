import type { EntryRecord } from '#shared/model/records.ts'
import { oneLine } from '../cut.ts'
import type { RowText } from '../format.ts'
import { type CallFact, type Facts, factsOf } from './schema.ts'

const summaryLength = 160

/** What a row shows of an entry; cheap, and computed only for rows that are seen. */
export function rowText(entry: EntryRecord, calls: ReadonlyMap<string, CallFact>): RowText {
  const facts = factsOf(entry)
  const isResult = facts.type === 'tool/result'
  const call = isResult ? calls.get(facts.call ?? '') : undefined
  const tool = isResult ? (call?.[1] ?? '') : (facts.tool ?? '')
  return {
    tool: tool === '' ? (isResult ? 'tool' : null) : tool,
    summary: oneLine(isResult ? resultWords(entry, facts, call) : wordsOf(entry, facts), summaryLength),
    contextTokens: facts.type === 'assistant/message' ? entry.usage?.total || null : null,
    failed:
      facts.error === true || facts.reason === 'error' || facts.reason === 'aborted' || facts.reason === 'interrupted'
  }
}

const joined = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => (part ?? '') !== '').join(' · ')

function resultWords({ preview }: EntryRecord, { lines, surface }: Facts, call: CallFact | undefined): string {
  const size = lines === undefined ? '' : `${lines} ${lines === 1 ? 'line' : 'lines'}`
  return joined(surface?.kind === 'replace' ? 'result rewritten' : '', call?.[2], lines === 1 ? preview : size)
}

function wordsOf({ preview, model, kind }: EntryRecord, facts: Facts): string {
  const { turn = '', step = '', words = '', reason = '' } = facts
  switch (facts.type) {
    case 'assistant/message':
      if (preview.trim() !== '') return preview
      return joined(...(facts.calls ?? []).map(([, name, argument]) => `${name} ${argument}`))
    case 'turn/start':
      return `Turn ${turn}`
    case 'turn/end':
      return joined(`End of turn ${turn}`, reason)
    case 'step/start':
      return `Step ${step}`
    case 'step/end':
      return `End of step ${step}`
    case 'session/title':
      return `Title “${facts.title ?? ''}”`
    case 'session/end-seed':
      return facts.inherited === true ? 'End of what was inherited' : 'Goes on here'
    case 'request/header':
      return joined('Request header', model, words)
    case 'request/context':
      return joined('Request context', model)
    case 'assistant/attempt':
      return joined('Attempt without an answer', reason)
    case 'assistant/chunk':
      return joined(facts.chunk, preview === '' ? reason : preview)
    case 'compaction/start':
      return 'Compaction begins'
    case 'compaction/summary':
      return joined('Summary', preview)
    case 'compaction/prune':
      return 'Prune'
    case 'compaction/end':
      return facts.error === true ? joined('Compaction failed', reason) : 'Compaction ends'
    case 'tool/call':
      return words
    default:
      break
  }
  if (kind === 'unknown') return `Unknown type “${facts.type}”`
  if (kind === 'message' || kind === 'compaction') return preview
  if (kind === 'custom') return joined(words, preview)
  return joined(facts.type, words === '' ? preview : words)
}
