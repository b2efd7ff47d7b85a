import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bytes, openBytes } from '#main/platform/bytes.ts'
import { linesFromEnd } from './lines-from-end.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function lines(text: string, end?: number): Promise<(readonly [number, string])[]> {
  const path = join(folder, 'log')
  writeFileSync(path, text, 'latin1')
  await using bytes = await openBytes(path)
  const found: (readonly [number, string])[] = []
  for await (const group of linesFromEnd(bytes, end ?? Buffer.byteLength(text, 'latin1'))) {
    found.push(...group.map((line) => [line.offset, line.bytes?.toString('latin1') ?? ''] as const))
  }
  return found
}

test('lines come from the last to the first, empty ones left out', async () => {
  expect(await lines('one\ntwo\n\nthree\n')).toEqual([
    [9, 'three'],
    [4, 'two'],
    [0, 'one']
  ])
  expect(await lines('')).toEqual([])
  expect(await lines('\n\n')).toEqual([])
  expect(await lines('one\r\ntwo\r\n')).toEqual([
    [5, 'two'],
    [0, 'one']
  ])
})

test('a last line without a line feed is one, and nothing behind the end is looked at', async () => {
  expect(await lines('one\ntw')).toEqual([
    [4, 'tw'],
    [0, 'one']
  ])
  expect(await lines('one\ntwo\nthree\n', 8)).toEqual([
    [4, 'two'],
    [0, 'one']
  ])
})

test('lines of any lengths are those of the text split at line feeds', async () => {
  const line = fc.tuple(fc.constantFrom(0, 1, 3, 65_535, 65_536, 65_537, 140_000), fc.constantFrom('a', 'é'))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.boolean(), async (made, isTorn) => {
      const text = made.map(([length, character]) => character.repeat(length)).join('\n') + (isTorn ? '' : '\n')
      let offset = text.length + 1
      const expected = text
        .split('\n')
        .toReversed()
        .map((one) => [(offset -= one.length + 1), one] as const)
      expect(await lines(text)).toEqual(expected.filter(([, one]) => one !== ''))
    }),
    { numRuns: 40 }
  )
})

test('no more is read than the lines that are asked for and 64 KiB', async () => {
  const path = join(folder, 'log')
  writeFileSync(path, `${'x'.repeat(999)}\n`.repeat(1000))
  await using bytes = await openBytes(path)
  let read = 0
  const counted: Bytes = { ...bytes, read: async (into, at) => ((read += into.length), await bytes.read(into, at)) }
  let asked = 0
  for await (const group of linesFromEnd(counted, 1_000_000)) if ((asked += group.length) >= 200) break
  expect(read).toBeLessThanOrEqual(200_000 + 64 * 1024)
})

test('a line of more than 1 MiB is never held twice, and whole like any other', async () => {
  const long = 'x'.repeat(2 ** 21)
  expect(await lines(`one\n${long}\r\ntwo\n${long}y`)).toEqual([
    [long.length + 10, `${long}y`],
    [long.length + 6, 'two'],
    [4, long],
    [0, 'one']
  ])
  const path = join(folder, 'log')
  await using bytes = await openBytes(path)
  let largest = 0
  const counted: Bytes = {
    ...bytes,
    read(into, at) {
      largest = Math.max(largest, into.length)
      return into.length > 2 ** 20 ? Promise.resolve(0) : bytes.read(into, at)
    }
  }
  await expect(linesFromEnd(counted, long.length * 2 + 11).next()).rejects.toMatchObject({ code: 'stale' })
  expect(largest).toBe(long.length + 1)
})

test('a file that has become shorter is stale', async () => {
  const path = join(folder, 'log')
  writeFileSync(path, 'one\ntwo\n')
  await using bytes = await openBytes(path)
  truncateSync(path, 3)
  await expect(linesFromEnd(bytes, 8).next()).rejects.toMatchObject({ code: 'stale', file: path })
})
