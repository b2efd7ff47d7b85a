import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Hash of a file's bytes in hexadecimal. Rejects with the system's error. */
export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    signal?.throwIfAborted()
    sum.update(chunk as Buffer)
  }
  return sum.digest('hex')
}
