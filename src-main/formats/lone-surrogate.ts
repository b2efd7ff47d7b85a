const backslash = 0x5c
const letterU = 0x75
const escapes = [Buffer.from('\\ud'), Buffer.from('\\uD')]

/** Whether JSON text holds an escaped surrogate without its other half; an escaped backslash is passed over. */
export function hasLoneSurrogate(json: Buffer): boolean {
  if (!escapes.some((escape) => json.includes(escape))) return false
  let at = json.indexOf(backslash)
  while (at !== -1) {
    const unit = unitAt(json, at)
    const isHigh = unit >= 0xd800 && unit < 0xdc00
    const isLow = unit >= 0xdc00 && unit < 0xe000
    const next = isHigh ? unitAt(json, at + 6) : -1
    const isPair = next >= 0xdc00 && next < 0xe000
    if (isLow || (isHigh && !isPair)) return true
    at = json.indexOf(backslash, at + (isPair ? 12 : 2))
  }
  return false
}

/** The UTF-16 unit that is escaped at a place, -1 where none is. */
function unitAt(json: Buffer, at: number): number {
  if (json[at] !== backslash || json[at + 1] !== letterU) return -1
  const digits = json.toString('latin1', at + 2, at + 6)
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
}
