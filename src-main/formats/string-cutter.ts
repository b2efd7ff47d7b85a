import { StringDecoder } from 'node:string_decoder'

/** Characters of long strings that are kept besides their first ones. */
export interface Window {
  readonly from: number
  readonly to: number
}

interface CutValue {
  readonly value: unknown
  /** The strings that were cut, by what is left of them. */
  readonly cuts: ReadonlyMap<string, Cut>
  /** True where two strings of different lengths left the same, so that `cuts` does not tell them apart. */
  readonly isAmbiguous: boolean
}

export interface Cut {
  /** Characters of the whole string. */
  readonly length: number
  /** First characters that were kept; what follows them is of the window. */
  readonly head: number
}

const quote = 0x22
const backslash = 0x5c
const letterU = 0x75
const escapable = new Set(Buffer.from('"\\/bfnrtu'))
/** What ends a run of plain characters: a quote, a backslash, or what no string may hold. */
const special = 255
/** UTF-16 units that begin with a byte of UTF-8. */
const units = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte === quote || byte === backslash) return special
  if (byte < 0x80) return 1
  if (byte < 0xc0) return 0
  return byte < 0xf0 ? 1 : 2
})

/**
 * Parses JSON whose strings may be huge: of each longer than `most` characters only so many, and those of the window,
 * are ever made a string. All else is as `JSON.parse` has it, errors too. Lengths are those of valid UTF-8.
 */
export class StringCutter {
  /** Where copying stops, begins, and stops again. */
  readonly #turns: readonly number[]
  readonly #decoder = new StringDecoder('utf8')
  #text = ''
  readonly #found: { start: number; head: number; end: number; length: number }[] = []
  #isMalformed = false

  #inString = false
  /** Characters of the string so far. */
  #length = 0
  /** Turns that it has passed: it is copied where they are even. */
  #turn = 0
  /** Bytes of an escape that are still to come; -1 where even its kind is. */
  #escape = 0
  /** Where the string and its head end begin in the text; -1 where that is not known yet. */
  #start = -1
  #head = -1

  constructor(most: number, window: Window = { from: 0, to: 0 }) {
    const isBehind = window.from >= most && window.to > window.from
    this.#turns = isBehind ? [most, window.from, window.to, Infinity] : [most, Infinity]
  }

  /** The next bytes; they are not needed any more afterwards. */
  push(bytes: Buffer): void {
    if (this.#isMalformed) return
    /** First byte that is to be copied, and, of a string that began in these bytes, its first one. */
    let copied = 0
    let opened = -1
    let at = 0
    const copy = (to: number): void => {
      if (opened >= 0) {
        this.#text += this.#decoder.write(bytes.subarray(copied, opened))
        this.#start = this.#text.length
        copied = opened
        opened = -1
      }
      this.#text += this.#decoder.write(bytes.subarray(copied, to))
    }
    const turn = (): void => {
      if (this.#turn % 2 === 0) copy(at)
      if (this.#turn === 0) this.#head = this.#text.length
      copied = at
      this.#turn++
    }
    while (at < bytes.length && !this.#isMalformed) {
      if (!this.#inString) {
        while (at < bytes.length && bytes[at] !== quote) at++
        if (at === bytes.length) break
        at++
        opened = at
        this.#inString = true
        this.#length = 0
        this.#turn = 0
        continue
      }
      if (this.#escape !== 0) {
        this.#takeEscape(bytes[at++] ?? 0)
        continue
      }
      let length = this.#length
      const until = this.#turns[this.#turn] ?? Infinity
      let unit = units[bytes[at] ?? 0] ?? special
      while (unit !== special && (length < until || unit === 0)) {
        length += unit
        if (++at === bytes.length) break
        unit = units[bytes[at] ?? 0] ?? special
      }
      this.#length = length
      if (at === bytes.length) break
      const byte = bytes[at]
      if (byte === quote) {
        if (this.#turn > 0) {
          if (this.#turn % 2 === 0) copy(at)
          this.#found.push({ start: this.#start, head: this.#head, end: this.#text.length, length })
          copied = at
        }
        this.#inString = false
        opened = -1
        at++
      } else if (length >= until) turn()
      else if (byte === backslash) {
        this.#escape = -1
        at++
      } else this.#isMalformed = true
    }
    if (!this.#inString || this.#turn % 2 === 0) copy(bytes.length)
  }

  /** The value, once all bytes were pushed. Throws a `SyntaxError`. */
  parse(): CutValue {
    const text = this.#text + this.#decoder.end()
    this.#text = ''
    const value: unknown = JSON.parse(this.#isMalformed ? '' : text)
    const cuts = new Map<string, Cut>()
    let isAmbiguous = false
    for (const { start, head, end, length } of this.#found) {
      const left = unquoted(text.slice(start, end))
      if ((cuts.get(left)?.length ?? length) !== length) isAmbiguous = true
      cuts.set(left, { length, head: unquoted(text.slice(start, head)).length })
    }
    return { value, cuts, isAmbiguous }
  }

  #takeEscape(byte: number): void {
    if (this.#escape === -1) {
      if (!escapable.has(byte)) this.#isMalformed = true
      this.#escape = byte === letterU ? 4 : 0
    } else {
      if (!isHex(byte)) this.#isMalformed = true
      this.#escape--
    }
    if (this.#escape === 0) this.#length++
  }
}

/** Parses bytes as `JSON.parse` does, but for strings of more than `most` characters. */
export function parseCut(bytes: Buffer, most: number): CutValue {
  const cutter = new StringCutter(most)
  cutter.push(bytes)
  return cutter.parse()
}

const unquoted = (inside: string): string => JSON.parse(`"${inside}"`) as string

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}
