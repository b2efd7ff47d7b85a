import { createHash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import { basename, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Line } from '#main/tail/line.ts'
import type { ByteRange, EntryKind } from '#shared/model/entry.ts'
import type { FaultKind } from '#shared/model/fault.ts'
import type { EntryRecord, FaultDraft, Json, JsonObject, LineReading, SourceFile } from '#shared/model/records.ts'
import { cut, oneLine } from '../cut.ts'
import type { LineReader } from '../format.ts'
import { asList, asObject, asString } from '../json.ts'
import { hasLoneSurrogate } from '../lone-surrogate.ts'
import { isFile } from './locate.ts'
import { type EntryShape, recoverObjects } from '../recover-objects.ts'
import { parseLine, type Repair } from './parse-line.ts'
import {
  type CallFact,
  conversationName,
  emptyState,
  type Facts,
  knownTypes,
  otherTypes,
  type Run,
  type State,
  stateFromJson,
  stateToJson,
  statsName
} from './schema.ts'
import { parseStats } from './stats.ts'
import { usageOf } from './usage.ts'

const previewLength = 200
const wordsLength = 120
const idLength = 200
/** Characters of a prompt that its hash is made of: as many as are kept of a huge one. */
const hashedLength = 4096
const attachedImages = '\n\n<attached-images>'
/** A compaction's two events stand beside each other, or, written by two processes, almost. */
const compactionReach = 4
/** Texts with thinking between them that are entries of their own, in one go of tokens: the last takes in all that follows. */
const mostTexts = 4

const repairWords: Readonly<Record<Repair, string>> = {
  'control-bytes': 'Control bytes stand raw in this line, as the agent writes colours; it was read all the same.',
  'empty-member': 'A member without a value stands in this line ("fork":}); it was read as null.'
}

type Draft = { -readonly [K in keyof Facts]: Facts[K] }
type Report = (kind: FaultKind, message: string) => void
interface Said {
  readonly kind: EntryKind
  readonly role: string | null
  readonly preview: string
  readonly facts: Facts
  readonly time?: number | null
  readonly usage?: EntryRecord['usage']
}

/** A reader for one of a session's files, from its start or from where one stopped. */
export function shellAgentReader(files: readonly SourceFile[], stopped: JsonObject | null): LineReader {
  let state: State = stopped === null ? emptyState : stateFromJson(stopped)

  function read(line: Line): LineReading {
    const source = files[line.file]
    const faults: FaultDraft[] = []
    const report: Report = (kind, message) => {
      faults.push({ kind, line: line.number, offset: line.offset, length: line.length, entry: null, message })
    }
    if (source?.role === 'snapshot') {
      const isRead = readDocument(line, basename(source.path), report)
      return { class: isRead ? 'header' : 'fault', entries: [], faults }
    }
    const found = objectOf(line, report)
    const isEvents = source?.role === 'events'
    if (found === 'blank' || found === 'none' || found === undefined) {
      state = { ...state, run: null }
      if (found !== undefined) return { class: found === 'blank' ? 'blank' : 'fault', entries: [], faults }
      const entries = recovered(line, isEvents, report)
      return { class: entries.length > 0 ? 'entry' : 'fault', entries, faults }
    }
    const bytes: ByteRange = [line.offset + found.start, line.length - line.end - found.start]
    const run = isEvents ? joined(state.run, line, found.object, bytes) : null
    if (run !== null) {
      state = { ...state, run, compaction: null }
      const record = recordOfRun(line.file, run)
      if (run.tokens > 1) return { class: 'entry', entries: [], faults, grown: record }
      return { class: 'entry', entries: [record], faults }
    }
    state = { ...state, run: null }
    const said = isEvents ? readEvent(found.object, line, report) : readMessage(found.object, report)
    const facts: Facts = found.isRepaired ? { ...said.facts, repaired: true } : said.facts
    return { class: 'entry', entries: [recordOf(line, 1, bytes, { ...said, facts })], faults }
  }

  /** The whole objects of a line that is not one; none where it holds none. Tokens among them stay by themselves. */
  function recovered(line: Line, isEvents: boolean, report: Report): readonly EntryRecord[] {
    if (line.bytes === null) return []
    const { objects, lost } = recoverObjects(line.bytes, isEvents ? eventShape : messageShape)
    if (objects.length === 0) {
      if (line.end === 0) report('torn-tail', 'The file ends in the middle of this line; it counts once it is whole.')
      else report('malformed-line', 'This line is no valid JSON and was passed over.')
      return []
    }
    const bytes = lost.reduce((sum, [from, to]) => sum + to - from, 0)
    const what = `${objects.length === 1 ? 'one whole object was' : `${objects.length} whole objects were`} recovered`
    const gone = bytes === 0 ? 'nothing is lost' : `${bytes} bytes are lost`
    report('fused-lines', `Lines without a line feed between them: ${what}, ${gone}.`)
    return objects.map(({ value, start, end }, index) => {
      const range: ByteRange = [line.offset + start, end - start]
      const run = isEvents ? joined(null, line, value, range) : null
      if (run !== null) return { ...recordOfRun(line.file, run), part: index + 1 }
      return recordOf(line, index + 1, range, isEvents ? readEvent(value, line, report) : readMessage(value, report))
    })
  }

  function readDocument(line: Line, name: string, report: Report): boolean {
    if (line.bytes === null) {
      report('line-too-long', 'This file is too long to be read as one text (over 512 MB).')
      return false
    }
    if (!isUtf8(line.bytes))
      report('invalid-utf8', 'This file holds bytes that are not UTF-8; they are shown as U+FFFD.')
    const text = line.bytes.toString()
    const stats = name === statsName ? parseStats(text) : null
    state = { ...state, document: { isBlank: text.trim() === '', stats } }
    if (name !== statsName || stats !== null) return true
    report('malformed-line', 'This file is no object of JSON, so its counters are unknown.')
    return false
  }

  function readEvent(event: JsonObject, line: Line, report: Report): Said {
    const type = asString(event['type'])
    if (type === 'session_fork') {
      const id = short(event['source_session_id'])
      state = { ...state, source: { id, file: siblingOf(files, id) } }
    }
    const isUsage = type === 'usage' && event['kind'] === 'compact'
    if (!isUsage && type !== 'context_update') return eventOf(event, type, report)
    const own = isUsage ? 'usage' : 'context_update'
    const before = state.compaction
    const isSecond = before !== null && before.type !== own && line.number - before.line <= compactionReach
    state = { ...state, compaction: isSecond ? null : { line: line.number, type: own } }
    const said = eventOf(event, type, report)
    const isAlone = { ...said, kind: 'compaction' as const }
    return isSecond ? { ...said, facts: { ...said.facts, ofCompaction: true } } : isAlone
  }

  return { read, state: () => stateToJson(state) }
}

interface FoundLine {
  readonly object: JsonObject
  /** Where it begins in the line. */
  readonly start: number
  readonly isRepaired: boolean
}

/** Where an entry can begin behind a torn one: the Go port sorts members, so any may be the first. */
const anyMember = Buffer.from('{"')
export const messageShape: EntryShape = {
  start: anyMember,
  isLikely: (object) => (object['role'] === 'user' || object['role'] === 'assistant') && object['content'] !== undefined
}
const eventShape: EntryShape = {
  start: anyMember,
  isLikely: (object) => knownTypes.has(asString(object['type']) ?? '')
}

function recordOf(line: Line, part: number, bytes: ByteRange, said: Said): EntryRecord {
  return {
    file: line.file,
    line: line.number,
    part,
    bytes,
    storedId: null,
    storedParent: undefined,
    kind: said.kind,
    role: said.role,
    time: said.time ?? null,
    preview: said.preview,
    model: null,
    usage: said.usage ?? null,
    facts: said.facts as JsonObject
  }
}

/** `none` for what is no entry and was said; undefined for what is not one value of JSON. */
function objectOf(line: Line, report: Report): FoundLine | 'blank' | 'none' | undefined {
  if (line.bytes === null) {
    report(
      'line-too-long',
      'This line is too long to be read as one text (over 512 MB). Its bytes are exported all the same.'
    )
    return 'none'
  }
  const bytes = withoutMark(line, report)
  if (/^[ \t\r]*$/.test(bytes.toString('latin1', 0, 64)) && bytes.toString('latin1').trim() === '') return 'blank'
  if (!isUtf8(bytes)) report('invalid-utf8', 'This line holds bytes that are not UTF-8; they are shown as U+FFFD.')
  const parsed = parseLine(bytes)
  if (parsed === undefined) return undefined
  const object = asObject(parsed.value)
  if (object === null) {
    report('not-an-object', 'This line is valid JSON but no object, so it is no entry.')
    return 'none'
  }
  for (const repair of parsed.repairs) report('repaired-line', repairWords[repair])
  if (hasLoneSurrogate(bytes))
    report('lone-surrogate', 'A text in this line holds half of a character; it is shown as U+FFFD.')
  return { object, start: line.bytes.length - bytes.length, isRepaired: parsed.repairs.length > 0 }
}

function withoutMark({ bytes, number }: Line, report: Report): Buffer {
  const own = bytes ?? Buffer.alloc(0)
  if (number !== 1 || own[0] !== 0xef || own[1] !== 0xbb || own[2] !== 0xbf) return own
  report('bom', 'A byte order mark stands in front of this line.')
  return own.subarray(3)
}

/**
 * Token events of one type that follow each other line by line run together, and where the types keep alternating, all
 * that follow the fourth text. A line that has no end yet stays by itself, as it may become another one; null for what is
 * no token event.
 */
function joined(before: Run | null, line: Line, object: JsonObject, [offset, length]: ByteRange): Run | null {
  const type = object['type']
  if (type !== 'text' && type !== 'thinking') return null
  const text = asString(object['content']) ?? ''
  const follows = before !== null && line.end > 0 && before.line + before.tokens === line.number
  if (!follows || (before.type !== type && !takesAll(before))) {
    const texts = (follows ? before.texts : 0) + (type === 'text' ? 1 : 0)
    return { type, line: line.number, offset, length, tokens: 1, texts, preview: cut(display(text), previewLength) }
  }
  const isShown = before.type === type && before.preview.length < previewLength
  return {
    ...before,
    length: offset + length - before.offset,
    tokens: before.tokens + 1,
    preview: isShown ? cut(before.preview + display(text), previewLength) : before.preview
  }
}

const takesAll = ({ type, texts }: Run): boolean => type === 'text' && texts >= mostTexts

function recordOfRun(file: number, { type, line, offset, length, tokens, preview }: Run): EntryRecord {
  const facts: Facts = { type, tokens }
  return {
    file,
    line,
    part: 1,
    bytes: [offset, length],
    storedId: null,
    storedParent: undefined,
    kind: 'message',
    role: 'assistant',
    time: null,
    preview,
    model: null,
    usage: null,
    facts: facts as JsonObject
  }
}

function readMessage(message: JsonObject, report: Report): Said {
  const role = asString(message['role'])
  const content = message['content']
  if (role === 'user' && typeof content === 'string') return promptOf(content)
  const blocks = objectsIn(content)
  if (role === 'user' && Array.isArray(content)) {
    const results = blocks.flatMap((block) => asString(block['tool_use_id'])?.slice(0, idLength) ?? [])
    const text = blocks.map((block) => resultText(block['content']) || (asString(block['text']) ?? '')).join('\n')
    const facts = { results, lines: linesOf(text) }
    return { kind: 'tool-result', role, preview: cut(display(text), previewLength), facts }
  }
  if (role === 'assistant') {
    const texts = typeof content === 'string' ? [content] : blocks.flatMap((block) => textIn(block))
    const calls = blocks.flatMap((block): CallFact[] => (block['type'] === 'tool_use' ? [callOf(block)] : []))
    const preview = cut(display(texts.join('\n')), previewLength)
    return { kind: 'message', role, preview, facts: calls.length === 0 ? {} : { calls } }
  }
  report('unknown-type', `A line with the role ${role === null ? 'of nobody' : `"${oneLine(role, 60)}"`} is not known.`)
  return { kind: 'unknown', role, preview: '', facts: {} }
}

/** What of a list is an object. */
export const objectsIn = (list: Json | undefined): JsonObject[] =>
  asList(list)
    .map(asObject)
    .filter((one) => one !== null)

const textIn = (block: JsonObject): string[] => (block['type'] === 'text' ? [asString(block['text']) ?? ''] : [])

/** The text of a tool's result, which may be given in blocks. */
export function resultText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return asList(content)
    .flatMap((block) => asString(asObject(block)?.['text']) ?? [])
    .join('\n')
}

