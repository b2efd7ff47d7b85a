import { isUtf8 } from 'node:buffer'
import { basename } from 'node:path'
import type { Line } from '#main/tail/line.ts'
import type { FaultKind } from '#shared/model/fault.ts'
import type { EntryRecord, FaultDraft, JsonObject, LineReading, SourceFile } from '#shared/model/records.ts'
import type { LineReader } from '../format.ts'
import { oneLine } from '../cut.ts'
import { asObject, asString } from '../json.ts'
import { hasLoneSurrogate } from '../lone-surrogate.ts'
import { parseLine } from '../parse-line.ts'
import { integer, readEvent, stateBehind } from './event.ts'
import { headerFaults, headerOf } from './header.ts'
import { isPackedType, packedRow } from './packed-row.ts'
import { placeFaults } from './place-faults.ts'
import {
  type Break,
  embeddedStreams,
  emptyState,
  newestVersion,
  type State,
  stateFromJson,
  stateToJson
} from './schema.ts'
import { versionOfName } from './locate.ts'
import { sessionBeside } from './session-folder.ts'

const envelope: ReadonlySet<string> = new Set([
  'type',
  'seq',
  'time',
  'data',
  'surfaceOp',
  'sourceEventSeqs',
  'ignorable'
])
const turnEnd = Buffer.from('"turn/end"')

type Report = (kind: FaultKind, message: string) => void

