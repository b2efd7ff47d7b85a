import { readFileSync } from 'node:fs'
import type { Bytes } from '#main/platform/bytes.ts'
import { type Position, splitLines, wholeDocument } from '#main/tail/split-lines.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type { EntryRecord, JsonObject, LineReading, ReadFile, SourceFile } from '#shared/model/records.ts'
import type { Content, Format, LineReader, Piece, SessionSet, SessionView } from './format.ts'
import { asObject } from './json.ts'
import { putTogether } from './put-together.ts'

/** A line with what was read of it. */
export interface ReadLine extends LineReading {
  readonly file: number
  readonly number: number
  readonly offset: number
  readonly length: number
  readonly end: 0 | 1 | 2
}

export interface ReadSession extends SessionView {
  readonly lines: readonly ReadLine[]
}

/** A session read from the bytes of its files in memory, without an index. */
export async function readSession(format: Format, set: SessionSet, bytes: readonly Buffer[]): Promise<ReadSession> {
  const lines: ReadLine[] = []
  const states: JsonObject[] = []
  for (const file of set.files.keys()) {
    const reader = format.reader(set.files, null)
    for await (const line of readFrom(format, set, bytes, reader, file)) lines.push(line)
    states.push(reader.state())
  }
  return viewOf(format, set, bytes, lines, states)
}

/** A file's lines from a position on, the unterminated rest too, each given to the reader as it comes. */
export async function* readFrom(
  format: Format,
  set: SessionSet,
  bytes: readonly Buffer[],
  reader: LineReader,
  file: number,
  from: Position = { offset: 0, line: 0 }
): AsyncGenerator<ReadLine> {
  const stream = streamOf(format, set, bytes, file)
  const { length: size } = await stream.state()
  const isDocument = set.files[file]?.framing === 'document'
  for await (const group of isDocument ? wholeDocument(stream, size, file) : splitLines(stream, from, size, file)) {
    for (const line of group.lines) {
      const { number, offset, length, end } = line
      yield { ...reader.read(line), file, number, offset, length, end }
    }
  }
}

/** What was read, put together as the index would give it: in file order. */
export function viewOf(
  format: Format,
  set: SessionSet,
  bytes: readonly Buffer[],
  lines: readonly ReadLine[],
  states: readonly JsonObject[]
): ReadSession {
  const readFile = (source: SourceFile, file: number): ReadFile => ({
    ...source,
    size: bytes[file]?.length ?? 0,
    length: lines.reduce((sum, line) => (line.file === file ? sum + line.length : sum), 0),
    modified: 0,
    state: states[file] ?? {}
  })
  const [main, ...others] = set.files
  const files = [readFile(main, 0), ...others.map((source, index) => readFile(source, index + 1))] as const
  const beside = set.beside === undefined ? {} : { beside: set.beside }
  const records = { files, agent: set.agent, ...beside, entries: entriesOf(lines) }
  const open = (file: number) => Promise.resolve(streamOf(format, set, bytes, file))
  const together = putTogether(format, records)
  return { ...together, content: contentOf(format, set, bytes, together.records.entries), open, lines }
}

function entriesOf(lines: readonly ReadLine[]): EntryRecord[] {
  const entries: EntryRecord[] = []
  for (const { grown, entries: begun } of lines) {
    if (grown !== undefined) entries[entries.length - 1] = grown
    entries.push(...begun)
  }
  return entries
}

/** A session file that the person named, as the agent that they named. */
export function readPath(format: Format, path: string, agent: AgentId | null = null): Promise<ReadSession> {
  const set = format.force(path, agent)
  return readSession(
    format,
    set,
    set.files.map((file) => readFileSync(file.path))
  )
}

/** A session of one file that was never on disk. */
export function readText(
  format: Format,
  text: string | Buffer,
  agent: AgentId | null = null,
  path = '/sessions/made.jsonl'
): Promise<ReadSession> {
  return readSession(format, format.force(path, agent), [Buffer.from(text)])
}

/** All bytes of a branch, its copies taken from the source. */
export function branchBytes(pieces: readonly Piece[], bytes: readonly Buffer[]): Buffer {
  return Buffer.concat(
    pieces.map((piece) => {
      if (piece.kind === 'text') return Buffer.from(piece.text)
      const [offset, length] = piece.range
      return (bytes[piece.file] ?? Buffer.alloc(0)).subarray(offset, offset + length)
    })
  )
}

export function streamOf(format: Format, set: SessionSet, bytes: readonly Buffer[], file: number): Bytes {
  const source = set.files[file]
  const raw = inMemory(source?.path ?? '', bytes[file] ?? Buffer.alloc(0))
  return source === undefined ? raw : (format.decode?.(source, raw) ?? raw)
}

function inMemory(path: string, bytes: Buffer): Bytes {
  const { length } = bytes
  return {
    path,
    state: () => Promise.resolve({ inode: 0, size: length, length, modified: 0, changed: 0 }),
    read: (into, position) => Promise.resolve(bytes.copy(into, 0, position)),
    [Symbol.asyncDispose]: () => Promise.resolve()
  }
}

/** Objects straight from the bytes that the records name. */
function contentOf(
  format: Format,
  set: SessionSet,
  bytes: readonly Buffer[],
  entries: readonly EntryRecord[]
): Content {
  const streams = set.files.map((_, file) => streamOf(format, set, bytes, file))
  return {
    async *objects(at) {
      for (const index of at) yield await objectAt(format, streams, entries[index])
    }
  }
}

async function objectAt(
  format: Format,
  streams: readonly Bytes[],
  entry: EntryRecord | undefined
): Promise<JsonObject | null> {
  if (entry === undefined) return null
  if (entry.synthetic !== undefined) return entry.synthetic
  const [offset, length] = entry.bytes
  const bytes = Buffer.alloc(length)
  await streams[entry.file]?.read(bytes, offset)
  const parse = format.parser?.(entry)
  if (parse) return parse(bytes)
  try {
    return asObject(JSON.parse(bytes.toString()))
  } catch {
    return null
  }
}
