import type { EntryKind } from '#shared/model/entry.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'
import { cut, oneLine } from '../cut.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'
import { callIds, messagePrint, promptPrint } from './print.ts'
import { recordTypes } from './records.ts'
import { type Asked, type CallFact, type Facts, lastAnswerMark, retainMark, summaryMark } from './schema.ts'
import { usageOf } from './usage.ts'

const previewLength = 200
const wordsLength = 100
const idLength = 512
/** A compaction leaves two. */
const mostMarks = 8

/** What an entry's object says, without its place in the file. */
export interface EntryContent {
  readonly kind: EntryKind
  readonly role: string | null
  readonly time: number | null
  readonly preview: string
  readonly model: string | null
  readonly usage: Usage | null
  readonly facts: Facts
}

type Draft = { -readonly [K in keyof Facts]: Facts[K] }
type Said = Partial<Omit<EntryContent, 'time' | 'facts'>>

/** Milliseconds of an RFC 3339 time, else null. */
export function timeOf(value: Json | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[Tt ]/.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : time
}

/** A record of a run (docs/formats/codelia.md, "Run files"); `isCut`: long strings have only their beginnings. */
export function readRecord(object: JsonObject, asked: Asked | null, isCut: boolean): EntryContent {
  const type = asString(object['type'])
  const facts: Draft = {}
  if (type !== null) facts.type = cut(type, wordsLength)
  const said = type === null || !recordTypes.has(type) ? {} : readKnown(object, type, facts, asked, isCut)
  const { kind = 'unknown', role = null, preview = '', model = null, usage = null } = said
  return { kind, role, time: timeOf(object['ts']), preview: cut(preview, previewLength), model, usage, facts }
}

function readKnown(object: JsonObject, type: string, facts: Draft, asked: Asked | null, isCut: boolean): Said {
  switch (type) {
    case 'run.start': {
      const input = asObject(object['input'])
      const content = input?.['type'] === 'parts' ? (input['parts'] ?? []) : (input?.['text'] ?? '')
      const preview = textStart(content)
      facts.prints = [promptPrint(content)]
      if (/^\/[a-z]/i.test(preview)) facts.command = true
      return { kind: 'message', role: 'user', preview }
    }
    case 'run.status':
      facts.words = words([asString(object['status']), asString(object['message'])])
      if (object['status'] === 'error' || object['status'] === 'cancelled') facts.error = true
      return { kind: 'event' }
    case 'run.context': {
      const left = asNumber(object['context_left_percent'])
      facts.words = left === null ? '' : `${left} % of the context left`
      return { kind: 'event' }
    }
    case 'run.error': {
      const error = asObject(object['error'])
      facts.error = true
      const message = asString(error?.['message']) ?? ''
      facts.words = words([asString(error?.['name']), message], ': ')
      return { kind: 'event', preview: message }
    }
    case 'run.end':
      facts.words = words([asString(object['outcome'])])
      if (object['outcome'] !== 'completed') facts.error = true
      return { kind: 'event', preview: asString(object['final']) ?? '' }
    case 'tool.output':
      return readOutput(object, facts, isCut)
    case 'llm.request':
      return readRequest(object, facts)
    case 'llm.response':
      return readResponse(object, facts, asked)
    case 'agent.event':
      return readEvent(object, facts, isCut)
    default:
      return {}
  }
}

function readOutput(object: JsonObject, facts: Draft, isCut: boolean): Said {
  const text = asString(object['result_raw']) ?? ''
  facts.call = shortId(object['tool_call_id'])
  facts.tool = cut(asString(object['tool']) ?? '', wordsLength)
  if (object['is_error'] === true) facts.error = true
  if (!isCut) facts.lines = linesOf(text)
  return { kind: 'tool-result', role: 'tool', preview: text }
}

function readRequest(object: JsonObject, facts: Draft): Said {
  const input = asObject(object['input'])
  const messages = asList(input?.['messages'])
  readSeq(object, facts)
  facts.messages = messages.length
  if (objectsIn(messages).every(({ role }) => role === 'system')) facts.empty = true
  const marked = objectsIn(messages).filter((one) => one['role'] === 'user' && markOf(one['content'] ?? null) !== null)
  if (marked.length > 0) facts.marks = marked.slice(0, mostMarks).map(messagePrint)
  const last = asObject(messages.at(-1))
  if (last?.['role'] === 'user' && textStart(last['content'] ?? null).startsWith(lastAnswerMark)) facts.last = true
  const stored = asObject(object['model'])
  const reasoning = asString(stored?.['reasoning'])
  if (reasoning !== null) facts.reasoning = cut(reasoning, wordsLength)
  return {
    kind: 'request',
    model: modelOf(asString(stored?.['provider']), asString(stored?.['name']) ?? asString(input?.['model']), facts)
  }
}

