import type { Bytes, FileState } from '#main/platform/bytes.ts'

const headSize = 4
const mask = 0x55

/** A frame: four bytes of length, then that many bytes of lines, each of them masked. */
export function encodeFrame(lines: string): Buffer {
  const body = Buffer.from(lines).map((byte) => byte ^ mask)
  const head = Buffer.alloc(headSize)
  head.writeUInt32BE(body.length)
  return Buffer.concat([head, body])
}

interface Frame {
  /** In the file. */
  readonly from: number
  /** In the decoded stream. */
  readonly offset: number
  readonly length: number
}

/** The decoded stream of a file of frames; a frame that the file's end cuts is not in it yet. */
export function decodeFrames(raw: Bytes): Bytes {
  async function frames(): Promise<{
    readonly state: FileState
    readonly found: readonly Frame[]
    readonly size: number
  }> {
    const state = await raw.state()
    const found: Frame[] = []
    const head = Buffer.alloc(headSize)
    let size = 0
    for (let at = 0; at + headSize <= state.size;) {
      await raw.read(head, at)
      const length = head.readUInt32BE()
      if (at + headSize + length > state.size) break
      found.push({ from: at + headSize, offset: size, length })
      size += length
      at += headSize + length
    }
    return { state, found, size }
  }

  return {
    async state() {
      const { state, size } = await frames()
      return { ...state, size }
    },
    async read(into, position) {
      const { found } = await frames()
      let done = 0
      for (const frame of found) {
        const start = position + done - frame.offset
        if (start < 0 || start >= frame.length || done === into.length) continue
        const part = into.subarray(done, done + Math.min(into.length - done, frame.length - start))
        await raw.read(part, frame.from + start)
        part.forEach((byte, index) => (part[index] = byte ^ mask))
        done += part.length
      }
      return done
    },
    [Symbol.asyncDispose]: () => raw[Symbol.asyncDispose]()
  }
}
