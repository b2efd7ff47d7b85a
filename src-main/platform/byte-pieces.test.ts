import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPieces, WindowedFile, type BytePiece } from './byte-pieces.ts'

const size = 5 * 2 ** 20
const source = Buffer.from(
  Array.from({ length: size / 4 }, (_, index) => String(index % 10_000).padStart(4, '0')).join('')
)

let folder: string
let path: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  path = join(folder, 'source')
  writeFileSync(path, source)
})
afterEach(() => rmSync(folder, { recursive: true }))

async function whole(pieces: readonly BytePiece[]): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of readPieces(pieces)) {
    expect(chunk.length).toBeLessThanOrEqual(2 ** 20)
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

const piece = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: fc.string({ unit: 'grapheme' }) }),
  fc
    .tuple(fc.nat(size), fc.oneof(fc.nat(100), fc.nat(3 * 2 ** 20)))
    .map(([offset, length]) => ({ kind: 'copy' as const, offset, length: Math.min(length, size - offset) }))
)

test('pieces come out as they lie in the source, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (made) => {
      const pieces = made.map((one): BytePiece => (one.kind === 'text' ? one : { ...one, path }))
      const expected = made.map((one) =>
        one.kind === 'text' ? Buffer.from(one.text) : source.subarray(one.offset, one.offset + one.length)
      )
      expect((await whole(pieces)).equals(Buffer.concat(expected))).toBe(true)
    }),
    { numRuns: 30 }
  )
})

test('a source that has become shorter is stale, one that is gone is not found', async () => {
  await expect(whole([{ kind: 'copy', path, offset: size - 1, length: 2 }])).rejects.toMatchObject({ code: 'stale' })
  const gone = join(folder, 'gone')
  const copy = whole([{ kind: 'copy', path: gone, offset: 0, length: 1 }])
  await expect(copy).rejects.toMatchObject({ code: 'not-found', file: gone })
})

test('a window gives what is asked for, up to the end of the file', async () => {
  await using file = await WindowedFile.open(path)
  for (const [offset, length] of [
    [0, 10],
    [2 ** 20 - 5, 10],
    [3, 2 ** 19],
    [size - 4, 64],
    [size, 1]
  ] as const) {
    expect((await file.read(offset, length)).toString()).toBe(source.toString('utf8', offset, offset + length))
  }
})
