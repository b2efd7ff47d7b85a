import type { SessionView } from '#main/formats/format.ts'
import { type BytePiece, ByteWindow, readPieces } from '#main/platform/byte-pieces.ts'
import type { ByteRange } from '#shared/model/entry.ts'
import type { EntryRecord } from '#shared/model/records.ts'

/** What an export consists of: ranges of one file's lines, and the line feeds added to them. */
export interface ExportPlan {
  readonly file: string
  readonly ranges: readonly ByteRange[]
  readonly bytes: number
  readonly entries: number
  readonly addedLineFeeds: number
  chunks(signal?: AbortSignal): AsyncIterable<Buffer>
}

/** The whole main file, byte for byte; of a file of frames, all its lines. */
export function planWholeFile(view: SessionView): ExportPlan {
  const { files, entries } = view.records
  const { length } = files[0]
  return planOf(view, 0, length === 0 ? [] : [[0, length]], entries.filter(isIn(0)).length, new Set())
}

/**
 * The lines in front of the entries, then the objects of a path in file order, each with its own line end: those of the
 * file in which the path ends, as no other file's lines belong in it. Where the source has none (glued objects, an unterminated last line) a line feed is added.
 */
export async function planPath(view: SessionView, path: readonly number[], signal?: AbortSignal): Promise<ExportPlan> {
  const { records, tree } = view
  const file = records.entries[path.at(-1) ?? -1]?.file ?? 0
  const objects = path.flatMap((at) => records.entries[at] ?? []).filter(isIn(file))
  const preamble = file === 0 ? tree.preamble : (tree.preambleOf?.(file) ?? [])
  const ranges: ByteRange[] = []
  const withoutEnd = new Set<number>()
  await using source = await view.open(file)
  const window = new ByteWindow(source)

  const add = (start: number, end: number, terminated: boolean) => {
    const last = ranges.at(-1)
    if (last !== undefined && last[0] + last[1] === start && !withoutEnd.has(ranges.length - 1)) last[1] = end - last[0]
    else ranges.push([start, end - start])
    if (!terminated) withoutEnd.add(ranges.length - 1)
  }

  for (const [offset, length] of preamble) {
    const end = offset + length
    add(offset, end, length > 0 && (await window.read(end - 1, 1))[0] === lineFeed)
  }
  let copied = 0
  for (const { bytes } of objects.toSorted((one, other) => one.bytes[0] - other.bytes[0])) {
    signal?.throwIfAborted()
    const end = bytes[0] + bytes[1]
    // Several entries may lie in the same bytes.
    if (end <= copied) continue
    copied = end
    const lineEnd = lineEndLength(await window.read(end, longestLineEnd))
    add(bytes[0], end + lineEnd, lineEnd > 0)
  }
  return planOf(view, file, ranges, objects.length + besideEnd(records.entries, path.at(-1) ?? -1), withoutEnd)
}

/** How many entries follow one in the very bytes that it lies in, and come with it. */
function besideEnd(entries: readonly EntryRecord[], end: number): number {
  const last = entries[end]
  if (last === undefined) return 0
  const next = entries.findIndex((entry, at) => at > end && !liesIn(entry, last))
  return (next < 0 ? entries.length : next) - end - 1
}

function liesIn(entry: EntryRecord, { file, bytes }: EntryRecord): boolean {
  if (entry.synthetic !== undefined || entry.file !== file) return false
  return entry.bytes[0] === bytes[0] && entry.bytes[1] === bytes[1]
}

const lineFeed = 0x0a
const longestLineEnd = 64

/** Bytes up to and with the line feed, where nothing but white space stands before it; else 0. */
function lineEndLength(behind: Buffer): number {
  const end = behind.indexOf(lineFeed)
  return end >= 0 && /^[ \t\r]*$/.test(behind.toString('latin1', 0, end)) ? end + 1 : 0
}

const isIn =
  (file: number) =>
  (entry: EntryRecord): boolean =>
    entry.file === file && entry.synthetic === undefined

function planOf(
  { records, open }: SessionView,
  file: number,
  ranges: readonly ByteRange[],
  entries: number,
  withoutEnd: ReadonlySet<number>
): ExportPlan {
  const pieces = ranges.flatMap((range, index): BytePiece[] => {
    const copy: BytePiece = { kind: 'copy', file, range }
    return withoutEnd.has(index) ? [copy, { kind: 'text', text: '\n' }] : [copy]
  })
  const copied = ranges.reduce((sum, [, length]) => sum + length, 0)
  return {
    file: (records.files[file] ?? records.files[0]).path,
    ranges,
    bytes: copied + withoutEnd.size,
    entries,
    addedLineFeeds: withoutEnd.size,
    chunks: (signal) => readPieces(pieces, open, signal)
  }
}
