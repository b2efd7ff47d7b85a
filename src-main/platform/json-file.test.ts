import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { jsonFile } from './json-file.ts'

const Schema = v.strictObject({
  colour: v.optional(v.picklist(['red', 'blue']), 'red'),
  size: v.optional(v.number(), 1)
})
let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-json-'))
  path = join(folder, 'data', 'own.json')
})
const put = (text: string) => {
  mkdirSync(join(folder, 'data'))
  writeFileSync(path, text)
}

test('where there is no file the defaults hold, and nothing is written', async () => {
  expect(await jsonFile(path, Schema).read()).toEqual({ colour: 'red', size: 1 })
  expect(readdirSync(folder)).toEqual([])
})

test('a change is read by another process; members that are left out have their default', async () => {
  await jsonFile(path, Schema).change((before) => ({ ...before, colour: 'blue' }))
  expect(await jsonFile(path, Schema).read()).toEqual({ colour: 'blue', size: 1 })
  writeFileSync(path, '{"size":3}')
  expect(await jsonFile(path, Schema).read()).toEqual({ colour: 'red', size: 3 })
  expect(readdirSync(join(folder, 'data'))).toEqual(['own.json'])
})

test('two that change different members at once keep both', async () => {
  const file = jsonFile(path, Schema)
  const other = jsonFile(path, Schema)
  await Promise.all([
    file.change((before) => ({ ...before, colour: 'blue' as const })),
    file.change((before) => ({ ...before, size: 9 }))
  ])
  expect(await other.change((before) => ({ ...before, size: before.size + 1 }))).toEqual({ colour: 'blue', size: 10 })
})

test.each(['{', '[]', '{"colour":"green"}', '{"unknown":1}', ''])(
  'a file that says %j is set aside, and that is said',
  async (text) => {
    put(text)
    const file = jsonFile(path, Schema)
    expect(await file.read()).toEqual({ colour: 'red', size: 1 })
    const [aside] = readdirSync(join(folder, 'data'))
    expect(readFileSync(join(folder, 'data', aside!), 'utf8')).toBe(text)
    expect(file.problem()).toContain(aside)
  }
)

test('what cannot be read is never written over', async () => {
  mkdirSync(path, { recursive: true })
  const file = jsonFile(path, Schema)
  expect(await file.read()).toEqual({ colour: 'red', size: 1 })
  expect(file.problem()).toContain('cannot be read')
  await expect(file.change((before) => before)).rejects.toMatchObject({ code: 'read-only' })
  expect(lstatSync(path).isDirectory()).toBe(true)
})

test('a link to the file stays a link', async () => {
  put('{}')
  const link = join(folder, 'link.json')
  symlinkSync(path, link)
  await jsonFile(link, Schema).change((before) => ({ ...before, size: 2 }))
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ colour: 'red', size: 2 })
})

test('without a path everything is kept in memory', async () => {
  const file = jsonFile(null, Schema)
  await file.change((before) => ({ ...before, size: 5 }))
  expect(await file.read()).toEqual({ colour: 'red', size: 5 })
})
