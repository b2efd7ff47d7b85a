import { createHash } from 'node:crypto'
import { type Bytes, type FileState, openBytes, type StreamState } from '#main/platform/bytes.ts'
import type { Framing } from '#shared/model/records.ts'
import type { Line } from './line.ts'
import { type Position, splitLines, wholeDocument } from './split-lines.ts'

/** How far a file was read, and how to tell whether what was read still stands. */
export interface Checkpoint extends StreamState, Position {
  /** Hash of the first and the last bytes before `offset`. */
  readonly print: string
  /**
   * False where the file had been modified so shortly before it was read that another change might bear the same time:
   * then an equal time proves nothing. Also where it was read in part.
   */
  readonly settled: boolean
}

/** Complete lines in order, with the checkpoint behind them; an unterminated rest is the last line, before no checkpoint. */
export interface Batch {
  /** True on the first batch where nothing that was read before stands any more. */
  readonly restarted: boolean
  readonly lines: readonly Line[]
  readonly checkpoint: Checkpoint
}

const printed = 4096
const settleMs = 100

/** Whether a file is as it was read, by one look at its state. */
export function isUnchanged(now: FileState, then: Checkpoint): boolean {
  return (
    then.settled &&
    now.inode === then.inode &&
    now.size === then.size &&
    now.modified === then.modified &&
    now.changed === then.changed
  )
}

/** A file's place in its session. */
export interface TailedFile {
  readonly file: number
  readonly framing: Framing
}

/**
 * What a file has more than at the checkpoint, or all of it where it was replaced, truncated or rewritten in place;
 * nothing at all where it is unchanged. Reads as far as the file goes when it is looked at. A frame that the file's end
 * cuts is an unterminated rest. Rejects with the system's error.
 */
export async function* tail(
  bytes: Bytes,
  { file, framing }: TailedFile,
  from: Checkpoint | null,
  signal?: AbortSignal
): AsyncGenerator<Batch, void, undefined> {
  if (from !== null && isUnchanged(await bytes.state(), from)) return
  const stands = from !== null && (await stillStands(bytes, from))
  // Looked at again, as an append may show its new time before its new size.
  const state = await bytes.state()
  const isOldSize = from !== null && state.size === from.size && state.length === from.length
  if (stands && isOldSize && state.modified === from.modified) return

  const goesOn = stands && !isOldSize && state.length >= from.offset && !wasTorn(bytes, from)
  const start: Position = goesOn ? from : { offset: 0, line: 0 }
  const settled = Date.now() - state.modified > settleMs
  const checkpointAt = async ({ offset, line }: Position, isWhole: boolean): Promise<Checkpoint> => {
    // The size is what was read so far, so that a file that was read in part never looks unchanged.
    const { size, length } = isWhole ? state : { size: sizeUpTo(bytes, offset), length: offset }
    return { ...state, size, length, offset, line, print: await printOf(bytes, offset), settled: settled && isWhole }
  }
  const groups =
    framing === 'document'
      ? wholeDocument(bytes, state.length, file)
      : splitLines(bytes, start, state.length, file, signal)
  let restarted = !goesOn
  let end = start
  let hasRest = false
  let delivered = false
  for await (const { lines, position } of groups) {
    end = position
    hasRest = lines.at(-1)?.end === 0
    const isWhole = hasRest || end.offset === state.length
    const placed = lines.map((line) => withFrame(bytes, line, state.size))
    yield { restarted, lines: placed, checkpoint: await checkpointAt(end, isWhole) }
    restarted = false
    delivered = true
  }
  const undecoded = hasRest ? null : undecodedRest(bytes, { file, ...end }, state)
  if (undecoded !== null || !delivered) {
    yield { restarted, lines: undecoded === null ? [] : [undecoded], checkpoint: await checkpointAt(end, true) }
  }
}

/** Where a line lies in a file of frames; what a line goes on with that has no end yet may lie in a frame that has none. */
function withFrame(bytes: Bytes, line: Line, size: number): Line {
  if (bytes.frame === undefined) return line
  const [start, length] = bytes.frame([line.offset, line.length])
  if (line.end > 0) return { ...line, frame: [start, length] }
  return { ...line, frame: [start, size - start], ...corruption(bytes) }
}

function corruption(bytes: Bytes): Pick<Line, 'corrupt'> {
  const corrupt = bytes.corrupt?.() ?? null
  return corrupt === null ? {} : { corrupt }
}

/** Whether the last line before a checkpoint lies in a frame that the file's end cut then: now that frame is another. */
function wasTorn(bytes: Bytes, { offset, size }: Checkpoint): boolean {
  if (bytes.frame === undefined || offset === 0) return false
  const [start, length] = bytes.frame([offset - 1, 1])
  return start + length > size
}

/** What a file has behind its last frame that can be decoded. */
function undecodedRest(
  bytes: Bytes,
  { file, offset, line }: Position & { readonly file: number },
  { size, length }: StreamState
): Line | null {
  if (bytes.frame === undefined || offset !== length) return null
  const [start] = bytes.frame([length, 0])
  const rest = { file, number: line + 1, offset, length: 0, end: 0, bytes: Buffer.alloc(0) } as const
  return start < size ? { ...rest, frame: [start, size - start], ...corruption(bytes) } : null
}

/** Bytes of the file up to an offset of its stream, whole frames. */
function sizeUpTo(bytes: Bytes, offset: number): number {
  if (bytes.frame === undefined) return offset
  const [start, length] = bytes.frame([0, offset])
  return start + length
}

/** Whether a file has the size that it had at a checkpoint, and the bytes that were looked at there. */
export async function isAsRead(path: string, from: Checkpoint): Promise<boolean> {
  await using bytes = await openBytes(path)
  return (await bytes.state()).size === from.size && (await stillStands(bytes, from))
}

async function stillStands(bytes: Bytes, from: Checkpoint): Promise<boolean> {
  const { inode, length } = await bytes.state()
  return inode === from.inode && length >= from.offset && (await printOf(bytes, from.offset)) === from.print
}

async function printOf(bytes: Bytes, offset: number): Promise<string> {
  const hash = createHash('sha256')
  for (const start of [0, Math.max(0, offset - printed)]) {
    const part = Buffer.allocUnsafe(Math.min(printed, offset - start))
    hash.update(part.subarray(0, await bytes.read(part, start)))
  }
  return hash.digest('hex').slice(0, 32)
}