function readResponse(object: JsonObject, facts: Draft, asked: Asked | null): Said {
  const output = asObject(object['output'])
  const messages = objectsIn(output?.['messages'])
  readSeq(object, facts)
  facts.prints = messages.map(messagePrint)
  const calling = messages.filter((message) => callIds(message).length > 0 && asString(message['content']) !== null)
  if (calling.length > 0)
    facts.bare = calling.map(({ role, content }) => messagePrint({ role: role ?? '', content: content ?? '' }))
  const calls = messages.flatMap(callsOf)
  if (calls.length > 0) facts.calls = calls
  const stop = asString(output?.['stop_reason'])
  if (stop !== null) facts.stop = cut(stop, wordsLength)
  const stored = asObject(output?.['usage'])
  const { usage, isImpossible } = usageOf(stored)
  if (isImpossible) facts.impossible = true
  const text = messages.flatMap(({ role, content }) => (role === 'assistant' ? [textStart(content ?? null)] : []))
  const name = asString(stored?.['model']) ?? asString(stored?.['provider_model'])
  return {
    kind: 'response',
    role: 'assistant',
    preview: text.filter((part) => part !== '').join('\n'),
    // The request's, where the answer does not say which one gave it.
    model: modelOf(asked?.provider ?? null, name, facts) ?? asked?.model ?? null,
    usage
  }
}

function readEvent(object: JsonObject, facts: Draft, isCut: boolean): Said {
  const event = asObject(object['event'])
  const type = asString(event?.['type'])
  const place = asNumber(object['seq'])
  if (place !== null) facts.event = place
  if (event === null || type === null) return { kind: 'event' }
  facts.type = cut(`agent.event:${type}`, wordsLength)
  const text = asString(event['content']) ?? ''
  switch (type) {
    case 'text':
    case 'final':
      return { kind: 'event', role: 'assistant', preview: text }
    case 'reasoning':
    case 'hidden_user_message':
      return { kind: 'event', preview: text }
    case 'llm.retry':
      facts.error = true
      facts.words = retryWords(event)
      return { kind: 'event' }
    case 'step_start':
      facts.step = asNumber(event['step_number']) ?? 0
      facts.words = words([`step ${facts.step}`, asString(event['title'])], ': ')
      return { kind: 'event' }
    case 'step_complete': {
      const took = asNumber(event['duration_ms'])
      if (event['status'] === 'error') facts.error = true
      facts.step = 0
      facts.words = words([asString(event['status']), took === null ? null : `${took} ms`], ', ')
      return { kind: 'event' }
    }
    case 'tool_call':
      facts.call = shortId(event['tool_call_id'])
      facts.tool = cut(asString(event['tool']) ?? '', wordsLength)
      facts.words = mainArgument(asObject(event['args']))
      return { kind: 'event' }
    case 'tool_result': {
      const result = asString(event['result']) ?? ''
      facts.call = shortId(event['tool_call_id'])
      facts.tool = cut(asString(event['tool']) ?? '', wordsLength)
      if (event['is_error'] === true) facts.error = true
      if (!isCut) facts.lines = linesOf(result)
      return { kind: 'event', preview: result }
    }
    case 'permission.preview':
    case 'permission.ready':
      facts.tool = cut(asString(event['tool']) ?? '', wordsLength)
      facts.words = words([asString(event['summary']), asString(event['file_path'])])
      return { kind: 'event' }
    case 'compaction_complete':
      // Nothing was compacted where it says so.
      return { kind: event['compacted'] === true ? 'compaction' : 'event' }
    default:
      return { kind: 'event' }
  }
}

