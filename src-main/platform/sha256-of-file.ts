import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Hash of a file's bytes, or of its first `length`, in hexadecimal. Rejects with the system's error. */
export async function sha256OfFile(path: string, signal?: AbortSignal, length = Infinity): Promise<string> {
  const sum = createHash('sha256')
  if (length === 0) return sum.digest('hex')
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20, end: length - 1 })) {
    signal?.throwIfAborted()
    sum.update(chunk as Buffer)
  }
  return sum.digest('hex')
}
