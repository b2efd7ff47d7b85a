import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Writes everything at the pace of the reader, and leaves the stream open. A reader that went away (`| head`) is no error. */
export async function writeChunks(stream: Writable, chunks: Iterable<string>, signal?: AbortSignal): Promise<void> {
  const ignore = () => {}
  // The stream repeats its error after the pipeline has let go of it.
  stream.on('error', ignore)
  try {
    await pipeline(Readable.from(paced(chunks), { highWaterMark: 1 }), stream, {
      end: false,
      ...(signal && { signal })
    })
  } catch (error) {
    if (!hasGone(error)) throw error
  }
}

/** A pipe may be written to at once, without a turn of the event loop in which an interrupt could be heard. */
async function* paced(chunks: Iterable<string>): AsyncGenerator<string> {
  for (const chunk of chunks) {
    yield chunk
    await nextTurn()
  }
}

const hasGone = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
