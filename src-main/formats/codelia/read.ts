import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Line } from '#main/tail/line.ts'
import type { ByteRange } from '#shared/model/entry.ts'
import type { FaultKind } from '#shared/model/fault.ts'
import type { EntryRecord, FaultDraft, JsonObject, LineReading, SourceFile } from '#shared/model/records.ts'
import { cut } from '../cut.ts'
import type { LineReader } from '../format.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'
import { hasLoneSurrogate } from '../lone-surrogate.ts'
import { parseLine } from '../parse-line.ts'
import { type EntryShape, isBlank, recoverObjects } from '../recover-objects.ts'
import { isUuid } from './checked.ts'
import { elementsOf } from './elements.ts'
import { type EntryContent, objectsIn, readMessage, readRecord, timeOf } from './entry.ts'
import { sessionsRoot } from './locate.ts'
import { callIds, messagePrint, printOf } from './print.ts'
import { recordTypes } from './records.ts'
import {
  type Asked,
  emptyState,
  type Header,
  knownVersion,
  type Setup,
  type SnapshotFacts,
  type State,
  stateFromJson,
  stateToJson
} from './schema.ts'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const nameLength = 200
const mostTools = 500
/** So many messages at the end of a request are looked at for what was written into it after it was sent. */
const mostAsked = 64

type Report = (kind: FaultKind, message: string, from?: number, length?: number) => void

const recordShape: EntryShape = {
  start: Buffer.from('{"type":"'),
  isLikely: (object) => recordTypes.has(asString(object['type']) ?? '') || asString(object['run_id']) !== null
}
const messageShape: EntryShape = {
  start: Buffer.from('{"role":"'),
  isLikely: (object) => asString(object['role']) !== null
}

