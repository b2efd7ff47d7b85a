import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import { readRecords, type SessionHeader, SessionStateStore, SessionStore } from './api.ts'

const source = join(corpus!, 'codelia', 'home', '.codelia', 'sessions')
const expected = JSON.parse(readFileSync(join(corpus!, 'codelia', 'expected.json'), 'utf8'))['home/.codelia/sessions']

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-codelia-corpus-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A copy of what codelia has written, to be written to even where the source is read-only. */
function copied(name: string): string {
  for (const file of globSync('**/*.{db,json,jsonl}', { cwd: source })) {
    mkdirSync(dirname(join(folder, name, file)), { recursive: true })
    writeFileSync(join(folder, name, file), readFileSync(join(source, file)))
  }
  return join(folder, name)
}

function rowsOf(sessions: string): unknown[] {
  const db = new Database(join(sessions, 'state.db'), { readonly: true })
  const rows = db.prepare('SELECT * FROM session_state ORDER BY session_id').all()
  db.close()
  return rows
}

test('the sessions that codelia wrote are listed as it lists them', () => {
  using store = new SessionStateStore(copied('list'))
  expect(store.list().map(({ session_id: id }) => id)).toEqual(expected.listOrder)
  for (const { session_id: id, last_user_message: last } of store.list())
    if (id in expected.sessions) expect(last).toBe(expected.sessions[id].lastUserMessage)
})

test('what codelia saved is loaded, and saved again as the same bytes and rows', () => {
  const sessions = copied('save')
  const before = rowsOf(sessions)
  using store = new SessionStateStore(sessions)
  for (const id of Object.keys(expected.sessions)) {
    const path = join(sessions, 'messages', `${id}.jsonl`)
    const bytes = readFileSync(path)
    const state = store.load(id)
    store.save(state!)
    expect(readFileSync(path).equals(bytes)).toBe(true)
  }
  expect(rowsOf(sessions)).toEqual(before)
})

test('every run that codelia wrote is written again byte by byte, below the same day', async () => {
  const names = globSync('[0-9]*/[0-9]*/[0-9]*/*.jsonl', { cwd: source })
  expect(names).toHaveLength(7)
  for (const name of names) {
    let store: SessionStore | undefined
    for await (const record of readRecords(join(source, name))) {
      if (store === undefined) store = SessionStore.create(join(folder, 'runs'), record as unknown as SessionHeader)
      else store.append(record as unknown as Parameters<SessionStore['append']>[0])
    }
    expect(store?.filePath).toBe(join(folder, 'runs', name))
    expect(readFileSync(store!.filePath).equals(readFileSync(join(source, name)))).toBe(true)
  }
})
