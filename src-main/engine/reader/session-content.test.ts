import { appendFileSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBytes } from '#main/platform/bytes.ts'
import type { EntryRecord, JsonObject, SessionRecords } from '#shared/model/records.ts'
import { sessionContent } from './session-content.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Records of one file in which each text is a line and an entry. */
function recordsOf(texts: readonly string[]): SessionRecords {
  const path = join(folder, 'a.jsonl')
  writeFileSync(path, '')
  let offset = 0
  const entries = texts.map((text) => {
    const length = Buffer.byteLength(text)
    appendFileSync(path, `${text}\n`)
    offset += length + 1
    return { file: 0, bytes: [offset - length - 1, length] } as unknown as EntryRecord
  })
  return { files: [{ path }], entries } as unknown as SessionRecords
}

async function objects(records: SessionRecords, at: readonly number[], signal?: AbortSignal) {
  const found: (JsonObject | null)[] = []
  for await (const object of sessionContent(records, () => openBytes(records.files[0].path), {}).objects(at, signal))
    found.push(object)
  return found
}

test('objects come back in the order asked for, near and far, twice if asked twice', async () => {
  const big = 'x'.repeat(3 * 2 ** 20)
  const records = recordsOf([...Array(50).keys()].map((n) => JSON.stringify({ n, text: n % 10 === 0 ? big : 'é' })))
  const order = [0, 1, 2, 3, 30, 29, 28, 28, 49, 0, 10]
  const found = await objects(records, order)
  expect(found.map((object) => object?.['n'])).toEqual(order)
})

test('entries in the same bytes share one object, and one that lies in no file has its own', async () => {
  const records = recordsOf(['{"a":1}', '{"b":2}'])
  const [first, second] = records.entries as [EntryRecord, EntryRecord]
  const entries = [first, first, second, { ...first, synthetic: { c: 3 } }]
  expect(await objects({ ...records, entries }, [0, 1, 2, 3, 1])).toEqual([
    { a: 1 },
    { a: 1 },
    { b: 2 },
    { c: 3 },
    { a: 1 }
  ])
})

test('what does not parse any more, or is no object, is null', async () => {
  expect(await objects(recordsOf(['{"a":1}', '{broken', '[1]', 'null']), [0, 1, 2, 3])).toEqual([
    { a: 1 },
    null,
    null,
    null
  ])
})

test('a file that has become shorter gives null where its bytes are gone', async () => {
  const records = recordsOf(['{"a":1}', '{"b":2}'])
  truncateSync(records.files[0].path, 9)
  expect(await objects(records, [0, 1])).toEqual([{ a: 1 }, null])
})

test('why a file cannot be opened is passed on', async () => {
  const records = recordsOf(['{"a":1}'])
  rmSync(records.files[0].path)
  await expect(objects(records, [0])).rejects.toMatchObject({ code: 'ENOENT' })
})

test('stops when it is cancelled', async () => {
  await expect(objects(recordsOf(['{"a":1}']), [0], AbortSignal.abort())).rejects.toThrow()
})
