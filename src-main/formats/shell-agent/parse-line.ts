import type { Json } from '#shared/model/records.ts'
import { parseCut } from '../string-cutter.ts'

/** What the agent's writer does wrong (docs/formats/shell-agent.md, "Damage"). */
export type Repair = 'control-bytes' | 'empty-member'

interface ParsedLine {
  readonly value: Json
  /** What had to be mended before the line was JSON. */
  readonly repairs: readonly Repair[]
  /** True where long strings of a huge line were left out but for their beginnings. */
  readonly isCut: boolean
}

const hugeBytes = 2 ** 20
/** Enough for all that a record has of a string. */
const keptCharacters = 4096
const space = 0x20
const emptyMember = '"fork":}'

/**
 * The value of a line, undefined where it is no JSON even when its two known faults are mended: control bytes that
 * stand raw in a string, and `"fork":` without a value. Of a huge line's strings so many characters are kept.
 */
export function parseLine(bytes: Buffer, kept = keptCharacters): ParsedLine | undefined {
  const parsed = (text: Buffer, repairs: readonly Repair[]) => parsedAs(text, repairs, kept)
  const plain = parsed(bytes, [])
  if (plain !== undefined) return plain
  const escaped = withEscapes(bytes)
  const repairs: Repair[] = escaped === bytes ? [] : ['control-bytes']
  const readable = escaped === bytes ? undefined : parsed(escaped, repairs)
  if (readable !== undefined) return readable
  const at = escaped.indexOf(emptyMember)
  if (at === -1) return undefined
  const value = at + emptyMember.length - 1
  const filled = Buffer.concat([escaped.subarray(0, value), Buffer.from('null'), escaped.subarray(value)])
  return parsed(filled, [...repairs, 'empty-member'])
}

function parsedAs(bytes: Buffer, repairs: readonly Repair[], kept: number): ParsedLine | undefined {
  try {
    if (bytes.length <= hugeBytes || kept >= bytes.length)
      return { value: JSON.parse(bytes.toString()) as Json, repairs, isCut: false }
    const { value, cuts } = parseCut(bytes, kept)
    return { value: value as Json, repairs, isCut: cuts.size > 0 }
  } catch {
    return undefined
  }
}

/** Control bytes as `\u00XX`; the same bytes where there are none. */
function withEscapes(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? space
    if (byte >= space) continue
    parts.push(bytes.subarray(from, at), Buffer.from(`\\u${byte.toString(16).padStart(4, '0')}`))
    from = at + 1
  }
  return from === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)])
}
