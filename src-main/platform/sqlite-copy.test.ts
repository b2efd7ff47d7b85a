import { copyFileSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sha256OfFile } from './sha256-of-file.ts'
import { readCopy } from './sqlite-copy.ts'

// Root may read every file, so that one that is refused must be made.
vi.mock(import('node:fs'), async (original) => {
  const fs = await original()
  return {
    ...fs,
    copyFileSync(from, to) {
      if (String(from).endsWith('locked.db')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
      fs.copyFileSync(from, to)
    }
  }
})

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
  path = join(folder, 'state.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const names = (db: Database.Database) => db.prepare('SELECT name FROM things').pluck().all()
const ours = () => readdirSync(tmpdir()).filter((name) => /^treeline-[A-Za-z0-9]{6}$/.test(name))

function fill(...things: readonly string[]): Database.Database {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE things (name TEXT)')
  for (const name of things) db.prepare('INSERT INTO things VALUES (?)').run(name)
  return db
}

test('a database is read with what only its log holds, while its writer has it open', async () => {
  using writer = { db: fill('one', 'two'), [Symbol.dispose]: () => writer.db.close() }
  const before = readdirSync(folder)
  const hashes = await Promise.all([path, `${path}-wal`].map((file) => sha256OfFile(file)))
  const temporary = ours()
  expect(readCopy(path, names)).toEqual(['one', 'two'])
  expect(readdirSync(folder)).toEqual(before)
  expect(await Promise.all([path, `${path}-wal`].map((file) => sha256OfFile(file)))).toEqual(hashes)
  expect(ours()).toEqual(temporary)
})

test('a closed database in the mode of a log has no file made beside it', () => {
  fill('one').close()
  expect(readdirSync(folder)).toEqual(['state.db'])
  expect(readCopy(path, names)).toEqual(['one'])
  expect(readdirSync(folder)).toEqual(['state.db'])
})

test('nothing is known of one that may not be read', () => {
  const locked = join(folder, 'locked.db')
  fill('one').close()
  copyFileSync(path, locked)
  expect(readCopy(locked, names)).toBeUndefined()
})

test.each([
  ['there is none', () => undefined],
  ['it is no database', () => writeFileSync(path, 'x'.repeat(5000))],
  [
    'it is torn',
    () => {
      fill(...Array.from({ length: 2000 }, (_, at) => `a longer name ${at}`)).close()
      truncateSync(path, 9000)
    }
  ],
  ['it has another shape', () => new Database(path).exec('CREATE TABLE others (name TEXT)').close()]
])('nothing is known where %s, and no copy stays', (_, make) => {
  make()
  const temporary = ours()
  expect(readCopy(path, names)).toBeUndefined()
  expect(ours()).toEqual(temporary)
})
