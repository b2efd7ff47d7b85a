import { appendFileSync, cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runIds, sessionId, sessionsFixture } from '#main/formats/codelia/testing.ts'
import type { Calls, Events } from '#shared/contract/contract.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import type { Client } from '#shared/rpc/client.ts'
import { createEngine } from './create-engine.ts'
import type { Engine } from './types.ts'

let home: string
let root: string
let engine: Engine
let client: Client<Calls, Events>
let events: Set<() => void>

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  root = join(home, 'sessions')
  cpSync(sessionsFixture, root, { recursive: true })
  events = new Set()
  engine = await createEngine({
    index: join(home, 'index.db'),
    dataFolder: join(home, 'data'),
    settings: null,
    samples: null,
    env: {},
    home,
    worker: null,
    watch: true,
    log: (line) => expect.unreachable(line)
  })
  client = engine.client({ info: { version: '0', shell: 'none', why: 'test', nativeDialog: false, reveal: false } })
  for (const name of ['session.changed', 'folder.changed'] as const)
    client.on(name, () => events.forEach((look) => look()))
  await engine.openFolder(root)
  await engine.idle()
})
afterEach(async () => {
  await engine.close()
  rmSync(home, { recursive: true })
})

const row = async (): Promise<SessionRow> =>
  (await client.call('session.list', {})).find(({ id, runs }) => id === sessionId && runs?.length === 3)!

/** Resolves when it is so; asks again after each event. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    const { promise, resolve } = Promise.withResolvers<void>()
    events.add(resolve)
    // What happened since it was asked must not be waited for.
    if (await isSo()) return
    await promise
    events.delete(resolve)
  }
}

function writeRow(workspace: string): Database.Database {
  const db = new Database(join(root, 'state.db'))
  db.pragma('journal_mode = WAL')
  db.exec(
    'CREATE TABLE IF NOT EXISTS session_state(session_id TEXT PRIMARY KEY, updated_at TEXT NOT NULL, schema_version INTEGER NOT NULL, workspace_root TEXT)'
  )
  db.prepare('INSERT OR REPLACE INTO session_state VALUES (?, ?, 1, ?)').run(
    sessionId,
    '2026-02-07T00:00:00.000Z',
    workspace
  )
  return db
}

test('the row of the database comes and changes while its writer has it open', async () => {
  expect(await row()).toMatchObject({ cwd: '/home/dev/queue', updatedAt: '2026-02-04T10:00:02.000Z' })
  const first = writeRow('/first')
  await until(async () => (await row()).cwd === '/first')
  const names = readdirSync(root)
  const second = writeRow('/second')
  await until(async () => (await row()).cwd === '/second')
  expect((await row()).updatedAt).toBe('2026-02-07T00:00:00.000Z')
  expect(readdirSync(root)).toEqual(names)
  first.close()
  second.close()
})

test('a row whose files are gone is a fault of the folder, and none once they are there again', async () => {
  const faults = async () => (await client.call('folder.list', {})).opened[0]!.faults
  const db = writeRow('/first')
  await until(async () => (await row()).cwd === '/first')
  expect(await faults()).toEqual([])
  const lost = '99999999-1111-4222-8333-444455556666'
  db.prepare('INSERT INTO session_state VALUES (?, ?, 1, NULL)').run(lost, '2026-02-07T00:00:00.000Z')
  await until(async () => (await faults()).length > 0)
  expect(await faults()).toMatchObject([
    { file: join(root, 'state.db'), kind: 'missing-files', message: expect.stringContaining(lost) }
  ])
  appendFileSync(join(root, 'messages', `${lost}.jsonl`), '{"role":"user","content":"here"}\n')
  await until(async () => (await faults()).length === 0)
  db.close()
})

test('a session keeps its place when its messages are gone, and its runs tell it', async () => {
  const { key } = await row()
  rmSync(join(root, 'messages'), { recursive: true })
  await until(async () => (await row()).file.endsWith(`${runIds[2]}.jsonl`))
  expect((await row()).key).toBe(key)
  appendFileSync(
    join(root, '2026/02/04', `${runIds[2]}.jsonl`),
    '{"type":"run.end","run_id":"r","ts":"2026-02-04T10:01:00.000Z","outcome":"error"}\n'
  )
  await until(async () => (await row()).runs?.[2]?.outcome === 'error')
})

test('a compaction tells each message by its own words', async () => {
  const { key: session } = await row()
  const entry = `${runIds[1]}:16`
  const told = async (side: 'before' | 'after') =>
    (await client.call('compaction.fates', { session, entry, side, from: 0, count: 20 })).map(({ role, summary }) => [
      role,
      summary
    ])
  expect(await told('before')).toEqual([
    ['system', 'You help with queues and tests.'],
    ['user', 'Why does the queue stall?'],
    ['reasoning', 'look at the lock'],
    ['assistant', 'shell grep -n lock queue.ts'],
    ['tool', 'grep -n lock queue.ts · 2 lines'],
    ['assistant', 'The lock at line 12 is not released when the job throws.'],
    ['user', 'Fix it as in this picture.'],
    ['assistant', 'I release it in a finally block.'],
    ['tool', 'queue.ts · 1 line'],
    ['tool', 'npm test · failed']
  ])
  expect(await told('after')).toHaveLength(5)
})

test('a run that is opened by itself stands beside its session, and both are followed', async () => {
  const path = join(root, '2026/02/04', `${runIds[2]}.jsonl`)
  const alone: SessionKey = await engine.openFile(path, null)
  const whole = await row()
  expect(alone).not.toBe(whole.key)
  appendFileSync(path, '{"type":"run.context","run_id":"r","ts":"2026-02-04T10:01:00.000Z","context_left_percent":5}\n')
  const entries = async (session: SessionKey) => (await client.call('session.get', { session })).entries
  await until(async () => (await entries(alone)) === 6 && (await entries(whole.key)) === whole.entries + 1)
})
