import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SessionView } from '#main/formats/format.ts'
import { openBytes } from '#main/platform/bytes.ts'
import { requireUnchanged } from '#main/platform/require-unchanged.ts'
import type { ByteRange } from '#shared/model/entry.ts'
import { planPath, planWholeFile } from './plan-export.ts'
import { writeExport } from './write-export.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A view of a file in which each `{…}` is an entry; the first `preamble` lines stand in front. */
function viewOf(text: string, preamble = 0): SessionView {
  const path = join(folder, 'source.jsonl')
  writeFileSync(path, text)
  const { size, mtimeMs } = statSync(path)
  const lines: ByteRange[] = []
  for (let at = 0; lines.length < preamble;) {
    const end = text.indexOf('\n', at) + 1
    lines.push([at, end - at])
    at = end
  }
  const skipped = lines.reduce((sum, [, length]) => sum + length, 0)
  const entries = [...text.matchAll(/\{[^{}]*\}/g)].filter(({ index }) => index >= skipped)
  return {
    records: {
      files: [{ path, size, length: size, modified: mtimeMs }],
      entries: entries.map((found) => ({ file: 0, bytes: [found.index, found[0].length] }))
    },
    tree: { preamble: lines },
    open: () => openBytes(path)
  } as unknown as SessionView
}

async function exported(view: SessionView, path: readonly number[] | null) {
  const plan = path === null ? planWholeFile(view) : await planPath(view, path)
  const out = join(folder, 'out.jsonl')
  const check = () => requireUnchanged(view.records.files)
  const result = await writeExport({ as: 'jsonl', plan }, out, { redact: false, check })
  const bytes = readFileSync(out, 'utf8')
  expect(result).toMatchObject({ out, as: 'jsonl', redacted: null, resumable: true })
  expect(result).toMatchObject({ bytes: Buffer.byteLength(bytes), source: { file: join(folder, 'source.jsonl') } })
  expect(result.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  return { ...result, bytes }
}

test('a whole file comes out byte for byte, whatever is in it', async () => {
  const text = '\ufeff{h}\r\n\n{a}{b}\n\u0000garbage\n{c} torn {'
  expect(await exported(viewOf(text), null)).toMatchObject({
    bytes: text,
    addedLineFeeds: 0,
    source: { ranges: [[0, Buffer.byteLength(text)]] }
  })
})

test('an empty file comes out empty', async () => {
  expect(await exported(viewOf(''), null)).toMatchObject({ bytes: '', source: { ranges: [] } })
})

test('a path comes out behind the lines in front, in file order, each with its own line end', async () => {
  const view = viewOf('{title}\n{header}\r\n{a}\n{b}\r\n{c}\n{d} \n', 2)
  expect(await exported(view, [3, 0, 1])).toMatchObject({
    bytes: '{title}\n{header}\r\n{a}\n{b}\r\n{d} \n',
    entries: 3,
    addedLineFeeds: 0,
    source: {
      ranges: [
        [0, 27],
        [31, 5]
      ]
    }
  })
})

test('glued objects and an unterminated last one get a line feed, and it is counted', async () => {
  const view = viewOf('{h}\n{a}{b}\n{c}xx\n{d}', 1)
  expect(await exported(view, [0, 1, 2, 3])).toMatchObject({
    bytes: '{h}\n{a}\n{b}\n{c}\n{d}\n',
    addedLineFeeds: 3,
    source: {
      ranges: [
        [0, 7],
        [7, 7],
        [17, 3]
      ]
    }
  })
})

test('a header that an entry is glued to, or that ends the file, gets a line feed, too', async () => {
  const headed = (text: string): SessionView => {
    const view = viewOf(text)
    return { ...view, tree: { ...view.tree, preamble: [[0, 3]] } }
  }
  expect(await exported(headed('{h}{a}\n'), [1])).toMatchObject({
    bytes: '{h}\n{a}\n',
    addedLineFeeds: 1,
    source: {
      ranges: [
        [0, 3],
        [3, 4]
      ]
    }
  })
  rmSync(join(folder, 'out.jsonl'))
  expect(await exported(headed('{h}'), [])).toMatchObject({ bytes: '{h}\n', entries: 0, addedLineFeeds: 1 })
})

test('a source that changed while it was copied leaves no export', async () => {
  const view = viewOf('{h}\n{a}\n', 1)
  const plan = planWholeFile(view)
  writeFileSync(plan.file, '{h}\n{a}\n{b}\n')
  const check = () => requireUnchanged(view.records.files)
  const written = writeExport({ as: 'jsonl', plan }, join(folder, 'out.jsonl'), { redact: false, check })
  await expect(written).rejects.toMatchObject({ code: 'stale' })
})

test('a line far longer than the window is copied whole', async () => {
  const text = `{h}\n{${'x'.repeat(5 * 2 ** 20)}}\n{b}\n`
  const view = viewOf(text, 1)
  expect((await exported(view, [0, 1])).bytes === text).toBe(true)
})
