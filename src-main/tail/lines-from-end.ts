import { constants } from 'node:buffer'
import type { Bytes } from '#main/platform/bytes.ts'
import { Refusal } from '#shared/contract/refusal.ts'

export interface LineFromEnd {
  readonly offset: number
  /** Without the line end; null where the line cannot be one string. */
  readonly bytes: Buffer | null
}

const chunkSize = 64 * 1024
/** A longer line is measured first and then read into a buffer of its size. */
const longestKept = 2 ** 20
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * The lines of a stream's first `end` bytes in groups, all with the last one first, empty ones left out. No more is
 * read than the lines of the groups that are asked for, those of more than 1 MiB twice, and 64 KiB. Refused as `stale`
 * where the stream has become shorter.
 */
export async function* linesFromEnd(
  bytes: Bytes,
  end: number,
  signal?: AbortSignal
): AsyncGenerator<readonly LineFromEnd[], void, undefined> {
  let later = new Pieces()
  for (let from = end; from > 0;) {
    signal?.throwIfAborted()
    const chunk = Buffer.allocUnsafeSlow(Math.min(chunkSize, from))
    from -= chunk.length
    const lines: LineFromEnd[] = []
    if ((await bytes.read(chunk, from)) < chunk.length) throw cutShort(bytes.path)
    let to = chunk.length
    for (let feed = lastFeed(chunk, to); feed !== -1; feed = lastFeed(chunk, to)) {
      later.add(chunk.subarray(feed + 1, to))
      if (later.length > 0) lines.push(await lineOf(bytes, from + feed + 1, later))
      later = new Pieces()
      to = feed
    }
    later.add(chunk.subarray(0, to))
    if (from === 0 && later.length > 0) lines.push(await lineOf(bytes, 0, later))
    if (lines.length > 0) yield lines
  }
}

/** -1 where none stands before `to`; an offset of -1 would mean the last byte. */
const lastFeed = (chunk: Buffer, to: number): number => (to === 0 ? -1 : chunk.lastIndexOf(lineFeed, to - 1))

/** A line's pieces, the last one first, as long as they are few. */
class Pieces {
  length = 0
  #pieces: Buffer[] = []

  add(piece: Buffer): void {
    this.length += piece.length
    if (this.length <= longestKept) this.#pieces.push(piece)
    else this.#pieces = []
  }

  joined(): Buffer {
    const [last] = this.#pieces
    return this.#pieces.length === 1 && last !== undefined ? last : Buffer.concat(this.#pieces.toReversed())
  }
}

async function lineOf(bytes: Bytes, offset: number, pieces: Pieces): Promise<LineFromEnd> {
  const { length } = pieces
  if (length > constants.MAX_STRING_LENGTH) return { offset, bytes: null }
  const line = length <= longestKept ? pieces.joined() : Buffer.allocUnsafeSlow(length)
  if (length > longestKept && (await bytes.read(line, offset)) < length) throw cutShort(bytes.path)
  return { offset, bytes: line.at(-1) === carriageReturn ? line.subarray(0, -1) : line }
}

const cutShort = (path: string) =>
  new Refusal('stale', `${path} is shorter than when it was read. Wait until it was read again, then retry.`, {
    file: path
  })
