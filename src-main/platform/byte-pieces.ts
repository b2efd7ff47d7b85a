import { open, type FileHandle } from 'node:fs/promises'
import { Refusal } from '#shared/contract/refusal.ts'
import { readOnly } from './read-only.ts'

/** Bytes of a file to be made: copied from another one, or a text of ours. */
export type BytePiece =
  | { readonly kind: 'copy'; readonly path: string; readonly offset: number; readonly length: number }
  | { readonly kind: 'text'; readonly text: string }

const windowSize = 2 ** 20

/** The bytes of the pieces, in chunks of at most 1 MiB; a chunk is valid until the next is asked for. Refused as `stale` where a file is too short. */
export async function* readPieces(pieces: Iterable<BytePiece>, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const gathered = Buffer.allocUnsafeSlow(windowSize)
  let used = 0
  for await (const chunk of eachPiece(pieces, signal)) {
    if (used + chunk.length > windowSize) {
      yield gathered.subarray(0, used)
      used = 0
    }
    used += chunk.copy(gathered, used)
  }
  if (used > 0) yield gathered.subarray(0, used)
}

async function* eachPiece(pieces: Iterable<BytePiece>, signal?: AbortSignal): AsyncGenerator<Buffer> {
  await using sources = new Sources()
  for (const piece of pieces) {
    signal?.throwIfAborted()
    if (piece.kind === 'text') {
      for (let rest = Buffer.from(piece.text); rest.length > 0; rest = rest.subarray(windowSize)) {
        yield rest.subarray(0, windowSize)
      }
      continue
    }
    const source = await sources.get(piece.path)
    let done = 0
    while (done < piece.length) {
      signal?.throwIfAborted()
      const chunk = await source.read(piece.offset + done, piece.length - done)
      if (chunk.length === 0) throw cutShort(piece.path)
      done += chunk.length
      yield chunk
    }
  }
}

/** A file read through a window of 1 MiB, so that many small reads in a row cost few system calls. */
export class WindowedFile implements AsyncDisposable {
  readonly #handle: FileHandle
  readonly #buffer = Buffer.allocUnsafeSlow(windowSize)
  #start = 0
  #filled = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async open(path: string): Promise<WindowedFile> {
    return new WindowedFile(await openSource(path))
  }

  /** At most `length` bytes from `offset`, at least one unless the file ends there; valid until the next read. */
  async read(offset: number, length: number): Promise<Buffer> {
    const inside = offset >= this.#start && offset < this.#start + this.#filled
    if (!inside || (offset + length > this.#start + this.#filled && length <= windowSize)) await this.#fill(offset)
    const from = offset - this.#start
    return this.#buffer.subarray(from, Math.min(from + length, this.#filled))
  }

  async #fill(offset: number): Promise<void> {
    this.#start = offset
    this.#filled = 0
    while (this.#filled < windowSize) {
      const { bytesRead } = await this.#handle.read(
        this.#buffer,
        this.#filled,
        windowSize - this.#filled,
        offset + this.#filled
      )
      if (bytesRead === 0) return
      this.#filled += bytesRead
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}

class Sources implements AsyncDisposable {
  readonly #open = new Map<string, WindowedFile>()

  async get(path: string): Promise<WindowedFile> {
    const file = this.#open.get(path) ?? (await WindowedFile.open(path))
    this.#open.set(path, file)
    return file
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.#open.values()) await file[Symbol.asyncDispose]()
  }
}

/** Opens a session file for reading. Refused as `not-found` where it is gone or may not be read. */
export async function openSource(path: string): Promise<FileHandle> {
  try {
    return await open(path, readOnly)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is gone' : 'cannot be read'
    throw new Refusal('not-found', `${path} ${why}. Check the file, then open it again.`, { file: path })
  }
}

const cutShort = (path: string) =>
  new Refusal('stale', `${path} is shorter than when it was read. Wait until it was read again, then retry.`, {
    file: path
  })
