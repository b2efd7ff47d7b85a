import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FolderKey } from '#shared/model/keys.ts'
import { FolderKeys, realFolder } from './folder-keys.ts'
import { listFolders } from './list-folders.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('names of folders and nothing else, hidden ones last, links by where they lead', async () => {
  for (const name of ['b10', 'b9', '.hidden', 'A']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'secret.txt'), '')
  symlinkSync(join(folder, 'A'), join(folder, 'link'))
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'file-link'))
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
  const keys = new FolderKeys()
  const page = await listFolders(folder, keys)
  expect(page.folders.map(({ name }) => name)).toEqual(['A', 'b9', 'b10', 'link', '.hidden'])
  expect(page.folders.map(({ key }) => keys.path(key))).toEqual(
    ['A', 'b9', 'b10', 'A', '.hidden'].map((name) => join(folder, name))
  )
  expect(keys.path(page.key)).toBe(folder)
  expect(keys.path(page.parent!)).toBe(realpathSync(tmpdir()))
})

test('the root has no parent', async () => {
  expect((await listFolders('/', new FolderKeys())).parent).toBeNull()
})

test('a folder that cannot be read, a file and a key nobody was given are refused', async () => {
  const notFound = expect.objectContaining({ code: 'not-found' }) as Error
  await expect(listFolders(join(folder, 'gone'), new FolderKeys())).rejects.toEqual(notFound)
  writeFileSync(join(folder, 'file'), '')
  await expect(realFolder(join(folder, 'file'))).rejects.toEqual(notFound)
  const stranger = new FolderKeys().add(folder)
  expect(() => new FolderKeys().path(stranger)).toThrow(notFound)
  expect(() => new FolderKeys().path('/etc' as FolderKey)).toThrow(notFound)
})
