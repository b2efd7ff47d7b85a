import { constants } from 'node:buffer'
import type { Bytes } from '#main/platform/bytes.ts'
import type { Line } from './line.ts'

/** A place between two lines. */
export interface Position {
  readonly offset: number
  /** Lines before it. */
  readonly line: number
}

export interface Lines {
  readonly lines: readonly Line[]
  /** Behind the last line that has its line feed. */
  readonly position: Position
}

const chunkSize = 1 << 20
/** So that a chunk of bare line feeds makes no million objects. */
const mostLines = 8192
/** A longer line cannot be one string. */
const longest = constants.MAX_STRING_LENGTH
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * The lines from a position to `end`, split at line feeds only, in groups of about 1 MiB; an unterminated rest comes
 * last. A line longer than that is measured first and then read once into a buffer of its size. A group's bytes are
 * valid until the next is asked for. Ends early where the file has become shorter.
 */
export async function* splitLines(
  bytes: Bytes,
  from: Position,
  end: number,
  file: number,
  signal?: AbortSignal
): AsyncGenerator<Lines, void, undefined> {
  const chunk = Buffer.allocUnsafeSlow(Math.max(1, Math.min(chunkSize, end - from.offset)))
  let { offset, line } = from
  let until = end
  let held = 0
  for (;;) {
    signal?.throwIfAborted()
    const free = chunk.subarray(held, Math.min(chunk.length, until - offset))
    const read = await bytes.read(free, offset + held)
    held += read
    if (read < free.length) until = offset + held

    const { lines, used } = completeLines(chunk.subarray(0, held), { offset, line }, file)
    if (lines.length > 0) {
      offset += used
      line += lines.length
      yield { lines, position: { offset, line } }
      held = chunk.copy(chunk, 0, used, held)
    } else if (offset + held >= until) {
      if (held > 0)
        yield { lines: [lineOf(chunk.subarray(0, held), { offset, line }, file)], position: { offset, line } }
      return
    } else {
      const length = (await findLineFeed(bytes, offset + held, until, chunk, signal)) - offset
      const long = await readLongLine(bytes, { offset, line }, length, file)
      if (long === undefined) return
      held = 0
      offset += long.end > 0 ? length : 0
      line += long.end > 0 ? 1 : 0
      yield { lines: [long], position: { offset, line } }
      if (long.end === 0) return
    }
  }
}

/** The lines of bytes that are at hand, the unterminated rest last. */
export function* linesIn(bytes: Buffer): Generator<Line, void, undefined> {
  let position: Position = { offset: 0, line: 0 }
  for (;;) {
    const rest = bytes.subarray(position.offset)
    const { lines, used } = completeLines(rest, position, 0)
    yield* lines
    if (lines.length === 0) {
      if (rest.length > 0) yield lineOf(rest, position, 0)
      return
    }
    position = { offset: position.offset + used, line: position.line + lines.length }
  }
}

/** A document: one line that has no end, so that it is read again, whole, whenever it has changed. */
export async function* wholeDocument(
  bytes: Bytes,
  length: number,
  file: number
): AsyncGenerator<Lines, void, undefined> {
  const start: Position = { offset: 0, line: 0 }
  const kept = Buffer.allocUnsafeSlow(length <= longest ? length : 0)
  if (length === 0 || (await bytes.read(kept, 0)) < kept.length) return
  const line: Line = { ...lineOf(kept, start, file), length, end: 0, bytes: length <= longest ? kept : null }
  yield { lines: [line], position: start }
}

function completeLines(held: Buffer, { offset, line }: Position, file: number): { lines: Line[]; used: number } {
  const lines: Line[] = []
  let used = 0
  while (lines.length < mostLines) {
    const next = held.indexOf(lineFeed, used) + 1
    if (next === 0) break
    lines.push(lineOf(held.subarray(used, next), { offset: offset + used, line: line + lines.length }, file))
    used = next
  }
  return { lines, used }
}

/** `bytes` with the line end, if there is one. */
function lineOf(bytes: Buffer, { offset, line }: Position, file: number): Line {
  const end = lineEnd(bytes)
  const { length } = bytes
  return { file, number: line + 1, offset, length, end, bytes: bytes.subarray(0, length - end), frame: null }
}

function lineEnd(bytes: Buffer): Line['end'] {
  if (bytes.at(-1) !== lineFeed) return 0
  return bytes.at(-2) === carriageReturn ? 2 : 1
}

/** Offset behind the first line feed from `from` on, `until` where there is none. */
async function findLineFeed(
  bytes: Bytes,
  from: number,
  until: number,
  scratch: Buffer,
  signal: AbortSignal | undefined
): Promise<number> {
  for (let at = from; at < until;) {
    signal?.throwIfAborted()
    const read = await bytes.read(scratch.subarray(0, Math.min(scratch.length, until - at)), at)
    const found = scratch.subarray(0, read).indexOf(lineFeed)
    if (found >= 0) return at + found + 1
    if (read === 0) return at
    at += read
  }
  return until
}

/** undefined where the file has become shorter since the line was measured. */
async function readLongLine(
  bytes: Bytes,
  { offset, line }: Position,
  length: number,
  file: number
): Promise<Line | undefined> {
  const isLoaded = length <= longest
  const kept = Buffer.allocUnsafeSlow(isLoaded ? length : 2)
  const read = await bytes.read(kept, offset + length - kept.length)
  if (read < kept.length) return undefined
  const whole = lineOf(kept, { offset, line }, file)
  return isLoaded ? whole : { ...whole, length, bytes: null }
}
