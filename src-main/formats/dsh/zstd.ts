import { Readable, type Transform } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { ByteWindow } from '#main/platform/byte-pieces.ts'
import type { Bytes } from '#main/platform/bytes.ts'

/** Where a frame lies in its file; `isTorn` where the file's end cuts it. */
export interface FrameBytes {
  readonly start: number
  readonly end: number
  readonly isTorn: boolean
}

/** A larger frame is never held whole. */
export const wholeFrame = 2 ** 20
const chunkSize = 2 ** 16
const checksummed = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

/** The content of a small frame; null where it is not small. Throws where it is corrupt. */
export async function decompressWhole(window: ByteWindow, { start, end, isTorn }: FrameBytes): Promise<Buffer | null> {
  if (isTorn || end - start > wholeFrame) return null
  const packed = await window.read(start, end - start)
  try {
    return zstdDecompressSync(packed, { maxOutputLength: wholeFrame })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null
    throw error
  }
}

/**
 * A frame's content in chunks of at most 64 KiB; of a torn one as much as comes out. Throws where it is corrupt, for a
 * wrong checksum behind the last chunk.
 */
export function decompress(raw: Bytes, { start, end, isTorn }: FrameBytes): AsyncGenerator<Buffer> {
  const finishFlush = isTorn ? constants.ZSTD_e_flush : constants.ZSTD_e_end
  return through(rawChunks(raw, start, end), createZstdDecompress({ chunkSize, finishFlush }))
}

/** One checksummed frame. */
export function compressWhole(content: Buffer): Buffer {
  return zstdCompressSync(content, checksummed)
}

/** One checksummed frame, in chunks. */
export function compress(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  return through(content, createZstdCompress(checksummed))
}

async function* rawChunks(raw: Bytes, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkSize, end - at))
    const read = await raw.read(chunk, at)
    if (read === 0) return
    yield chunk.subarray(0, read)
    at += read
  }
}

async function* through(content: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  const source = Readable.from(content, { highWaterMark: 1 })
  source.on('error', (error) => transform.destroy(error))
  source.pipe(transform)
  try {
    for await (const chunk of transform) yield chunk as Buffer
  } finally {
    source.destroy()
    transform.destroy()
  }
}
