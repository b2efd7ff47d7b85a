/** Numbers and texts that are the same in every run. */
export interface Seeded {
  /** From `least` to `most`, both included. */
  whole(least: number, most: number): number
  /** At most a million characters. */
  text(length: number): string
}

const poolLength = 1_000_000
const words = 'the of a to in is it file line test value path error when then return const await size null'.split(' ')

export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pool = textPool(whole)
  const twice = Buffer.from(pool + pool).toString('latin1')
  return {
    whole,
    text(length) {
      const start = whole(0, poolLength - 1)
      return twice.slice(start, start + length)
    }
  }
}

/** ASCII, so that a character is a byte, with the line feeds and quotes of code. */
function textPool(whole: Seeded['whole']): string {
  const parts: string[] = []
  for (let length = 0; length < poolLength;) {
    const word = words[whole(0, words.length - 1)] ?? ''
    const end = [' ', ' ', ' ', ' ', '_', '("', '")\n', ',\n  '][whole(0, 7)] ?? ' '
    parts.push(word, end)
    length += word.length + end.length
  }
  return parts.join('').slice(0, poolLength)
}
