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
    const found = parse(`{"name":"Bash${raw}","content":"${long}"}`)
    expect(found).toMatchObject({ value: { name: `Bash${raw}` }, isCut: true })
    expect(JSON.stringify(found).length).toBeLessThan(10_000)
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
