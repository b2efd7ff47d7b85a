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
import { createFolder } from './atomic-folder.ts'
import { isTemporary } from './temporary-name.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* bytes(...texts: string[]) {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text))
}

const two = () => [
  { name: 'a.jsonl', chunks: bytes('one\n', 'two\n') },
  { name: 'b.txt', chunks: bytes() }
]

test('a new folder holds its files and nothing else is left behind', async () => {
  const path = join(folder, 'new')
  const sha256 = createHash('sha256').update('one\ntwo\n').digest('hex')
  const made = await createFolder(path, two())
  expect(made[0]).toEqual({ bytes: 8, sha256 })
  expect(made[1]?.bytes).toBe(0)
  expect(readFileSync(join(path, 'a.jsonl'), 'utf8')).toBe('one\ntwo\n')
  expect(readdirSync(path).toSorted()).toEqual(['a.jsonl', 'b.txt'])
  expect(readdirSync(folder)).toEqual(['new'])
})

test.each([
  ['an empty folder', (path: string) => mkdirSync(path)],
  ['a folder with a file', (path: string) => (mkdirSync(path), writeFileSync(join(path, 'x'), 'old'))],
  ['a file', (path: string) => writeFileSync(path, 'old')],
  ['a link that leads nowhere', (path: string) => symlinkSync(join(folder, 'nowhere'), path)]
])('%s at its name is never replaced', async (_what, make) => {
  const path = join(folder, 'old')
  make(path)
  await expect(createFolder(path, two())).rejects.toMatchObject({ code: 'exists', file: path })
  expect(readdirSync(folder)).toEqual(['old'])
})

test('what comes to stand at its name while it is made is not replaced', async () => {
  const path = join(folder, 'late')
  const check = async () => void mkdirSync(path)
  await expect(createFolder(path, two(), { check })).rejects.toMatchObject({ code: 'exists' })
  expect(readdirSync(folder)).toEqual(['late'])
  expect(readdirSync(path)).toEqual([])
})

test('of two writers of one name exactly one succeeds', async () => {
  const path = join(folder, 'race')
  const results = await Promise.allSettled([1, 2].map(() => createFolder(path, two())))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(readdirSync(folder)).toEqual(['race'])
})

test('a source that fails half way, and a check that does, leave nothing', async () => {
  async function* broken() {
    yield* bytes('half')
    throw new Error('source is gone')
  }
  const path = join(folder, 'new')
  await expect(createFolder(path, [...two(), { name: 'c', chunks: broken() }])).rejects.toThrow('source is gone')
  const check = (temporary: string) => {
    expect(readdirSync(temporary).toSorted()).toEqual(['a.jsonl', 'b.txt'])
    expect(readdirSync(folder).every(isTemporary)).toBe(true)
    return Promise.reject(new Error('not as planned'))
  }
  await expect(createFolder(path, two(), { check })).rejects.toThrow('not as planned')
  expect(readdirSync(folder)).toEqual([])
})

test('a parent folder that is gone or a link is refused', async () => {
  await expect(createFolder(join(folder, 'no', 'new'), two())).rejects.toMatchObject({ code: 'not-found' })
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  await expect(createFolder(join(folder, 'link', 'new'), two())).rejects.toMatchObject({ code: 'not-found' })
})