/** A reader from the start of a session's log, or from where one stopped. */
export function dshReader(files: readonly SourceFile[], stopped: JsonObject | null): LineReader {
  const [file] = files
  const isFramed = file?.framing === 'frames'
  const named = versionOfName(basename(file?.path ?? ''))
  const path = file?.path ?? ''
  let state: State = stopped === null ? emptyState : stateFromJson(stopped)

  function read(line: Line): LineReading {
    const faults: FaultDraft[] = []
    const report: Report = (kind, message) => {
      faults.push({ kind, line: line.number, offset: line.offset, length: line.length, entry: null, message })
    }
    const fault = (): LineReading => ({ class: 'fault', entries: [], faults })
    if (line.end === 0) {
      readRest(line, report)
      return fault()
    }
    if (state.break !== null) {
      const { isCorrupt, behind } = state.break
      const isRefused = isCorrupt || line.bytes?.includes(turnEnd) === true
      state = { ...state, break: { ...state.break, isCorrupt: isRefused, behind: behind + 1 } }
      return fault()
    }
    const row = parsedRow(line, report)
    if (!state.isBegun) {
      state = { ...state, isBegun: true }
      const header = row === null ? null : headerOf(row.value)
      if (row !== null && header !== null) {
        const place = named === null ? [] : placeFaults(path, header)
        for (const [kind, message] of [...headerFaults(row.value, header, named), ...place]) report(kind, message)
        const parentFile = header.parent === null ? null : sessionBeside(path, header.parent)
        state = { ...state, header, parentFile, preamble: [[line.offset, line.length]] }
        return { class: 'header', entries: [], faults }
      }
      report('missing-header', 'The first line is no session header. dsh does not read such a file.')
    }
    const entries = row === null ? null : entriesOf(line, row, report)
    if (entries !== null) return { class: 'entry', entries, faults }
    const why = faults.pop()
    if (why !== undefined)
      faults.push({ ...why, message: `${why.message} The log breaks here: what follows is not read.` })
    state = { ...state, break: breakAt(line, why?.message ?? '') }
    return fault()
  }

  /** In frames nothing may be dropped that dsh once wrote whole. */
  function breakAt(line: Line, why: string): Break {
    return { line: line.number, why, isCorrupt: isFramed || line.bytes?.includes(turnEnd) === true, behind: 0 }
  }

  function readRest({ number, length, corrupt, frame }: Line, report: Report): void {
    if (corrupt === undefined) {
      report(
        'torn-tail',
        isFramed && length === 0 ? 'The last frame is not complete.' : 'The last row is not complete; dsh drops it.'
      )
      return
    }
    const left =
      frame === null ? '' : ` Of the file ${countOf(frame[0])} were read, ${countOf(frame[1])} from there on were not.`
    report('unreadable', `What follows cannot be decoded: ${corrupt}.${left}`)
    const at = state.break ?? { line: number, why: corrupt, behind: 0 }
    state = { ...state, break: { ...at, isCorrupt: true } }
  }

  /** The events of a row; null where it breaks the log. */
  function entriesOf(line: Line, { value, isCut }: Row, report: Report): readonly EntryRecord[] | null {
    const version = state.header?.version ?? named ?? 0
    const isPacked = version < embeddedStreams && isPackedType(value['type']) && value['seq'] === undefined
    const packed = isPacked ? packedRow(value) : null
    if (typeof packed === 'string') {
      report('malformed-line', `This is no packed row: ${packed}.`)
      return null
    }
    const seq = packed === null ? integer(value['seq']) : packed.seq
    if ((asString(value['type']) ?? '') === '' || seq === null || seq < 0) {
      report('malformed-line', 'This row has no type or no number, so it is no event.')
      return null
    }
    if (seq !== state.next) {
      report(seq > state.next ? 'seq-gap' : 'seq-conflict', `Event ${seq} stands where ${state.next} should.`)
      return null
    }
    if (packed === null) return [take(line, value, 1, isCut, report)]
    return Array.from({ length: packed.members }, (_, member) =>
      take(line, packed.event(member), member + 1, isCut, report)
    )
  }

  function take(line: Line, event: JsonObject, part: number, isCut: boolean, report: Report): EntryRecord {
    const content = readEvent(event, state, isCut)
    const { facts, ...said } = content
    const { surface } = facts
    // What a newer version allows is not known.
    const isKnown = (state.header?.version ?? 0) <= newestVersion
    if (surface?.kind === 'invalid' && isKnown) report('bad-surface-op', `Event ${state.next}: ${surface.why}.`)
    if (said.kind === 'unknown') {
      const reads = facts.ignorable === true ? 'is marked as one to pass over' : 'makes dsh refuse the session'
      report('unknown-type', `No dsh that we know writes ${oneLine(facts.type, 60)}; the event ${reads}.`)
    }
    if (integer(event['time']) === null) report('bad-timestamp', `Event ${state.next} has no time in milliseconds.`)
    const others = Object.keys(event).filter((name) => !envelope.has(name))
    if (others.length > 0) {
      report(
        'unknown-type',
        `Event ${state.next} has members that dsh does not know: ${oneLine(others.join(', '), 100)}.`
      )
    }
    const record: EntryRecord = {
      file: line.file,
      line: line.number,
      part,
      bytes: [line.offset, line.length - line.end],
      storedId: `${state.next}`,
      storedParent: undefined,
      ...said,
      facts: facts as unknown as JsonObject
    }
    state = stateBehind(state, content)
    return record
  }

  return { read, state: () => stateToJson(state) }
}

const countOf = (bytes: number): string => `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

interface Row {
  readonly value: JsonObject
  readonly isCut: boolean
}

function parsedRow(line: Line, report: Report): Row | null {
  if (line.bytes === null) {
    report('line-too-long', 'This row is too long to be read as one text (over 512 MB).')
    return null
  }
  const hasMark = line.number === 1 && line.bytes.subarray(0, 3).equals(byteOrderMark)
  if (hasMark) report('bom', 'A byte order mark stands in front of the header. dsh does not read such a file.')
  const bytes = hasMark ? line.bytes.subarray(3) : line.bytes
  if (!isUtf8(bytes)) report('invalid-utf8', 'This row holds bytes that are not UTF-8; they are shown as U+FFFD.')
  const parsed = parseLine(bytes)
  if (parsed === undefined) {
    report(
      'malformed-line',
      bytes.length === 0 ? 'A blank row, which dsh takes for damage.' : 'This row is no valid JSON.'
    )
    return null
  }
  const value = asObject(parsed.value)
  if (value === null) {
    report('not-an-object', 'This row is valid JSON but no object, so it is no event.')
    return null
  }
  if (hasLoneSurrogate(bytes)) {
    report('lone-surrogate', 'This row holds half of a surrogate pair; it is shown as U+FFFD.')
  }
  return { value, isCut: parsed.isCut }
}
