import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseLine } from './parse-line.ts'

const parse = (text: string) => parseLine(Buffer.from(text))

test('a line of JSON is read as it is', () => {
  expect(parse('{"type":"text","content":"\\u001b é"}')).toEqual({
    value: { type: 'text', content: '\u001b é' },
    repairs: [],
    isCut: false
  })
})

test('raw control bytes are read as what they are, and said', () => {
  expect(parse('{"content":"a\u001b[31mb\u0000\tc"}')).toEqual({
    value: { content: 'a\u001b[31mb\u0000\tc' },
    repairs: ['control-bytes'],
    isCut: false
  })
})

test('a fork without a value is null, and said, beside control bytes too', () => {
  expect(parse('{"type":"sub_agent_start","fork":}')).toMatchObject({
    value: { type: 'sub_agent_start', fork: null },
    repairs: ['empty-member']
  })
  expect(parse('{"prompt":"\u001b","fork":}')).toMatchObject({
    value: { prompt: '\u001b', fork: null },
    repairs: ['control-bytes', 'empty-member']
  })
})

test('what is no JSON even so is not read', () => {
  for (const text of ['{"type":"text","con', '', '{"a":}', '{"fork":}x', '\u001b']) expect(parse(text)).toBeUndefined()
})

test('of a huge line no long string is made whole, repaired or not', () => {
  const long = 'x'.repeat(2 ** 20)
  for (const raw of ['', '\u001b']) {
    for (const member of ['"a":1', '"fork":']) {
      const found = parse(`{"name":"Bash${raw}","content":"${long}",${member}}`)
      expect(found).toMatchObject({ value: { name: `Bash${raw}` }, isCut: true })
      expect(JSON.stringify(found).length).toBeLessThan(10_000)
    }
  }
})

test('a huge line with raw control bytes anywhere is read as one that has them escaped', () => {
  const parts = Array.from({ length: 40_000 }, (_, at) => `${'é'.repeat(at % 40)}${String.fromCharCode(at % 32)}`)
  const content = parts.join('')
  const line = Buffer.from(`{"content":${JSON.stringify(content)},"more":"${'\u001b'.repeat(3)}"}`)
  const raw = Buffer.from(`{"content":"${content}","more":"${'\u001b'.repeat(3)}"}`)
  expect(raw.length).toBeGreaterThan(2 ** 20)
  for (const bytes of [line, raw]) {
    expect(parseLine(bytes, Infinity)?.value).toEqual({ content, more: '\u001b\u001b\u001b' })
    expect(parseLine(bytes)?.value).toEqual({ content: content.slice(0, 4096), more: '\u001b\u001b\u001b' })
    expect(parseLine(bytes)).toMatchObject({ repairs: ['control-bytes'], isCut: true })
  }
})

test('any object comes back, with its control characters escaped or raw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('\u001b', '\u0001', '\u001f', ''), (text, raw) => {
      const line = JSON.stringify({ content: `${text}${raw}` }).replaceAll('\\u001b', '\u001b')
      expect(parse(line)?.value).toEqual({ content: `${text}${raw}` })
    })
  )
})
