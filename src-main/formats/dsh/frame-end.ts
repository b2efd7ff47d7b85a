import type { ByteWindow } from '#main/platform/byte-pieces.ts'

/** Where a frame ends: `torn` where the bytes end first, `foreign` where no frame begins. */
export type FrameEnd = number | 'torn' | 'foreign'

/** Bytes that are wanted; fewer come where there are no more. */
type Wanted = readonly [offset: number, length: number]

const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const blockHeader = 3
const checksum = 4
const dictionaryBytes = [0, 1, 2, 4] as const
const contentSizeBytes = [0, 2, 4, 8] as const
const repeated = 1

/**
 * Finds a frame's end by its header and the headers of its blocks (docs/formats/dsh.md, "Frames"). Sizes in them only
 * move on: whether the bytes between are what they say is for the decoder to tell.
 */
function* findFrameEnd(start: number, size: number): Generator<Wanted, FrameEnd, Buffer> {
  const head = yield [start, Math.min(magic.length + 1, size - start)]
  if (head.length < magic.length) return 'torn'
  if (!head.subarray(0, magic.length).equals(magic)) return 'foreign'
  const descriptor = head[magic.length]
  if (descriptor === undefined) return 'torn'
  const isSingleSegment = (descriptor & 0x20) !== 0
  const contentSize = contentSizeBytes[(descriptor >> 6) as 0 | 1 | 2 | 3] || (isSingleSegment ? 1 : 0)
  const dictionary = dictionaryBytes[(descriptor & 3) as 0 | 1 | 2 | 3]
  let at = start + head.length + (isSingleSegment ? 0 : 1) + dictionary + contentSize
  for (;;) {
    if (at + blockHeader > size) return 'torn'
    const block = yield [at, blockHeader]
    if (block.length < blockHeader) return 'torn'
    const word = block.readUIntLE(0, blockHeader)
    at += blockHeader + (((word >> 1) & 3) === repeated ? 1 : word >> 3)
    if ((word & 1) === 1) break
  }
  if ((descriptor & 4) !== 0) at += checksum
  return at > size ? 'torn' : at
}

/** End of the frame that begins at an offset of a file. */
export async function frameEnd(window: ByteWindow, start: number, size: number): Promise<FrameEnd> {
  const search = findFrameEnd(start, size)
  let step = search.next()
  while (step.done !== true) step = search.next(await window.read(...step.value))
  return step.value
}

/** End of the frame that bytes in memory begin with. */
export function firstFrameEnd(bytes: Buffer): FrameEnd {
  const search = findFrameEnd(0, bytes.length)
  let step = search.next()
  while (step.done !== true) {
    const [offset, length] = step.value
    step = search.next(bytes.subarray(offset, offset + length))
  }
  return step.value
}
