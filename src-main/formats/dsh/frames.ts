import { zstdDecompressSync } from 'node:zlib'
import { ByteWindow } from '#main/platform/byte-pieces.ts'
import type { Bytes, StreamState } from '#main/platform/bytes.ts'
import type { ByteRange } from '#shared/model/entry.ts'
import { firstFrameEnd } from './frame-end.ts'
import { findFrames, type Frame, type FrameTable } from './frame-table.ts'
import { compress, compressWhole, decompress, decompressWhole, wholeFrame } from './zstd.ts'

const mostPages = 8
const lineFeed = 0x0a

/** The line that is a file's first frame, with its line feed; null where its head does not hold exactly that. */
export function firstFrameLine(head: Buffer): Buffer | null {
  const end = firstFrameEnd(head)
  if (typeof end !== 'number') return null
  try {
    const line = zstdDecompressSync(head.subarray(0, end), { maxOutputLength: wholeFrame })
    return line.length > 0 && line.indexOf(lineFeed) === line.length - 1 ? line : null
  } catch {
    return null
  }
}

/** The lines of a file of zstd frames as a stream of their own (docs/formats/dsh.md, "Frames"). */
export function decodeFrames(raw: Bytes): Bytes {
  return new FrameStream(raw)
}

class FrameStream implements Bytes {
  readonly path: string
  readonly #raw: Bytes
  #window: ByteWindow
  #table: FrameTable = { frames: [], end: 0, length: 0, corrupt: null }
  #seen: StreamState | null = null
  /** Content of frames by frame and page, those last used last. */
  readonly #pages = new Map<string, Buffer>()
  #cursor: { readonly start: number; readonly pages: AsyncGenerator<Buffer>; next: number } | null = null
  #turn: Promise<unknown> = Promise.resolve()

  constructor(raw: Bytes) {
    this.#raw = raw
    this.#window = new ByteWindow(raw)
    this.path = raw.path
  }

  state(): Promise<StreamState> {
    return this.#inTurn(() => this.#look())
  }

  read(into: Buffer, position: number): Promise<number> {
    return this.#inTurn(async () => {
      if (this.#seen === null) await this.#look()
      try {
        return await this.#read(into, position)
      } catch (error) {
        // Every frame could be decoded when it was found: the file has changed since.
        if (isDecoderError(error)) return 0
        throw error
      }
    })
  }

  frame([offset, length]: ByteRange): ByteRange {
    const { frames, end } = this.#table
    if (offset >= this.#table.length) return [end, 0]
    const first = frames[frameAt(frames, offset)]
    if (first === undefined) return [0, 0]
    const last = frames[frameAt(frames, offset + length - 1)] ?? first
    return [first.start, length === 0 ? 0 : last.end - first.start]
  }

  corrupt(): string | null {
    return this.#table.corrupt
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inTurn(() => this.#forget())
    await this.#raw[Symbol.asyncDispose]()
  }

  /** One after the other, as a read moves the cursor. */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(step)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #look(): Promise<StreamState> {
    const now = await this.#raw.state()
    const seen = this.#seen
    if (seen?.inode === now.inode && seen.size === now.size && seen.modified === now.modified) {
      return { ...now, length: seen.length }
    }
    this.#table = await findFrames(this.#raw, now)
    await this.#forget()
    return (this.#seen = { ...now, length: this.#table.length })
  }

  async #forget(): Promise<void> {
    this.#pages.clear()
    this.#window = new ByteWindow(this.#raw)
    await this.#cursor?.pages.return(undefined)
    this.#cursor = null
  }

  async #read(into: Buffer, position: number): Promise<number> {
    const { frames } = this.#table
    let done = 0
    for (let at = frameAt(frames, position); done < into.length; at++) {
      const frame = frames[at]
      if (frame === undefined) break
      let inFrame = position + done - frame.offset
      while (done < into.length && inFrame < frame.length) {
        const page = await this.#page(frame, Math.floor(inFrame / wholeFrame))
        const copied = page.copy(into, done, inFrame % wholeFrame, (inFrame % wholeFrame) + frame.length - inFrame)
        if (copied === 0) return done
        done += copied
        inFrame += copied
      }
    }
    return done
  }

  /** A page of a frame's content; empty behind its end. */
  async #page(frame: Frame, page: number): Promise<Buffer> {
    const known = this.#pages.get(pageName(frame, page))
    if (known !== undefined) return this.#keep(frame, page, known)
    const whole = frame.length <= wholeFrame ? await decompressWhole(this.#window, frame) : null
    if (whole !== null) return this.#keep(frame, page, whole)
    if (this.#cursor === null || this.#cursor.start !== frame.start || this.#cursor.next > page) {
      await this.#cursor?.pages.return(undefined)
      this.#cursor = { start: frame.start, pages: pagesOf(decompress(this.#raw, frame)), next: 0 }
    }
    for (;;) {
      const { value, done } = await this.#cursor.pages.next()
      if (done === true) return Buffer.alloc(0)
      const at = this.#cursor.next++
      this.#keep(frame, at, value)
      if (at === page) return value
    }
  }

  #keep(frame: Frame, page: number, content: Buffer): Buffer {
    const name = pageName(frame, page)
    this.#pages.delete(name)
    this.#pages.set(name, content)
    const [oldest] = this.#pages.keys()
    if (oldest !== undefined && this.#pages.size > mostPages) this.#pages.delete(oldest)
    return content
  }
}

const pageName = ({ start }: Frame, page: number) => `${start}:${page}`

const isDecoderError = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z')

/** Index of the last frame that begins at or before an offset of the stream, -1 where none does. */
function frameAt(frames: readonly Frame[], offset: number): number {
  let [low, high] = [0, frames.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((frames[middle]?.offset ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

async function* pagesOf(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer, undefined> {
  let page = Buffer.allocUnsafeSlow(wholeFrame)
  let filled = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(page, filled, at)
      at += copied
      filled += copied
      if (filled < page.length) continue
      yield page
      page = Buffer.allocUnsafeSlow(wholeFrame)
      filled = 0
    }
  }
  if (filled > 0) yield page.subarray(0, filled)
  return undefined
}

/** A file's bytes from its lines, as dsh writes them: the first line in a frame of its own, what follows in one more. */
export async function* encodeFrames(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = copies(lines)
  const header: Buffer[] = []
  let rest: Buffer = Buffer.alloc(0)
  for (let isOpen = true; isOpen;) {
    const { value: chunk, done } = await chunks.next()
    if (done === true) break
    const end = chunk.indexOf(lineFeed) + 1
    isOpen = end === 0
    header.push(isOpen ? chunk : chunk.subarray(0, end))
    if (!isOpen) rest = chunk.subarray(end)
  }
  yield compressWhole(Buffer.concat(header))
  if (rest.length === 0) rest = (await chunks.next()).value ?? rest
  if (rest.length > 0) yield* compress(following(rest, chunks))
}

async function* following(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* others
}

/** Chunks that stay as they are when the next is asked for. */
async function* copies(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of chunks) if (chunk.length > 0) yield Buffer.from(chunk)
  return undefined
}
