import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BytePiece, ByteWindow, readPieces } from './byte-pieces.ts'
import { openBytes } from './bytes.ts'

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
  for await (const chunk of readPieces(pieces, () => openBytes(path))) {
    expect(chunk.length).toBeLessThanOrEqual(2 ** 20)
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

const piece = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: fc.string({ unit: 'grapheme' }) }),
  fc
    .tuple(fc.nat(size), fc.oneof(fc.nat(100), fc.nat(3 * 2 ** 20)))
    .map(([offset, length]): BytePiece => ({ kind: 'copy', file: 0, range: [offset, Math.min(length, size - offset)] }))
)

test('pieces come out as they lie in the source, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const expected = pieces.map((one) =>
        one.kind === 'text' ? Buffer.from(one.text) : source.subarray(one.range[0], one.range[0] + one.range[1])
      )
      expect((await whole(pieces)).equals(Buffer.concat(expected))).toBe(true)
    }),
    { numRuns: 30 }
  )
})

test('a source that has become shorter is stale', async () => {
  const copy = whole([{ kind: 'copy', file: 0, range: [size - 1, 2] }])
  await expect(copy).rejects.toMatchObject({ code: 'stale', file: path })
})

test('a window gives what is asked for, up to the end of the file', async () => {
  await using bytes = await openBytes(path)
  const window = new ByteWindow(bytes)
  for (const [offset, length] of [
    [0, 10],
    [2 ** 20 - 5, 10],
    [3, 2 ** 19],
    [size - 4, 64],
    [size, 1]
  ] as const) {
    expect((await window.read(offset, length)).toString()).toBe(source.toString('utf8', offset, offset + length))
  }
})
