import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFileSync } from './replace-file-sync.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-replace-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a file is made with its folder, for its owner alone, and then replaced', () => {
  const path = join(folder, 'new', 'file')
  replaceFileSync(path, 'one')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const { ino } = statSync(path)
  replaceFileSync(path, 'two')
  expect(readFileSync(path, 'utf8')).toBe('two')
  expect(statSync(path).ino).not.toBe(ino)
  expect(readdirSync(join(folder, 'new'))).toEqual(['file'])
})

test('what a link leads to is left alone', () => {
  writeFileSync(join(folder, 'other'), 'other')
  symlinkSync(join(folder, 'other'), join(folder, 'link'))
  replaceFileSync(join(folder, 'link'), 'new')
  expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('other')
  expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('new')
})

test('nothing is left behind where the name cannot be taken', () => {
  mkdirSync(join(folder, 'taken', 'by'), { recursive: true })
  expect(() => replaceFileSync(join(folder, 'taken'), 'text')).toThrow()
  expect(readdirSync(folder)).toEqual(['taken'])
})
