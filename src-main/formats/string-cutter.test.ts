import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCut, StringCutter } from './string-cutter.ts'

const most = 20

/** The first characters of a string, no pair of surrogates taken apart. */
function headOf(text: string, limit: number): string {
  let head = ''
  for (const character of text) {
    if (head.length >= limit) return head
    head += character
  }
  return text
}

function cutAll(value: unknown): unknown {
  if (typeof value === 'string') return headOf(value, most)
  if (Array.isArray(value)) return value.map(cutAll)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutAll(member)]))
}

function parseInChunks(bytes: Buffer, size: number) {
  const cutter = new StringCutter(most)
  const chunk = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(chunk, 0, at, at + size)
    cutter.push(chunk.subarray(0, length))
  }
  return cutter.parse()
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(fc.constantFrom('a', 'é', '€', '😀', '"', '\\', '\n', '\u0001', '/', '\u2028'), { maxLength: 60 })
    .map((characters) => characters.join(''))
)
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constantFrom(null, true, 'x'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 5 }), tie('value'), { maxKeys: 4 })
  )
}))

describe('long strings are cut and all else is kept', () => {
  test('wherever the bytes are split', () => {
    fc.assert(
      fc.property(anyValue, fc.integer({ min: 1, max: 50 }), fc.boolean(), (value, size, isIndented) => {
        const bytes = Buffer.from(JSON.stringify(value, null, isIndented ? 2 : 0))
        expect(parseInChunks(bytes, size).value).toEqual(cutAll(JSON.parse(bytes.toString())))
      })
    )
  })

  test('written with escapes too, and told how long they were', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (whole, size) => {
        const escaped = [...Array(whole.length).keys()]
          .map((at) => `\\u${whole.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join('')
        for (const json of [`["${escaped}"]`, JSON.stringify([whole])]) {
          const { value, cuts } = parseInChunks(Buffer.from(json), size)
          const [left] = value as [string]
          expect(whole.startsWith(left)).toBe(true)
          expect(cuts.get(left)?.length ?? left.length).toBe(whole.length)
          expect(left.length).toBeGreaterThanOrEqual(Math.min(most, whole.length))
          expect(left.length).toBeLessThanOrEqual(most + 1)
        }
      })
    )
  })

  test('members in their order, and of equal names the last', () => {
    const long = 'x'.repeat(100)
    expect(parseCut(Buffer.from(`{"b":1,"a":"${long}","b":{"c":"${long}"}}`), 3).value).toEqual({
      b: { c: 'xxx' },
      a: 'xxx'
    })
  })
})

test('what is malformed stays so, within a string that is cut too', () => {
  const valid = Buffer.from(JSON.stringify({ a: 'x'.repeat(60), b: ['\\n"é'.repeat(20), 1] }))
  fc.assert(
    fc.property(fc.nat(valid.length - 1), fc.nat(255), fc.integer({ min: 1, max: 40 }), (at, byte, size) => {
      const bytes = Buffer.from(valid)
      bytes[at] = byte
      const parse = (): unknown => JSON.parse(bytes.toString())
      const isMalformed = throws(parse)
      expect(throws(() => parseInChunks(bytes, size))).toBe(isMalformed)
    }),
    { numRuns: 500 }
  )
  for (const json of ['', '{', '"abc', `"${'x'.repeat(50)}`, `"${'x'.repeat(50)}\\u12"`, `"${'x'.repeat(50)}\\x"`]) {
    expect(() => parseCut(Buffer.from(json), most)).toThrow(SyntaxError)
  }
})

test('a window of a long string comes behind its head', () => {
  const whole = [...Array(200).keys()].map((at) => (at % 7 === 0 ? '😀' : at % 5 === 0 ? '\n' : 'é')).join('')
  const bytes = Buffer.from(JSON.stringify({ short: 'x', long: whole }))
  let found = ''
  for (let from = 0; from < whole.length;) {
    const cutter = new StringCutter(most, { from, to: from + 30 })
    for (const byte of bytes) cutter.push(Buffer.from([byte]))
    const { value, cuts } = cutter.parse()
    const { short, long } = value as { short: string; long: string }
    const { head, length } = cuts.get(long)!
    expect({ short, length }).toEqual({ short: 'x', length: whole.length })
    const page = from < head ? long.slice(from, head) : long.slice(head)
    expect(page.length).toBeGreaterThan(0)
    found += page
    from += page.length
  }
  expect(found).toBe(whole)
})

function throws(run: () => unknown): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}
