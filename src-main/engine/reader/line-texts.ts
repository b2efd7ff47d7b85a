import { ByteWindow } from '#main/platform/byte-pieces.ts'
import type { Bytes } from '#main/platform/bytes.ts'
import { cut } from '#main/formats/cut.ts'
import type { StoredLine } from '#main/index/types.ts'

const headLength = 400

/** The first 400 characters of each line, without its line end. */
export async function lineHeads(source: Bytes, lines: readonly StoredLine[], signal: AbortSignal): Promise<string[]> {
  const window = new ByteWindow(source)
  const heads: string[] = []
  for (const { offset, length } of lines) {
    signal.throwIfAborted()
    const bytes = await window.read(offset, Math.min(length, headLength * 4))
    heads.push(cut(withoutLineEnd(decode(bytes)), headLength))
  }
  return heads
}

export interface LineText {
  readonly text: string
  readonly from: number
  readonly length: number
  readonly next: number | null
}

/** At most `limit` bytes of a line from `from` on, cut at character borders; the line end is left out. */
export async function lineText(source: Bytes, line: StoredLine, from: number, limit: number): Promise<LineText> {
  const wanted = Math.max(0, Math.min(Math.max(limit, longestCharacter), line.length - from))
  const buffer = Buffer.allocUnsafe(wanted)
  const bytes = buffer.subarray(0, await source.read(buffer, line.offset + from))
  const begin = from === 0 ? 0 : characterBorder(bytes)
  const isLast = from + bytes.length >= line.length || bytes.length < wanted
  const end = isLast ? bytes.length : bytes.length - incompleteTail(bytes)
  const text = decode(bytes.subarray(begin, end))
  return {
    text: isLast ? withoutLineEnd(text) : text,
    from: from + begin,
    length: line.length,
    next: isLast ? null : from + end
  }
}

const longestCharacter = 4

/** A BOM is shown, as every other byte. */
const decode = (bytes: Buffer) => bytes.toString('utf8')

const withoutLineEnd = (text: string) => text.replace(/\r?\n$/, '')

/** Bytes in front that belong to a character before. */
function characterBorder(bytes: Buffer): number {
  let at = 0
  while (at < longestCharacter - 1 && at < bytes.length && isContinuation(bytes[at])) at++
  return at
}

/** Bytes of a character at the end that is not whole. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back < longestCharacter && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]
    if (isContinuation(byte)) continue
    return characterLength(byte) > back ? back : 0
  }
  return 0
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

function characterLength(lead: number | undefined): number {
  if (lead === undefined || lead < 0xc0) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}