/** A message of the messages file or of a snapshot. */
export function readMessage(message: JsonObject): EntryContent {
  const role = asString(message['role'])
  const content = message['content'] ?? null
  const preview = cut(textStart(content), previewLength)
  const facts: Draft = role === 'tool' ? {} : { prints: [messagePrint(message)] }
  const calls = role === 'assistant' ? callsOf(message) : []
  if (calls.length > 0) facts.calls = calls
  if (role === 'tool') {
    facts.call = shortId(message['tool_call_id'])
    facts.tool = cut(asString(message['tool_name']) ?? '', wordsLength)
    if (message['is_error'] === true) facts.error = true
    facts.lines = linesOf(textStart(content, Infinity))
  }
  const mark = role === 'user' ? markOf(content) : null
  if (mark !== null) facts.mark = mark
  const said = mark === null ? 'message' : 'custom'
  const kind = role === null ? 'unknown' : said
  return { kind, role, time: timeOf(message['message_ts']), preview, model: null, usage: null, facts }
}

/** Which of the two messages that a compaction writes it is, if any. */
export function markOf(content: Json): 'retain' | 'summary' | null {
  const start = textStart(content)
  if (start.startsWith(retainMark)) return 'retain'
  return start.startsWith(summaryMark) ? 'summary' : null
}

/** The texts of a message's content, joined as a context joins them, at most so much of them. */
export function textStart(content: Json, limit = previewLength): string {
  if (typeof content === 'string') return limit === Infinity ? content : cut(content, limit)
  let text = ''
  let isFirst = true
  for (const part of asList(content)) {
    const own = asObject(part)
    if (own === null || own['type'] !== 'text') continue
    const piece = asString(own['text']) ?? ''
    text += isFirst ? piece : `\n${piece}`
    isFirst = false
    if (text.length >= limit) break
  }
  return limit === Infinity ? text : cut(text, limit)
}

function callsOf(message: JsonObject): readonly CallFact[] {
  return asList(message['tool_calls']).map((stored) => {
    const call = asObject(stored)
    const made = asObject(call?.['function'])
    const name = cut(asString(made?.['name']) ?? '', wordsLength)
    return [shortId(call?.['id']), name, mainArgument(argumentsOf(made?.['arguments']))]
  })
}

/** A call's arguments, which are stored as JSON that the model wrote; null where it wrote none. */
export function argumentsOf(stored: Json | undefined): JsonObject | null {
  try {
    return typeof stored === 'string' ? asObject(JSON.parse(stored) as Json) : asObject(stored)
  } catch {
    return null
  }
}

/** A tool call's most telling argument on one line: a command, a path, a pattern, else its first text. */
function mainArgument(args: JsonObject | null): string {
  if (args === null) return ''
  for (const name of ['command', 'cmd', 'path', 'file_path', 'pattern', 'query', 'url', 'description', 'prompt']) {
    const value = args[name]
    if (typeof value === 'string' && value !== '') return oneLine(value, wordsLength)
  }
  const first = Object.values(args).find((value) => typeof value === 'string' && value !== '')
  return typeof first === 'string' ? oneLine(first, wordsLength) : ''
}

function retryWords(event: JsonObject): string {
  const next = asNumber(event['next_attempt'])
  const most = asNumber(event['max_attempts'])
  const status = asNumber(event['status'])
  const delay = asNumber(event['delay_ms'])
  return words(
    [
      next === null ? 'retry' : `attempt ${next}${most === null ? '' : ` of ${most}`}`,
      asString(event['failure_kind']),
      status === null ? null : `status ${status}`,
      delay === null ? null : `after ${delay} ms`
    ],
    ', '
  )
}

function readSeq(object: JsonObject, facts: Draft): void {
  const seq = asNumber(object['seq'])
  if (seq !== null) facts.seq = seq
}

function modelOf(provider: string | null, name: string | null, facts: Draft): string | null {
  if (provider !== null) facts.provider = cut(provider, wordsLength)
  if (name === null) return null
  const own = cut(name, wordsLength)
  return facts.provider === undefined ? own : `${facts.provider}/${own}`
}

const words = (parts: readonly (string | null)[], between = ' · '): string =>
  parts
    .filter((part): part is string => part !== null && part !== '')
    .map((part) => oneLine(part, wordsLength))
    .join(between)

/** Ids are compared in this length, so that no hostile one is kept whole. */
const shortId = (id: Json | undefined): string => cut(asString(id) ?? '', idLength)

function linesOf(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** The objects of a list; whatever else is in it is left out. */
export const objectsIn = (list: Json | undefined): readonly JsonObject[] =>
  asList(list).flatMap((one): JsonObject[] => {
    const object = asObject(one)
    return object === null ? [] : [object]
  })
