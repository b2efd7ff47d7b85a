import { expect, test } from 'vitest'
import { firstLines } from './first-lines.ts'

async function* chunked(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

test.each([1, 7, 1000])('lines are the same in chunks of %i bytes', async (size) => {
  const text = `{"a":"é"}\r\n\n${'漢'.repeat(500)}\nlast`
  expect(await firstLines(chunked(text, size))).toEqual({
    lines: ['{"a":"é"}', '', '漢'.repeat(400), 'last'],
    lineCount: 4,
    bytes: Buffer.byteLength(text)
  })
})

test('forty lines are shown and all are counted', async () => {
  const { lines, lineCount } = await firstLines(chunked('line\n'.repeat(100), 64))
  expect(lines).toHaveLength(40)
  expect(lineCount).toBe(100)
})
