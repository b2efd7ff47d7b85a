import { setImmediate as nextTurn } from 'node:timers/promises'

const chunkSize = 2 ** 18

/** Small pieces of a file gathered into chunks of 256 KiB or more, so that few writes are needed. */
export async function* gather(pieces: AsyncIterable<string | Buffer>, signal?: AbortSignal): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    // What a buffer shares may change once the next is asked for.
    const bytes = Buffer.from(piece)
    gathered.push(bytes)
    size += bytes.length
    if (size < chunkSize) continue
    signal?.throwIfAborted()
    yield Buffer.concat(gathered)
    await nextTurn()
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}
