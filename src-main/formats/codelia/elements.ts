import type { ByteRange } from '#shared/model/entry.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

const opens = new Set([0x7b, 0x5b])
const closes = new Set([0x7d, 0x5d])
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * Where the elements of an array lie that is a member of a JSON object at the top of some bytes: offset and length in
 * them, no walk into anything. Only for bytes that parse; of two members of that name the last counts, as in parsing.
 */
export function elementsOf(bytes: Buffer, member: string): readonly ByteRange[] {
  const name = Buffer.from(JSON.stringify(member))
  let found: ByteRange[] = []
  let depth = 0
  /** Where the last string at the top began and ended, while nothing but a colon followed it. */
  let key: readonly [number, number] | null = null
  let inMember = false
  let start = -1
  const end = (at: number): void => {
    if (start === -1) return
    let last = at
    while (last > start && blanks.has(bytes[last - 1] ?? 0)) last--
    found.push([start, last - start])
    start = -1
  }
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (blanks.has(byte)) continue
    if (inMember && depth === 2 && start === -1 && byte !== comma && !closes.has(byte)) start = at
    if (byte === quote) {
      const from = at
      at = closing(bytes, at)
      if (depth === 1) key = [from, at + 1]
    } else if (opens.has(byte)) {
      if (depth === 1) {
        inMember = key !== null && bytes.subarray(...key).equals(name) && byte === 0x5b
        if (inMember) found = []
      }
      depth++
    } else if (closes.has(byte)) {
      if (inMember && depth === 2) {
        end(at)
        inMember = false
      }
      depth--
    } else if (byte === comma) {
      if (inMember && depth === 2) end(at)
      if (depth === 1) key = null
    } else if (byte !== colon && depth === 1) key = null
  }
  return found
}

/** The quote that ends the string which begins at a place. */
function closing(bytes: Buffer, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
