import { readFileSync } from 'node:fs'
import type { Bytes } from '#main/tail/bytes.ts'
import { splitLines } from '#main/tail/split-lines.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type {
  EntryRecord,
  JsonObject,
  LineReading,
  ReadFile,
  SessionRecords,
  SourceFile
} from '#shared/model/records.ts'
import type { Content, Format, Line, LineReader, Piece, SessionSet, SessionView } from './format.ts'
import { asObject } from './json.ts'

/** How the lines of a file are found; by line feeds unless a format frames them. */
export type Split = (bytes: Buffer, file: number) => AsyncIterable<Line>

export interface ReadLine extends LineReading {
  readonly offset: number
  readonly length: number
  readonly file: number
}

export interface ReadSession extends SessionView {
  readonly lines: readonly ReadLine[]
}

/** A session read from bytes in memory, without an index. */
export async function readSession(
  format: Format,
  set: SessionSet,
  bytes: readonly Buffer[],
  split: Split = byLineFeeds
): Promise<ReadSession> {
  const reader = format.reader(set.files, null)
  const lines: ReadLine[] = []
  for (const [file, own] of bytes.entries()) lines.push(...(await readLines(reader, split(own, file))))
  return viewOf(format, set, bytes, lines, reader.state())
}

export async function readLines(reader: LineReader, lines: AsyncIterable<Line>): Promise<readonly ReadLine[]> {
  const readings: ReadLine[] = []
  for await (const line of lines) {
    readings.push({ ...reader.read(line), offset: line.offset, length: line.length, file: line.file })
  }
  return readings
}

export function viewOf(
  format: Format,
  set: SessionSet,
  bytes: readonly Buffer[],
  lines: readonly ReadLine[],
  state: JsonObject
): ReadSession {
  const readFile = (source: SourceFile, file: number): ReadFile => ({
    ...source,
    size: bytes[file]?.length ?? 0,
    modified: 0,
    state
  })
  const [main, ...others] = set.files
  const files = [readFile(main, 0), ...others.map((source, index) => readFile(source, index + 1))] as const
  const entries = lines.flatMap((line) => line.entries)
  const records: SessionRecords = { files, agent: set.agent, entries }
  return { records, tree: format.assemble(records), content: contentOf(bytes, entries), lines }
}

/** A session file that the person named, as the agent that they named. */
export async function readPath(format: Format, path: string, agent: AgentId | null = null): Promise<ReadSession> {
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

export function byLineFeeds(bytes: Buffer, file: number): AsyncIterable<Line> {
  return linesIn(bytes, file)
}

async function* linesIn(bytes: Buffer, file: number): AsyncGenerator<Line> {
  for await (const { lines } of splitLines(inMemory(bytes), { offset: 0, line: 0 }, bytes.length, file)) yield* lines
}

function inMemory(bytes: Buffer): Bytes {
  return {
    state: () => Promise.resolve({ inode: 0, size: bytes.length, modified: 0, changed: 0 }),
    read: (into, position) => Promise.resolve(bytes.copy(into, 0, position)),
    [Symbol.asyncDispose]: () => Promise.resolve()
  }
}

/** Objects straight from the bytes that the records name. */
function contentOf(bytes: readonly Buffer[], entries: readonly EntryRecord[]): Content {
  return {
    async *objects(at) {
      for (const index of at) yield objectAt(bytes, entries[index])
    }
  }
}

function objectAt(bytes: readonly Buffer[], entry: EntryRecord | undefined): JsonObject | null {
  if (entry === undefined) return null
  const [offset, length] = entry.bytes
  try {
    return asObject(JSON.parse(bytes[entry.file]?.subarray(offset, offset + length).toString() ?? ''))
  } catch {
    return null
  }
}
