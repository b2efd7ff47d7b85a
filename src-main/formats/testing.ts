import { readFileSync } from 'node:fs'
import type { Line } from '#main/tail/line.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type { EntryRecord, JsonObject, LineReading, ReadFile, SessionRecords } from '#shared/model/records.ts'
import type { Content, Format, SessionSet, SessionView } from './format.ts'
import { asObject } from './json.ts'

/** A file's bytes as lines, the unterminated rest too. For tests, which have a file's bytes at hand. */
export function linesOf(bytes: Buffer, file = 0): readonly Line[] {
  const lines: Line[] = []
  for (let offset = 0, number = 1; offset < bytes.length; number++) {
    const feed = bytes.indexOf(0x0a, offset)
    const to = feed === -1 ? bytes.length : feed + 1
    const end = feed === -1 ? 0 : feed > offset && bytes[feed - 1] === 0x0d ? 2 : 1
    lines.push({ file, number, offset, length: to - offset, end, bytes: bytes.subarray(offset, to - end), frame: null })
    offset = to
  }
  return lines
}

export interface ReadSession extends SessionView {
  readonly lines: readonly Line[]
  readonly readings: readonly LineReading[]
}

/** A session read from bytes in memory, without an index. */
export function readSession(
  format: Format,
  set: SessionSet,
  bytes: readonly Buffer[],
  more: { readonly modified?: number; readonly lines?: (bytes: Buffer, file: number) => readonly Line[] } = {}
): ReadSession {
  const reader = format.reader(set.files, null)
  const lines = bytes.flatMap((own, file) => (more.lines ?? linesOf)(own, file))
  const readings = lines.map((line) => reader.read(line))
  const state = reader.state()
  const files = set.files.map((source, file): ReadFile => ({
    ...source,
    size: bytes[file]?.length ?? 0,
    modified: more.modified ?? 0,
    state
  }))
  const [main, ...others] = files
  if (main === undefined) throw new Error('a session has a file')
  const entries = readings.flatMap((reading) => reading.entries)
  const records: SessionRecords = { files: [main, ...others], agent: set.agent, entries }
  return { records, tree: format.assemble(records), content: contentOf(bytes, entries), lines, readings }
}

/** A session read from the files of its set. */
export function readFiles(format: Format, set: SessionSet): ReadSession {
  return readSession(
    format,
    set,
    set.files.map((file) => readFileSync(file.path))
  )
}

/** A session file that the person named. */
export function readPath(format: Format, path: string, agent: AgentId | null = null): ReadSession {
  return readFiles(format, format.force(path, agent))
}

/** Objects straight from the bytes that the records name. */
export function contentOf(bytes: readonly Buffer[], entries: readonly EntryRecord[]): Content {
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

/** All bytes of a branch, its copies taken from the source. */
export function writtenBytes(
  plan: { readonly pieces: readonly import('./format.ts').Piece[] },
  bytes: readonly Buffer[]
): Buffer {
  return Buffer.concat(
    plan.pieces.map((piece) =>
      piece.kind === 'text'
        ? Buffer.from(piece.text)
        : (bytes[piece.file] ?? Buffer.alloc(0)).subarray(piece.range[0], piece.range[0] + piece.range[1])
    )
  )
}
