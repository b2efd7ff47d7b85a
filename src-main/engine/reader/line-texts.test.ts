import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBytes } from '#main/platform/bytes.ts'
import { lineHeads, lineText } from './line-texts.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  file = join(folder, 'a.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

function linesOf(text: string) {
  writeFileSync(file, text)
  let offset = 0
  return text.split(/(?<=\n)/).map((line, index) => {
    const length = Buffer.byteLength(line)
    offset += length
    return { number: index + 1, offset: offset - length, length, class: 'entry' as const }
  })
}

test('the head of a line is its first 400 characters without the line end', async () => {
  const lines = linesOf(`{"a":1}\r\n\n${'é'.repeat(500)}\n${'😀'.repeat(300)}\nlast`)
  const { signal } = new AbortController()
  await using source = await openBytes(file)
  expect(await lineHeads(source, lines, signal)).toEqual(['{"a":1}', '', 'é'.repeat(400), '😀'.repeat(200), 'last'])
})

test.each([1, 4, 5, 7, 1000])('a line read %i bytes at a time is the whole line', async (limit) => {
  const text = 'aé漢😀'.repeat(20)
  const [, line] = linesOf(`first\n${text}\r\nlast`)
  await using source = await openBytes(file)
  let read = ''
  for (let from: number | null = 0; from !== null;) {
    const part = await lineText(source, line!, from, limit)
    expect(part).toMatchObject({ from, length: Buffer.byteLength(text) + 2 })
    read += part.text
    from = part.next
  }
  expect(read.replaceAll('\r', '')).toBe(text)
})

test('a place within a character moves on to the next one', async () => {
  const [line] = linesOf('漢字\n')
  await using source = await openBytes(file)
  expect(await lineText(source, line!, 1, 100)).toEqual({ text: '字', from: 3, length: 7, next: null })
})

test('bytes that are no text at all do not stop the reading', async () => {
  writeFileSync(file, Buffer.alloc(100, 0x80))
  const line = { number: 1, offset: 0, length: 100, class: 'fault' as const }
  await using source = await openBytes(file)
  let count = 0
  for (let from: number | null = 0; from !== null; count++) from = (await lineText(source, line, from, 10)).next
  expect(count).toBeLessThan(30)
})
