import { ByteWindow } from '#main/platform/byte-pieces.ts'
import type { Bytes, FileState } from '#main/platform/bytes.ts'
import { decompress, decompressWhole, type FrameBytes } from './zstd.ts'
import { frameEnd } from './frame-end.ts'

/** A frame that holds lines: where it lies in the file, and where what it holds lies in the stream. */
export interface Frame extends FrameBytes {
  readonly offset: number
  readonly length: number
}

/** The frames of a file. Empty ones are not among them. */
export interface FrameTable {
  /** In order, the torn one last. */
  readonly frames: readonly Frame[]
  /** Behind the last complete frame. */
  readonly end: number
  /** Of the stream of lines. */
  readonly length: number
  /** Why the frame behind the last complete one cannot be decoded; null where the file ends there or cuts it. */
  readonly corrupt: string | null
}

/** Complete frames, each decoded once. */
interface Known extends Amount {
  /** As the file was when they were found. */
  readonly state: FileState
  readonly frames: Frame[]
  end: number
  length: number
  lines: number
  /** Whether the last line is not complete. */
  isOpen: boolean
  /** What was found of all of the file; null where another change may have left its state as it was. */
  table: FrameTable | null
  /** The file's last bytes before `end`, a checksum among them: they are others where the file was rewritten. */
  print: Buffer
}

/** How much a part of a file decodes to. */
interface Amount {
  readonly length: number
  readonly lines: number
}

const mostTables = 32
const mostFrames = 2 ** 21
const settleMs = 100

/** The most that is read up to an offset of a file, as a few bytes can decode to any size (docs/formats/dsh.md, "Frames"). */
const limitsAt = (offset: number): Amount => ({
  length: Math.min(2 ** 33, 2 ** 29 + 256 * offset),
  lines: 2 ** 22 + 8 * offset
})

const printed = 64
const lineFeed = 0x0a

const knownByPath = new Map<string, Known>()

/**
 * Finds the frames of a file, each decoded to see that it can be and how much is in it, as frames rarely say so. Those
 * that were found before are not decoded again: the tables of the files last used are kept.
 */
export async function findFrames(raw: Bytes, state: FileState): Promise<FrameTable> {
  const known = await knownFrames(raw, state)
  if (known.table !== null) return known.table
  const isSettled = Date.now() - state.modified > settleMs
  const table = await tableOf(known, raw, state.size)
  known.print = await printBefore(raw, known.end)
  keep(raw.path, { ...known, table: isSettled ? table : null })
  return table
}

async function tableOf(known: Known, raw: Bytes, size: number): Promise<FrameTable> {
  const file = { raw, window: new ByteWindow(raw) }
  const stopped = await extend(known, file, size)
  const { frames, end, length } = known
  if (stopped !== torn) return { frames, end, length, corrupt: stopped }
  const last = await tornFrame(known, file, size)
  if (last === null || typeof last === 'string') return { frames, end, length, corrupt: last }
  return { frames: [...frames, last], end, length: length + last.length, corrupt: null }
}

async function knownFrames(raw: Bytes, state: FileState): Promise<Known> {
  const known = knownByPath.get(raw.path)
  const mayStand = known !== undefined && (isSame(known.state, state) || hasGrown(known.state, state))
  // A copy, as others may be reading the same file.
  if (mayStand && (await printBefore(raw, known.end)).equals(known.print)) {
    const table = isSame(known.state, state) ? known.table : null
    return { ...known, state, frames: [...known.frames], table }
  }
  return { state, frames: [], end: 0, length: 0, lines: 0, isOpen: false, table: null, print: Buffer.alloc(0) }
}

const isSame = (one: FileState, other: FileState) =>
  one.inode === other.inode &&
  one.size === other.size &&
  one.modified === other.modified &&
  one.changed === other.changed

const hasGrown = (then: FileState, now: FileState) => then.inode === now.inode && then.size < now.size

async function printBefore(raw: Bytes, end: number): Promise<Buffer> {
  const print = Buffer.alloc(Math.min(printed, end))
  return print.subarray(0, await raw.read(print, end - print.length))
}

function keep(path: string, known: Known): void {
  knownByPath.delete(path)
  knownByPath.set(path, known)
  const [oldest] = knownByPath.keys()
  if (oldest !== undefined && knownByPath.size > mostTables) knownByPath.delete(oldest)
}

/** A file, and a window on it for what is small. */
interface Opened {
  readonly raw: Bytes
  readonly window: ByteWindow
}

const torn = Symbol('torn')

/** Adds complete frames as far as there are any, to the file's end (null), one that it cuts, or what is corrupt. */
async function extend(known: Known, file: Opened, size: number): Promise<string | typeof torn | null> {
  while (known.end < size) {
    if (known.frames.length === mostFrames) return `there are more than ${mostFrames} frames`
    const end = await frameEnd(file.window, known.end, size)
    if (end === 'torn') return torn
    if (end === 'foreign') return 'no zstd frame begins here'
    const place = { start: known.end, end, isTorn: false }
    const measured = await measure(file, place, known)
    if (typeof measured === 'string') return measured
    const { length, lines, completeLines } = measured
    if (known.end === 0 && (lines !== 1 || completeLines < length)) return 'the first frame is not exactly one line'
    if (length > 0) {
      known.frames.push({ ...place, offset: known.length, length })
      known.isOpen = completeLines < length
    }
    known.end = end
    known.length += length
    known.lines += lines
  }
  return null
}

/**
 * The complete lines of the frame that the file's end cuts; null where there are none, or where they would go on with a
 * line of the frame before.
 */
async function tornFrame(known: Known, file: Opened, size: number): Promise<Frame | string | null> {
  const { end, length, isOpen } = known
  if (end === 0 || isOpen) return null
  const place = { start: end, end: size, isTorn: true }
  const measured = await measure(file, place, known)
  if (typeof measured === 'string') return measured
  return measured.completeLines === 0 ? null : { ...place, offset: length, length: measured.completeLines }
}

interface Measure {
  readonly length: number
  readonly lines: number
  /** Length up to behind the last line feed. */
  readonly completeLines: number
}

/** Decodes a frame to its end, or says why it cannot be; `before` is what the frames before it hold. */
async function measure({ raw, window }: Opened, frame: FrameBytes, before: Amount): Promise<Measure | string> {
  const limits = limitsAt(frame.end)
  const most = { length: limits.length - before.length, lines: limits.lines - before.lines }
  let length = 0
  let lines = 0
  let completeLines = 0
  try {
    const whole = await decompressWhole(window, frame)
    for await (const chunk of whole === null ? decompress(raw, frame) : [whole]) {
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
        if (++lines > most.lines) return tooMuch(frame, `${most.lines.toLocaleString('en')} lines`)
        completeLines = length + at + 1
      }
      length += chunk.length
      if (length > most.length) return tooMuch(frame, `${most.length.toLocaleString('en')} bytes`)
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return { length, lines, completeLines }
}

const tooMuch = ({ start, end }: FrameBytes, most: string): string =>
  `the frame of ${(end - start).toLocaleString('en')} bytes holds more than ${most}, which no log does`