function promptOf(text: string): Said {
  const facts: Draft = { hash: hashOf(text) }
  const images = text.slice(0, hashedLength).indexOf(attachedImages)
  if (images !== -1) facts.base = hashOf(text.slice(0, images))
  const subAgent = /^\[sub-agent ([^\]\s]{1,200})\] /.exec(text)?.[1]
  if (subAgent !== undefined) {
    facts.injected = 'sub-agent'
    facts.sub = subAgent
  } else if (/^\[bg-bash [^\]\n]{1,200}\] exit_code=/.test(text)) facts.injected = 'task'
  return { kind: 'message', role: 'user', preview: cut(display(text), previewLength), facts }
}

/** Of the beginning of a text: what a huge line keeps of it. */
const hashOf = (text: string): string =>
  createHash('sha256').update(text.slice(0, hashedLength)).digest('base64url').slice(0, 16)

function callOf(block: JsonObject): CallFact {
  const name = oneLine(asString(block['name']) ?? '', wordsLength)
  return [short(block['id']), name, mainArgument(asObject(block['input']))]
}

const argumentNames = ['command', 'path', 'file_path', 'pattern', 'query', 'url', 'description', 'prompt']

function mainArgument(input: JsonObject | null): string {
  if (input === null) return ''
  const named = argumentNames.map((name) => asString(input[name])).find((value) => value !== null)
  const first = named ?? Object.values(input).find((value) => typeof value === 'string')
  return oneLine(display(asString(first) ?? ''), wordsLength)
}

