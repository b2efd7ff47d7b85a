import type { Bytes } from '#main/platform/bytes.ts'
import type { ByteRange } from '#shared/model/entry.ts'

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
  /** Of its body, in the file. */
  readonly from: number
  /** In the decoded stream. */
  readonly offset: number
  readonly length: number
}

/** The decoded stream of a file of frames; a frame that the file's end cuts is not in it yet. */
export function decodeFrames(raw: Bytes): Bytes {
  let frames: readonly Frame[] | undefined

  const state = async () => {
    const now = await raw.state()
    frames = await findFrames(raw, now.size)
    const last = frames.at(-1)
    return { ...now, length: last === undefined ? 0 : last.offset + last.length }
  }

  return {
    path: raw.path,
    state,
    async read(into, position) {
      if (frames === undefined) await state()
      let done = 0
      for (const frame of frames ?? []) {
        const start = position + done - frame.offset
        if (start < 0 || start >= frame.length || done === into.length) continue
        const part = into.subarray(done, done + Math.min(into.length - done, frame.length - start))
        await raw.read(part, frame.from + start)
        part.forEach((byte, index) => (part[index] = byte ^ mask))
        done += part.length
      }
      return done
    },
    frame: ([offset, length]) => rangeOf(frames ?? [], offset, offset + length),
    [Symbol.asyncDispose]: () => raw[Symbol.asyncDispose]()
  }
}

async function findFrames(raw: Bytes, size: number): Promise<Frame[]> {
  const found: Frame[] = []
  const head = Buffer.alloc(headSize)
  let offset = 0
  for (let at = 0; at + headSize <= size;) {
    await raw.read(head, at)
    const length = head.readUInt32BE()
    const from = at + headSize
    if (from + length > size) break
    found.push({ from, offset, length })
    offset += length
    at = from + length
  }
  return found
}

function rangeOf(frames: readonly Frame[], start: number, end: number): ByteRange {
  const held = frames.filter(({ offset, length }) => offset < end && offset + length > start)
  const last = held.at(-1) ?? frames.at(-1)
  const until = last === undefined ? 0 : last.from + last.length
  const from = held[0] === undefined ? until : held[0].from - headSize
  return [from, until - from]
}
