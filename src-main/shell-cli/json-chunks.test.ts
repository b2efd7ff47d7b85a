import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonChunks } from './json-chunks.ts'

const text = (value: unknown) => [...jsonChunks(value)].join('')

test('writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(text(value)).toBe(JSON.stringify(value))
    })
  )
})

test('leaves out undefined members, and writes null for what has no JSON', () => {
  expect(text({ a: undefined, b: [undefined, Number.NaN], c: {} })).toBe('{"b":[null,null],"c":{}}')
})

test('half of a surrogate pair is U+FFFD wherever it stands, and text that only looks like its escape stays', () => {
  const halves = { '\udc00': ['a\ud83d', '\ud83d\ud83d😀', '\\ud83d', '\\\ud83d'] }
  expect(JSON.parse(text(halves))).toEqual({ '\ufffd': ['a\ufffd', '\ufffd\ufffd😀', '\\ud83d', '\\\ufffd'] })
  expect(text(halves)).not.toContain('\\ud83d\\ud83d')
})

test('cuts long texts between characters, lone surrogates included', () => {
  for (const shift of [0, 1]) {
    const long = `${'x'.repeat(65_535 + shift)}😀"\\\n\ud83d${'é\u2028'.repeat(70_000)}`
    const chunks = [...jsonChunks([long])]
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks.join('')).toBe(JSON.stringify([long.toWellFormed()]))
  }
})

test('no nesting is too deep', () => {
  let deep: unknown = 1
  for (let level = 0; level < 200_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep }
  const written = text(deep)
  expect(written.startsWith('{"a":[{"a":[')).toBe(true)
  expect(written.length).toBe(100_000 * 2 + 100_000 * 6 + 1)
})