function eventOf(event: JsonObject, type: string | null, report: Report): Said {
  const text = (member: string): string => asString(event[member]) ?? ''
  const words = (member: string): string => oneLine(display(text(member)), wordsLength)
  const said = (
    kind: EntryKind,
    role: string | null,
    preview: string,
    facts: Facts,
    time: number | null = null
  ): Said => ({
    kind,
    role,
    preview: cut(display(preview), previewLength),
    facts: { ...(type === null ? {} : { type: cut(type, wordsLength) }), ...facts },
    time
  })
  switch (type) {
    case 'session_start':
      return said('session-info', null, text('session_id'), {})
    case 'session_fork':
      return said('session-info', null, text('source_session_id'), { sub: short(event['source_session_id']) })
    case 'user_input':
    case 'user_message':
      return said('message', 'user', text('content'), { hash: hashOf(text('content')) })
    case 'image_describe':
      return said('event', null, text('content'), { words: words('images') })
    case 'assistant_message': {
      const calls = objectsIn(event['tool_calls']).map(callOf)
      return said('message', 'assistant', text('text'), calls.length === 0 ? {} : { calls })
    }
    case 'tool_call': {
      const [call, tool, argument] = callOf(event)
      return said('tool-call', 'assistant', argument, { call, tool, words: argument })
    }
    case 'tool_result':
      return said('tool-result', null, text('content'), {
        call: short(event['tool_use_id']),
        tool: words('name'),
        lines: linesOf(text('content'))
      })
    case 'usage': {
      const usage = usageOf(event)
      const kind = words('kind')
      const sub = asString(event['sub_session_id'])
      return { ...said('usage', null, '', { kind, ...(sub === null ? {} : { sub: short(sub) }) }), usage }
    }
    case 'stop':
      return said('event', null, text('reason'), { reason: words('reason') })
    case 'context_update':
      return said('event', null, '', { trigger: words('trigger') })
    case 'error':
      return said('event', null, text('message'), { words: words('message'), isError: true })
    case 'retry':
      return said('event', null, '', {})
    case 'sub_agent_start':
      return said(
        'event',
        null,
        text('prompt'),
        { sub: short(event['session_id']), words: words('description') },
        timeOf(event)
      )
    case 'sub_agent_result':
    case 'sub_agent_end': {
      const facts = { sub: short(event['session_id']), words: words('status') }
      return said('event', null, text('text'), { ...facts, ...failed(event) }, timeOf(event))
    }
    case 'async_task_result':
      return said('event', null, text('output'), { words: words('task_id') })
    default:
      if (type !== null && otherTypes.has(type)) return said('event', null, text('content'), { words: words('name') })
      report(
        'unknown-type',
        type === null ? 'An event without a type.' : `Events of the type "${oneLine(type, 60)}" are not known.`
      )
      return said('unknown', null, '', {})
  }
}

const failed = (event: JsonObject): Facts => (event['status'] === 'failed' ? { isError: true } : {})

function timeOf(event: JsonObject): number | null {
  const time = Date.parse(asString(event['timestamp']) ?? '')
  return Number.isNaN(time) ? null : time
}

const short = (value: Json | undefined): string => cut(asString(value) ?? '', idLength)

/** Without the codes of a terminal, and what else has no place in a text. */
export const display = (text: string): string => (text.includes('\u001b') ? stripVTControlCharacters(text) : text)

function linesOf(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** The conversation of the session of that name beside this one; a name that leads elsewhere is not followed. */
function siblingOf(files: readonly SourceFile[], id: string): string | null {
  const folder = dirname(dirname(files[0]?.path ?? ''))
  const path = sessionFile(folder, id)
  return path !== null && isFile(path) ? path : null
}

/** The main file of a session by its name, null for a name that no session can have. */
export function sessionFile(project: string, id: string): string | null {
  const isName = id !== '' && id !== '.' && id !== '..' && !/[\\/]/.test(id) && !id.includes('\u0000')
  return isName ? join(project, id, conversationName) : null
}
