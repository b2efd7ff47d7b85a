import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWriteDb } from './open-index.ts'
import { requireOwnIndex } from './own-index.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-own-index-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

test('a new place, an empty file and our own index are taken', () => {
  requireOwnIndex(at('sub/new.db'))
  expect(existsSync(at('sub'))).toBe(true)
  writeFileSync(at('empty.db'), '')
  requireOwnIndex(at('empty.db'))
  const mine = openWriteDb(at('mine.db'), () => undefined)
  requireOwnIndex(at('mine.db'))
  mine.close()
  requireOwnIndex(at('mine.db'))
})

test('our own index of another version is taken, and made again', () => {
  const older = openWriteDb(at('older.db'), () => undefined)
  older.exec('CREATE TABLE "of another time" (a); PRAGMA user_version = 1')
  older.close()
  requireOwnIndex(at('older.db'))
  const logged: string[] = []
  const db = openWriteDb(at('older.db'), (line) => logged.push(line))
  expect(logged).toEqual([expect.stringContaining('has version 1')])
  expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'of another time'").all()).toEqual([])
  db.close()
})

test.each([
  ['a short text', 'notes'],
  [
    'a session',
    `{"type":"session","version":3,"id":"a","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/user/project"}\n`
  ]
])('%s is refused and stays as it is', (_name, content) => {
  writeFileSync(at('file'), content)
  expect(() => requireOwnIndex(at('file'))).toThrow(/is not an index of Treeline/)
  expect(readFileSync(at('file'), 'utf8')).toBe(content)
})

test("another program's database is refused, whatever its name", () => {
  for (const name of ['other.db', 'index.db']) {
    const other = new Database(at(name))
    other.exec('CREATE TABLE mine (a)')
    other.close()
    const before = readFileSync(at(name))
    expect(() => requireOwnIndex(at(name))).toThrow(/is not an index of Treeline/)
    expect(readFileSync(at(name)).equals(before)).toBe(true)
  }
})

test('a database that was begun and not filled is taken', () => {
  const begun = new Database(at('begun.db'))
  begun.pragma('journal_mode = WAL')
  begun.close()
  requireOwnIndex(at('begun.db'))
})

test("a file of the app's own name may be damaged from its first byte on", () => {
  writeFileSync(at('index.db'), Buffer.alloc(5000, 7))
  requireOwnIndex(at('index.db'))
})

test('a folder is refused', () => {
  mkdirSync(at('dir'))
  expect(() => requireOwnIndex(at('dir'))).toThrow(/cannot be opened/)
})
