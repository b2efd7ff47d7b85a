import { isUtf8 } from 'node:buffer'
import type { Line } from '#main/tail/line.ts'
import type { FaultKind } from '#shared/model/fault.ts'
import type { EntryRecord, FaultDraft, JsonObject, LineReading, SourceFile } from '#shared/model/records.ts'
import type { LineReader } from '../format.ts'
import { asList, asObject, asString } from '../json.ts'
import { hasLoneSurrogate } from '../lone-surrogate.ts'
import { parseLine } from '../parse-line.ts'
import { type EntryShape, type FoundObject, isBlank, recoverObjects } from '../recover-objects.ts'
import { blobDigest, hasBlob } from './blobs.ts'
import { readEntry, timeOf } from './entry.ts'
import { enclosingSession, resolveParent } from './lineage.ts'
import { emptyState, kindOfType, newestVersion, ompTypes, type State, stateFromJson, stateToJson } from './schema.ts'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const entryShape: EntryShape = {
  start: Buffer.from('{"type":"'),
  isLikely(object) {
    const type = asString(object['type'])
    return type !== null && (kindOfType.has(type) || type === 'session' || typeof object['timestamp'] === 'string')
  }
}
const blobMark = Buffer.from('"blob:sha256:')

/** A reader from the start of a session's file, or from where one stopped. */
export function ompReader(files: readonly SourceFile[], stopped: JsonObject | null): LineReader {
  const path = files[0]?.path ?? ''
  let state: State = stopped === null ? { ...emptyState, enclosing: enclosingSession(path) } : stateFromJson(stopped)
  // Counted for every line, so kept aside: the rest changes a few times in a file.
  let { entries: entryCount, values: valueCount } = state

  function read(line: Line): LineReading {
    const entries: EntryRecord[] = []
    const faults: FaultDraft[] = []
    const fault = (kind: FaultKind, message: string, from = 0, length = line.length): void => {
      faults.push({ kind, line: line.number, offset: line.offset + from, length, entry: null, message })
    }
    if (line.bytes === null) {
      fault(
        'line-too-long',
        'This line is too long to be read as one text (over 512 MB). Its bytes are exported all the same; what it holds cannot be shown.'
      )
      return { class: 'fault', entries, faults }
    }
    let start = 0
    let end = line.bytes.length
    if (end >= 3 && line.bytes.subarray(0, 3).equals(byteOrderMark)) {
      start = 3
      if (line.number === 1) state = { ...state, bom: true }
      fault('bom', 'A byte order mark stands in front of this line. omp reads such a file, pi refuses it.', 0, 3)
    }
    while (start < end && isBlank(line.bytes[start] ?? 0)) start++
    while (end > start && isBlank(line.bytes[end - 1] ?? 0)) end--
    if (start === end) return { class: 'blank', entries, faults }

    const bytes = line.bytes.subarray(start, end)
    if (!isUtf8(bytes)) fault('invalid-utf8', 'This line holds bytes that are not UTF-8; they are shown as U+FFFD.')
    const parsed = parseLine(bytes)
    if (parsed === undefined) return recovered(line, bytes, start, entries, faults, fault)
    const object = asObject(parsed.value)
    if (object === null) {
      // The agents pass over null, false, 0 and "" like a line that does not parse. Any other value counts as parsed,
      // and it ends the search for a header.
      if (parsed.value) {
        if (state.phase === 'first' || state.phase === 'search') endSearch(line)
        valueCount++
      }
      fault('not-an-object', 'This line is valid JSON but no object, so it is no entry.')
      return { class: 'fault', entries, faults }
    }
    checkText(bytes, object, fault)
    const found = { value: object, isCut: parsed.isCut }
    const role = take(found, line, 1, [line.offset + start, end - start], [line.offset, line.length], entries, fault)
    return { class: role, entries, faults }
  }

  function recovered(
    line: Line,
    bytes: Buffer,
    start: number,
    entries: EntryRecord[],
    faults: FaultDraft[],
    fault: (kind: FaultKind, message: string, from?: number, length?: number) => void
  ): LineReading {
    const { objects, lost } = recoverObjects(bytes, entryShape)
    if (objects.length === 0) {
      if (line.end === 0) fault('torn-tail', 'The file ends in the middle of this entry; the agents pass it over.')
      else fault('malformed-line', 'This line is no valid JSON and was passed over.')
      return { class: 'fault', entries, faults }
    }
    let isHeader = true
    objects.forEach((found, index) => {
      const range = [line.offset + start + found.start, found.end - found.start] as const
      checkText(bytes.subarray(found.start, found.end), found.value, fault)
      if (take(found, line, index + 1, range, range, entries, fault) === 'entry') isHeader = false
    })
    const count = objects.length === 1 ? 'one whole object was' : `${objects.length} whole objects were`
    if (lost.length === 0)
      fault('fused-lines', `Lines without a line feed between them: ${count} recovered, nothing is lost.`)
    for (const [from, to] of lost) {
      fault(
        'fused-lines',
        `Lines without a line feed between them: ${count} recovered, ${to - from} bytes are lost.`,
        start + from,
        to - from
      )
    }
    const glued = entries.map((entry) => ({ ...entry, facts: { ...entry.facts, glued: true } }))
    return { class: isHeader ? 'header' : 'entry', entries: glued, faults }
  }

  /** One object of a line: title slot, header or entry. */
  function take(
    { value: object, isCut }: Pick<FoundObject, 'value' | 'isCut'>,
    line: Line,
    part: number,
    bytes: readonly [number, number],
    whole: readonly [number, number],
    entries: EntryRecord[],
    fault: (kind: FaultKind, message: string) => void
  ): 'header' | 'entry' {
    const type = object['type']
    if (state.phase === 'first' && type === 'title') {
      const slot = { title: asString(object['title']) ?? '', source: asString(object['source']) }
      state = { ...state, phase: 'search', slot, preamble: [...state.preamble, [whole[0], whole[1]]] }
      return 'header'
    }
    const value = valueCount++
    if (type === 'session') {
      const id = asString(object['id'])
      if ((state.phase === 'first' || state.phase === 'search') && id !== null) takeHeader(object, id, whole, fault)
      else if (state.phase === 'first' || state.phase === 'search') endSearch(line)
      return 'header'
    }
    if (state.phase === 'first' || state.phase === 'search') endSearch(line)

    const { facts, ...content } = readEntry(object, state.header?.version ?? newestVersion, isCut)
    if (content.kind === 'unknown') {
      const name = typeof type === 'string' ? `the type "${type.slice(0, 60)}"` : 'no type'
      fault('unknown-type', `This entry has ${name}, which is not known here. It is kept and shown as it is.`)
    }
    if (content.time === null) {
      fault(
        'bad-timestamp',
        object['timestamp'] === undefined
          ? 'This entry has no timestamp.'
          : "This entry's timestamp is no ISO 8601 time."
      )
    }
    const isOmp = typeof type === 'string' && (ompTypes.has(type) || facts.role !== undefined)
    entryCount++
    if (isOmp && !state.omp) state = { ...state, omp: true }
    entries.push({
      file: line.file,
      line: line.number,
      part,
      bytes: [bytes[0], bytes[1]],
      ...content,
      facts: (value === entryCount || !countsValues(state) ? facts : { ...facts, value }) as JsonObject
    })
    return 'entry'
  }

  function takeHeader(
    object: JsonObject,
    id: string,
    whole: readonly [number, number],
    fault: (kind: FaultKind, message: string) => void
  ): void {
    const stored = object['version']
    const version = stored === undefined ? 1 : typeof stored === 'number' ? stored : Number.NaN
    const known = version === 1 || version === 2 || version === 3
    if (!known) {
      const name = typeof stored === 'number' ? String(stored) : 'that is no number'
      fault('unknown-version', `The header has a version ${name}; 1 to 3 are known. The file is read as version 3.`)
    }
    const time = timeOf(object['timestamp'])
    if (time === null) fault('bad-timestamp', "The header's timestamp is missing or no ISO 8601 time.")
    const parent = asString(object['parentSession']) ?? asString(object['branchedFrom'])
    state = {
      ...state,
      phase: 'open',
      preamble: [...state.preamble, [whole[0], whole[1]]],
      header: {
        id,
        version: known ? version : newestVersion,
        time,
        cwd: asString(object['cwd']),
        title: asString(object['title']),
        parent,
        cacheKey: asString(object['providerPromptCacheKey'])
      },
      lineage: parent === null ? null : resolveParent(path, parent)
    }
  }

  function endSearch(line: Line): void {
    state = { ...state, phase: 'none', ended: { line: line.number, offset: line.offset } }
  }

  function checkText(bytes: Buffer, object: JsonObject, fault: (kind: FaultKind, message: string) => void): void {
    if (hasLoneSurrogate(bytes)) {
      fault(
        'lone-surrogate',
        'Half of a surrogate pair stands alone in this line; it is shown as U+FFFD and kept as it is in every export.'
      )
    }
    if (!bytes.includes(blobMark)) return
    for (const block of asList(asObject(object['message'])?.['content'] ?? object['content'])) {
      const digest = blobDigest(asString(asObject(block)?.['data']) ?? '')
      if (digest !== undefined && !hasBlob(path, digest)) {
        fault('missing-blob', `The image ${digest.slice(0, 12)}… is not in the folder of blobs.`)
      }
    }
  }

  return { read, state: () => stateToJson({ ...state, entries: entryCount, values: valueCount }) }
}

/** Only the first version counts parsed values, and a file without a header may be of it. */
function countsValues(state: State): boolean {
  return state.header === null || state.header.version === 1
}