/** A reader of a run, of a file of messages or of a snapshot, from its start or from where one stopped. */
export function codeliaReader(files: readonly SourceFile[], stopped: JsonObject | null): LineReader {
  let state: State = stopped === null ? emptyState : stateFromJson(stopped)

  function read(line: Line): LineReading {
    const entries: EntryRecord[] = []
    const faults: FaultDraft[] = []
    const report: Report = (kind, message, from = 0, length = line.length) => {
      faults.push({ kind, line: line.number, offset: line.offset + from, length, entry: null, message })
    }
    const source = files[line.file]
    const isDocument = source?.role === 'snapshot'
    if (line.bytes === null) {
      report(
        'line-too-long',
        'This line is too long to be read as one text (over 512 MB). Its bytes are exported all the same; what it holds cannot be shown.'
      )
      return { class: 'fault', entries, faults }
    }
    let start = 0
    let end = line.bytes.length
    if (end >= 3 && line.bytes.subarray(0, 3).equals(byteOrderMark)) {
      start = 3
      report('bom', 'A byte order mark stands in front of this line. codelia does not read such a line.', 0, 3)
    }
    while (start < end && isBlank(line.bytes[start] ?? 0)) start++
    while (end > start && isBlank(line.bytes[end - 1] ?? 0)) end--
    if (start === end) return { class: 'blank', entries, faults }

    const bytes = line.bytes.subarray(start, end)
    if (!isUtf8(bytes)) report('invalid-utf8', 'This line holds bytes that are not UTF-8; they are shown as U+FFFD.')
    const parsed = parseLine(bytes)
    if (parsed === undefined) {
      return isDocument ? damaged(line, report, faults) : recovered(line, bytes, start, entries, faults, report)
    }
    const object = asObject(parsed.value)
    if (object === null) {
      report('not-an-object', 'This line is valid JSON but no object, so it is no entry.')
      return { class: 'fault', entries, faults }
    }
    if (hasLoneSurrogate(bytes)) reportSurrogate(report)
    const range: ByteRange = [line.offset + start, end - start]
    if (isDocument) takeSnapshot(object, bytes, line, range, entries, report, source.path)
    else take(object, parsed.isCut, line, 1, range, [line.offset, line.length], entries, report)
    return { class: entries.length > 0 ? 'entry' : 'header', entries, faults }
  }

  function recovered(
    line: Line,
    bytes: Buffer,
    start: number,
    entries: EntryRecord[],
    faults: FaultDraft[],
    report: Report
  ): LineReading {
    const shape = files[line.file]?.role === 'messages' ? messageShape : recordShape
    const { objects, lost } = recoverObjects(bytes, shape)
    if (objects.length === 0) return damaged(line, report, faults)
    objects.forEach(({ value, isCut, ...found }, index) => {
      if (hasLoneSurrogate(bytes.subarray(found.start, found.end))) reportSurrogate(report)
      const range: ByteRange = [line.offset + start + found.start, found.end - found.start]
      take(value, isCut, line, index + 1, range, range, entries, report)
    })
    const count = objects.length === 1 ? 'one whole object was' : `${objects.length} whole objects were`
    const what = `Lines without a line feed between them, which codelia does not read: ${count} recovered`
    if (lost.length === 0) report('fused-lines', `${what}, nothing is lost.`)
    for (const [from, to] of lost) {
      report('fused-lines', `${what}, ${to - from} bytes are lost.`, start + from, to - from)
    }
    return { class: entries.length > 0 ? 'entry' : 'header', entries, faults }
  }

  function damaged(line: Line, report: Report, faults: FaultDraft[]): LineReading {
    const role = files[line.file]?.role
    const refused = role === 'log' ? 'codelia passes it over' : 'codelia does not load the session'
    if (line.end === 0) report('torn-tail', `The file ends in the middle of this line; ${refused}.`)
    else report('malformed-line', `This line is no valid JSON; ${refused}.`)
    return { class: 'fault', entries: [], faults }
  }

  function take(
    object: JsonObject,
    isCut: boolean,
    line: Line,
    part: number,
    bytes: ByteRange,
    whole: ByteRange,
    entries: EntryRecord[],
    report: Report
  ): void {
    const isRun = files[line.file]?.role === 'log'
    const isFirst = state.records === 0
    state = { ...state, records: state.records + 1 }
    if (isRun && object['type'] === 'header' && (isFirst || state.header === null)) {
      takeHeader(object, whole, report)
      return
    }
    const content = isRun ? readRecord(object, state.asked, isCut) : readMessage(object)
    entries.push(recordOf(isRun ? follow(object, content, report) : content, line, part, bytes))
    if (!isRun) return
    if (content.time === null && content.kind !== 'unknown') {
      report(
        'bad-timestamp',
        object['ts'] === undefined ? 'This record has no timestamp.' : "This record's timestamp is no RFC 3339 time."
      )
    }
  }

  function takeHeader(object: JsonObject, range: ByteRange, report: Report): void {
    const version = asNumber(object['schema_version'])
    if (version !== knownVersion) reportVersion(version, report)
    const startedAt = timeOf(object['started_at'])
    if (startedAt === null) report('bad-timestamp', "The header's time of start is missing or no RFC 3339 time.")
    const header: Header = {
      runId: shortened(object['run_id']),
      sessionId: shortened(object['session_id']),
      version,
      startedAt,
      range: [range[0], range[1]],
      setup: setupOf(object)
    }
    state = { ...state, header, runId: header.runId, sessionId: header.sessionId }
  }

  /** Remembers what a record means for those behind it, and looks at what was written into its request. */
  function follow(object: JsonObject, content: EntryContent, report: Report): EntryContent {
    const { facts } = content
    if (state.runId === null || state.sessionId === null) {
      state = {
        ...state,
        runId: state.runId ?? shortened(object['run_id']),
        sessionId: state.sessionId ?? shortened(object['session_id'])
      }
    }
    if (state.firstTime === null && content.time !== null) state = { ...state, firstTime: content.time }
    switch (facts.type) {
      case 'run.start':
        state = { ...state, workspace: shortened(asObject(object['ui_context'])?.['workspace_root']) }
        return content
      case 'run.status':
        state = { ...state, status: shortened(object['status']) }
        return content
      case 'run.end':
        state = { ...state, outcome: shortened(object['outcome']) ?? '' }
        return content
      case 'llm.request':
        state = { ...state, asked: askedOf(object, content) }
        return content
      case 'llm.response': {
        const asked = state.asked?.seq === (facts.seq ?? null) ? earlierLength(object, state.asked) : null
        state = { ...state, asked: state.asked && { ...state.asked, tail: [] } }
        if (asked === null) return content
        report(
          'request-response-mismatch',
          'The request of this answer was written after it was sent: it holds the answer. It is shown without it.'
        )
        return { ...content, facts: { ...facts, asked } }
      }
      default:
        return content
    }
  }

  function takeSnapshot(
    object: JsonObject,
    bytes: Buffer,
    line: Line,
    range: ByteRange,
    entries: EntryRecord[],
    report: Report,
    path: string
  ): void {
    const version = asNumber(object['schema_version'])
    if (version !== knownVersion) reportVersion(version, report)
    const places = elementsOf(bytes, 'messages')
    asList(object['messages']).forEach((stored, index) => {
      const message = asObject(stored)
      const [offset, length] = places[index] ?? [0, 0]
      if (message === null) {
        report('not-an-object', 'This message is no object, so it is none.', range[0] - line.offset + offset, length)
        return
      }
      entries.push(recordOf(readMessage(message), line, index + 1, [range[0] + offset, length]))
    })
    state = { ...state, records: 1, snapshot: snapshotFacts(object, version, path) }
  }

  return { read, state: () => stateToJson(state) }
}

const reportSurrogate = (report: Report): void =>
  report(
    'lone-surrogate',
    'Half of a surrogate pair stands alone in this line; it is shown as U+FFFD and kept as it is in every export.'
  )

