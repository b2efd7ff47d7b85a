import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sessionRows } from './session-rows.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
  path = join(folder, 'state.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

function make(table: string, ...rows: readonly (readonly unknown[])[]): void {
  const db = new Database(path)
  db.exec(`CREATE TABLE ${table}`)
  const name = table.slice(0, table.indexOf('('))
  for (const row of rows) db.prepare(`INSERT INTO ${name} VALUES (${row.map(() => '?').join(', ')})`).run(...row)
  db.close()
}

test('a row has the columns that its database has', () => {
  make('session_state(session_id TEXT PRIMARY KEY, updated_at TEXT NOT NULL, run_id TEXT, invoke_seq INTEGER)', [
    's',
    '2026-01-01T00:00:00.000Z',
    null,
    3
  ])
  expect(sessionRows(path)).toEqual(
    new Map([['s', { session_id: 's', updated_at: '2026-01-01T00:00:00.000Z', invoke_seq: 3 }]])
  )
})

test('a text that is too long and what is no text are left out, columns that are unknown too', () => {
  make(
    'session_state(session_id, meta_json, last_user_message, workspace_root, later)',
    ['s', '{}'.padEnd(65_537), 'x'.repeat(5000), Buffer.from('x'), 'new'],
    [7, '{}', '', '/w', null]
  )
  expect(sessionRows(path)).toEqual(new Map([['s', { session_id: 's' }]]))
})

test('a database of another shape has no rows', () => {
  make('others(session_id TEXT)', ['s'])
  expect(sessionRows(path)).toEqual(new Map())
})

test.each([
  ['is no database', () => writeFileSync(path, 'no database at all, but long enough to be one '.repeat(50))],
  [
    'is too large',
    () => {
      make('session_state(session_id)', ['s'])
      truncateSync(path, 2 ** 28 + 4096)
    }
  ]
])('of what %s nothing is known', (_, write) => {
  write()
  expect(sessionRows(path)).toBeNull()
})
