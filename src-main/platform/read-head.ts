import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readOnly } from './read-only.ts'

const headSize = 64 * 1024

/** The first 64 KiB of a file. Throws the system's error. */
export function readHead(path: string): Buffer {
  const file = openSync(path, readOnly)
  try {
    const { size } = fstatSync(file)
    const head = Buffer.allocUnsafe(Math.min(headSize, size))
    let filled = 0
    while (filled < head.length) {
      const read = readSync(file, head, filled, head.length - filled, filled)
      if (read === 0) break
      filled += read
    }
    return head.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}
