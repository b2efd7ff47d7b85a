import type { Json } from '#shared/model/records.ts'
import { StringCutter } from '../string-cutter.ts'

/** What the agent's writer does wrong (docs/formats/shell-agent.md, "Damage"). */
export type Repair = 'control-bytes' | 'empty-member'

interface ParsedLine {
  readonly value: Json
  /** What had to be mended before the line was JSON. */
  readonly repairs: readonly Repair[]
  /** True where long strings of a huge line were left out but for their beginnings. */
  readonly isCut: boolean
}

/** A longer line is taken piece by piece. */
const hugeBytes = 2 ** 20
const pieceBytes = 2 ** 16
/** Enough for all that a record has of a string. */
const keptCharacters = 4096
const space = 0x20
const escapes = Array.from({ length: space }, (_, byte) => Buffer.from(`\\u${byte.toString(16).padStart(4, '0')}`))
const escapeLength = 6
const emptyMember = '"fork":}'

/**
 * The value of a line, undefined where it is no JSON even when its two known faults are mended: control bytes that
 * stand raw in a string, and `"fork":` without a value. Of a huge line's strings so many characters are kept.
 */
export function parseLine(bytes: Buffer, kept = keptCharacters): ParsedLine | undefined {
  const parsed = (pieces: readonly Buffer[], repairs: readonly Repair[]) => parsedAs(pieces, repairs, kept)
  const plain = parsed([bytes], [])
  if (plain !== undefined) return plain
  const repairs: Repair[] = hasControls(bytes) ? ['control-bytes'] : []
  const readable = repairs.length === 0 ? undefined : parsed([bytes], repairs)
  if (readable !== undefined) return readable
  const at = bytes.indexOf(emptyMember)
  if (at === -1) return undefined
  const value = at + emptyMember.length - 1
  return parsed([bytes.subarray(0, value), Buffer.from('null'), bytes.subarray(value)], [...repairs, 'empty-member'])
}

function parsedAs(pieces: readonly Buffer[], repairs: readonly Repair[], kept: number): ParsedLine | undefined {
  const isEscaped = repairs.includes('control-bytes')
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  try {
    if (length <= hugeBytes || (kept === Infinity && !isEscaped && !pieces.some(hasControls))) {
      const [only = Buffer.alloc(0), ...more] = pieces
      const bytes = more.length === 0 ? only : Buffer.concat(pieces)
      const text = isEscaped ? withEscapes(bytes, Buffer.allocUnsafe(length * escapeLength)) : bytes
      return { value: JSON.parse(text.toString()) as Json, repairs, isCut: false }
    }
    const cutter = new StringCutter(kept)
    const into = Buffer.allocUnsafe(isEscaped ? pieceBytes * escapeLength : 0)
    for (const piece of pieces) {
      for (let from = 0; from < piece.length; from += pieceBytes) {
        const bytes = piece.subarray(from, from + pieceBytes)
        cutter.push(isEscaped ? withEscapes(bytes, into) : bytes)
      }
    }
    const { value, cuts } = cutter.parse()
    return { value: value as Json, repairs, isCut: cuts.size > 0 }
  } catch {
    return undefined
  }
}

function hasControls(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? space) < space) return true
  return false
}

/** Control bytes as `\u00XX`, written into a buffer that is large enough. */
function withEscapes(bytes: Buffer, into: Buffer): Buffer {
  let to = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? space
    if (byte >= space) into[to++] = byte
    else to += (escapes[byte] ?? bytes).copy(into, to)
  }
  return into.subarray(0, to)
}