const reportVersion = (version: number | null, report: Report): void =>
  report(
    'unknown-version',
    `The schema version ${version === null ? 'is missing' : `${version} is not known`}; the file is read as version ${knownVersion}, and no branch can be made of it.`
  )

const recordOf = ({ facts, ...content }: EntryContent, line: Line, part: number, bytes: ByteRange): EntryRecord => ({
  file: line.file,
  line: line.number,
  part,
  bytes: [bytes[0], bytes[1]],
  storedId: null,
  storedParent: undefined,
  ...content,
  facts: facts as JsonObject
})

/** A name as it is remembered: of a length that no hostile one makes large. */
function shortened(value: JsonObject[string] | undefined): string | null {
  const text = asString(value)
  return text === null ? null : cut(text, nameLength)
}

function setupOf(object: JsonObject): Setup {
  const model = asObject(object['model'])
  const runtime = asObject(object['runtime'])
  const system = asString(asObject(object['prompts'])?.['system'])
  const tools = objectsIn(asObject(object['tools'])?.['definitions'])
  const environment = asObject(object['meta'])?.['runtime_environment']
  return {
    model: joined([model?.['provider'], model?.['name']], '/'),
    reasoning: joined([model?.['reasoning'], model?.['fast'] === true ? 'fast' : null], ', '),
    cwd: shortened(runtime?.['cwd']),
    platform: joined([runtime?.['os'], runtime?.['arch'], runtime?.['version']], ' '),
    client: programOf(object['client']),
    server: programOf(object['server']),
    system: system === null ? null : { print: printOf(system), length: system.length },
    tools: tools.slice(0, mostTools).map((tool) => [shortened(tool['name']) ?? '', printOf(tool)]),
    environment: environment === undefined ? null : printOf(environment)
  }
}

function programOf(stored: JsonObject[string] | undefined): string | null {
  const program = asObject(stored)
  return joined([program?.['name'], program?.['version']], ' ')
}

function joined(parts: readonly (JsonObject[string] | undefined)[], between: string): string | null {
  const texts = parts.flatMap((part) => shortened(part) ?? [])
  return texts.length === 0 ? null : texts.join(between)
}

function askedOf(object: JsonObject, { facts, model }: EntryContent): Asked {
  const messages = objectsIn(asObject(object['input'])?.['messages'])
  const first = Math.max(0, messages.length - mostAsked)
  return {
    seq: facts.seq ?? null,
    provider: facts.provider ?? null,
    model,
    tail: messages.slice(first).map((message, index) => ({
      at: first + index,
      role: shortened(message['role']) ?? '',
      print: messagePrint(message),
      calls: callIds(message).map((id) => cut(id, nameLength))
    }))
  }
}

/**
 * How many messages a request had before its answer was written into it; null where it was not. Answers with calls are
 * found by these, others only at the very end of the request, as texts like "done." repeat (docs/formats/codelia.md,
 * "Late requests").
 */
function earlierLength(object: JsonObject, { tail }: Asked): number | null {
  const answer = objectsIn(asObject(object['output'])?.['messages'])
  const calls = answer.flatMap(callIds).map((id) => cut(id, nameLength))
  const prints = answer.map(messagePrint)
  if (calls.length > 0) {
    const found = tail.findIndex((message) => message.role === 'assistant' && sameList(message.calls, calls))
    if (found === -1) return null
    let first = found
    while (tail[first - 1]?.role === 'reasoning' && prints.includes(tail[first - 1]?.print ?? '')) first--
    return tail[first]?.at ?? null
  }
  if (prints.length === 0 || prints.length > tail.length) return null
  const end = tail.slice(-prints.length)
  return sameList(
    end.map(({ print }) => print),
    prints
  )
    ? (end[0]?.at ?? null)
    : null
}

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at])

function snapshotFacts(object: JsonObject, version: number | null, path: string): SnapshotFacts {
  const meta = asObject(object['meta'])
  const forkedFrom = shortened(meta?.['x.forked_from'])
  return {
    id: shortened(object['session_id']),
    version,
    updatedAt: timeOf(object['updated_at']),
    runId: shortened(object['run_id']),
    invokeSeq: asNumber(object['invoke_seq']),
    workspace: shortened(meta?.['codelia_workspace_root']),
    forkedFrom,
    forkedFromFile: forkedFrom === null ? null : messagesOf(path, forkedFrom)
  }
}

/** Only names that codelia gives are looked for: a session file leads nowhere else. */
function messagesOf(path: string, session: string): string | null {
  if (!isUuid(session)) return null
  const root = sessionsRoot(path)
  const places = [join(root, 'messages', `${session}.jsonl`), join(dirname(path), `${session}.json`)]
  return places.find((place) => existsSync(place)) ?? null
}
