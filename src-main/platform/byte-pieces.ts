import type { ByteRange } from '#shared/model/entry.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Bytes } from './bytes.ts'

/** Bytes of a file to be made: copied from one of the sources, or a text of ours. */
export type BytePiece =
  | { readonly kind: 'copy'; readonly file: number; readonly range: ByteRange }
  | { readonly kind: 'text'; readonly text: string }

export type OpenSource = (file: number) => Promise<Bytes>

const windowSize = 2 ** 20

/** Bytes of the pieces together. */
export const lengthOf = (pieces: readonly BytePiece[]): number =>
  pieces.reduce((sum, piece) => sum + (piece.kind === 'copy' ? piece.range[1] : Buffer.byteLength(piece.text)), 0)

/** The bytes of the pieces, in chunks of at most 1 MiB; a chunk is valid until the next is asked for. Refused as `stale` where a file is too short. */
export async function* readPieces(
  pieces: Iterable<BytePiece>,
  open: OpenSource,
  signal?: AbortSignal
): AsyncGenerator<Buffer> {
  const gathered = Buffer.allocUnsafeSlow(windowSize)
  let used = 0
  for await (const chunk of eachPiece(pieces, open, signal)) {
    if (used + chunk.length > windowSize) {
      yield gathered.subarray(0, used)
      used = 0
    }
    used += chunk.copy(gathered, used)
  }
  if (used > 0) yield gathered.subarray(0, used)
}

async function* eachPiece(pieces: Iterable<BytePiece>, open: OpenSource, signal?: AbortSignal): AsyncGenerator<Buffer> {
  await using sources = new Sources(open)
  for (const piece of pieces) {
    signal?.throwIfAborted()
    if (piece.kind === 'text') {
      for (let rest = Buffer.from(piece.text); rest.length > 0; rest = rest.subarray(windowSize)) {
        yield rest.subarray(0, windowSize)
      }
      continue
    }
    const { bytes, window } = await sources.get(piece.file)
    const [offset, length] = piece.range
    let done = 0
    while (done < length) {
      signal?.throwIfAborted()
      const chunk = await window.read(offset + done, length - done)
      if (chunk.length === 0) throw cutShort(bytes.path)
      done += chunk.length
      yield chunk
    }
  }
}

/** A stream read through a window of 1 MiB, so that many small reads in a row cost few system calls. */
export class ByteWindow {
  readonly #bytes: Bytes
  readonly #buffer = Buffer.allocUnsafeSlow(windowSize)
  #start = 0
  #filled = 0

  constructor(bytes: Bytes) {
    this.#bytes = bytes
  }

  /** At most `length` bytes from `offset`, at least one unless the stream ends there; valid until the next read. */
  async read(offset: number, length: number): Promise<Buffer> {
    const inside = offset >= this.#start && offset < this.#start + this.#filled
    if (!inside || (offset + length > this.#start + this.#filled && length <= windowSize)) {
      this.#start = offset
      this.#filled = await this.#bytes.read(this.#buffer, offset)
    }
    const from = offset - this.#start
    return this.#buffer.subarray(from, Math.min(from + length, this.#filled))
  }
}

interface Source {
  readonly bytes: Bytes
  readonly window: ByteWindow
}

class Sources implements AsyncDisposable {
  readonly #openSource: OpenSource
  readonly #open = new Map<number, Source>()

  constructor(openSource: OpenSource) {
    this.#openSource = openSource
  }

  async get(file: number): Promise<Source> {
    const known = this.#open.get(file)
    if (known !== undefined) return known
    const bytes = await this.#openSource(file)
    const source = { bytes, window: new ByteWindow(bytes) }
    this.#open.set(file, source)
    return source
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { bytes } of this.#open.values()) await bytes[Symbol.asyncDispose]()
  }
}

const cutShort = (path: string) =>
  new Refusal('stale', `${path} is shorter than when it was read. Wait until it was read again, then retry.`, {
    file: path
  })
