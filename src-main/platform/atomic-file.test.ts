import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFile } from './atomic-file.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* bytes(...texts: string[]) {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text))
}

test('a new file holds all pieces and nothing else is left behind', async () => {
  const path = join(folder, 'new.jsonl')
  const sha256 = createHash('sha256').update('one\ntwo\n').digest('hex')
  expect(await createFile(path, bytes('one\n', 'two\n'))).toEqual({ bytes: 8, sha256 })
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  expect(readdirSync(folder)).toEqual(['new.jsonl'])
})

test('a file that exists is never replaced', async () => {
  const path = join(folder, 'old.jsonl')
  writeFileSync(path, 'old')
  await expect(createFile(path, bytes('new'))).rejects.toMatchObject({ code: 'exists', file: path })
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['old.jsonl'])
})

test('a name at which a link stands is taken, wherever the link leads', async () => {
  symlinkSync(join(folder, 'nowhere'), join(folder, 'x'))
  await expect(createFile(join(folder, 'x'), bytes('a'))).rejects.toMatchObject({ code: 'exists' })
  expect(readdirSync(folder)).toEqual(['x'])
})

test('of two writers of one name exactly one succeeds', async () => {
  const path = join(folder, 'race.jsonl')
  const results = await Promise.allSettled(['a', 'b'].map((text) => createFile(path, bytes(text))))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(readdirSync(folder)).toEqual(['race.jsonl'])
})

test('a source that fails half way leaves no file', async () => {
  async function* broken() {
    yield* bytes('half')
    throw new Error('source is gone')
  }
  await expect(createFile(join(folder, 'x'), broken())).rejects.toThrow('source is gone')
  expect(readdirSync(folder)).toEqual([])
})

test('a cancelled write leaves no file', async () => {
  await expect(createFile(join(folder, 'x'), bytes('a'), { signal: AbortSignal.abort() })).rejects.toThrow()
  expect(readdirSync(folder)).toEqual([])
})

test('a file that fails its check is never published', async () => {
  const check = (temporary: string) => {
    expect(readFileSync(temporary, 'utf8')).toBe('a')
    return Promise.reject(new Error('not as planned'))
  }
  await expect(createFile(join(folder, 'x'), bytes('a'), { check })).rejects.toThrow('not as planned')
  expect(readdirSync(folder)).toEqual([])
})

test('a folder that is a link, or gone, is refused', async () => {
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  for (const name of ['link', 'gone']) {
    await expect(createFile(join(folder, name, 'x'), bytes('a'))).rejects.toMatchObject({ code: 'not-found' })
  }
  expect(readdirSync(join(folder, 'real'))).toEqual([])
})

test.runIf(process.platform === 'linux')('a folder that takes no files is refused, to root too', async () => {
  await expect(createFile('/proc/x', bytes('a'))).rejects.toMatchObject({ code: 'read-only', file: '/proc' })
})
