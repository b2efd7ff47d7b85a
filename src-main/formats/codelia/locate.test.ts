import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listFolder } from '../listing-testing.ts'
import { readSession } from '../testing.ts'
import { codelia } from './index.ts'
import { outputFolders, sessionsRoot } from './locate.ts'
import { runIds, sessionId, sessionsFixture } from './testing.ts'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  cpSync(sessionsFixture, root, { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

const snapshotId = '5b7e1c22-1111-4222-8333-444455556666'

const claimed = (folder = root) =>
  codelia.claim(listFolder(folder)).map(({ files, name }) => ({
    files: files.map(({ path, role }) => [path.slice(root.length + 1), role]),
    name: name?.slice(root.length + 1)
  }))

const runs = [`2026/02/03/${runIds[0]}.jsonl`, `2026/02/04/${runIds[1]}.jsonl`, `2026/02/04/${runIds[2]}.jsonl`]

test('both layouts are offered', () => {
  expect(codelia.locate({}, '/home/me').map(({ path }) => path)).toEqual([
    '/home/me/.codelia/sessions',
    '/home/me/.local/state/codelia/sessions'
  ])
  expect(codelia.locate({ XDG_STATE_HOME: '/state' }, '/home/me')[1]!.path).toBe('/state/codelia/sessions')
})

test('the root gathers a session from all its folders, the main file first', () => {
  expect(claimed()).toEqual([
    {
      files: [[`messages/${sessionId}.jsonl`, 'messages'], ...runs.map((run) => [run, 'log'])],
      name: `messages/${sessionId}.jsonl`
    },
    { files: [[`state/${snapshotId}.json`, 'snapshot']], name: `messages/${snapshotId}.jsonl` }
  ])
})

test('without a file of messages the newest run stands for it, under the same name', () => {
  rmSync(join(root, 'messages'), { recursive: true })
  expect(claimed()[0]).toEqual({
    files: [runs[2], runs[0], runs[1]].map((run) => [run, 'log']),
    name: `messages/${sessionId}.jsonl`
  })
})

test('a snapshot that codelia has taken over belongs to nobody', () => {
  writeFileSync(join(root, 'messages', `${snapshotId}.jsonl`), '{"role":"user","content":"x"}\n')
  expect(claimed().map(({ files }) => files[0]![0])).toEqual([
    `messages/${sessionId}.jsonl`,
    `messages/${snapshotId}.jsonl`
  ])
})

test('a folder of it that is opened by itself has what lies in it', () => {
  expect(claimed(join(root, '2026/02/04')).map(({ files }) => files.map(([path]) => path))).toEqual([
    [runs[2], runs[1]]
  ])
  expect(claimed(join(root, '2026/02/03'))).toEqual([{ files: [[runs[0], 'log']], name: undefined }])
  expect(claimed(join(root, 'messages'))).toEqual([
    { files: [[`messages/${sessionId}.jsonl`, 'messages']], name: undefined }
  ])
  expect(claimed(join(root, 'state'))).toEqual([{ files: [[`state/${snapshotId}.json`, 'snapshot']], name: undefined }])
})

test('what is only a part of a session says where all of it is', async () => {
  const notes = async (folder: string) => {
    const [set] = codelia.claim(listFolder(join(root, folder)))
    const bytes = set!.files.map(({ path }) => readFileSync(path))
    const { tree } = await readSession(codelia, set!, bytes)
    expect(tree.faults.map(({ kind }) => kind)).not.toContain('unknown-version')
    return tree.notes!.map(({ text }) => text)
  }
  const said = `Only what lies in this folder is shown of the session: open ${root} for all of it`
  for (const folder of ['2026/02/04', '2026/02/03', 'messages', 'state']) expect(await notes(folder)).toContain(said)
  expect(await notes('.')).not.toContain(said)
  writeFileSync(
    join(root, '2026/02/03/0.jsonl'),
    '{"type":"header","schema_version":1,"run_id":"0","started_at":"2026-02-03"}\n'
  )
  const day = codelia.claim(listFolder(join(root, '2026/02/03')))
  expect(day.map(({ beside }) => beside)).toEqual([{ part_of: root }, undefined])
})

test('runs without a session are sessions of their own, damaged ones too', () => {
  const day = join(root, '2026/02/03')
  writeFileSync(join(day, 'one.jsonl'), '{"type":"header","schema_version":1,"run_id":"one","started_at":"x"}\n')
  writeFileSync(
    join(day, 'two.jsonl'),
    '{"type":"head\n{"type":"run.status","run_id":"two","ts":"x","status":"running"}\n'
  )
  expect(claimed().slice(2)).toEqual([
    { files: [['2026/02/03/one.jsonl', 'log']], name: undefined },
    { files: [['2026/02/03/two.jsonl', 'log']], name: undefined }
  ])
})

test('a header that is longer than the head of its file tells its session all the same', () => {
  const header = `{"type":"header","schema_version":1,"run_id":"long","session_id":"${sessionId}","started_at":"2026-02-05T00:00:00.000Z","prompts":{"system":"${'x'.repeat(100_000)}"}}\n`
  mkdirSync(join(root, '2026/02/05'))
  writeFileSync(join(root, '2026/02/05/long.jsonl'), header)
  expect(claimed()[0]!.files.at(-1)).toEqual(['2026/02/05/long.jsonl', 'log'])
})

test.each([
  ['rollouts of another agent', '2026/02/03/rollout-2026.jsonl', '{"type":"session_meta","payload":{"id":"x"}}\n'],
  ['a file on its way', `messages/${snapshotId}.jsonl.12.34.ab.tmp`, '{"role":"user","content":"x"}\n'],
  ['messages that are named after no session', 'messages/notes.jsonl', '{"role":"user","content":"x"}\n'],
  ['lines of some other program', '2026/02/03/log.jsonl', '{"type":"header","level":"info"}\n'],
  ['a person’s keys', 'state/auth.json', '{"schema_version":1,"session_id":"x","messages":[]}'],
  ['settings', 'state/settings.json', '{"theme":"dark"}']
])('%s are no session', (_, name, content) => {
  const before = claimed()
  writeFileSync(join(root, name), content)
  expect(claimed()).toEqual(before)
})

describe('the database', () => {
  function makeRow(more: Record<string, string | number> = {}): Database.Database {
    const db = new Database(join(root, 'state.db'))
    db.pragma('journal_mode = WAL')
    db.exec(
      'CREATE TABLE session_state(session_id TEXT PRIMARY KEY, updated_at TEXT NOT NULL, schema_version INTEGER NOT NULL, meta_json TEXT, workspace_root TEXT)'
    )
    const row = { meta_json: '{}', ...more }
    db.prepare('INSERT INTO session_state VALUES (?, ?, 1, ?, ?)').run(
      sessionId,
      '2026-02-06T00:00:00.000Z',
      row.meta_json,
      '/home/dev/queue'
    )
    return db
  }

  test('has a row for the session, and no file is made beside it', () => {
    const db = makeRow()
    const names = readdirSync(root)
    expect(names).toContain('state.db-wal')
    const [session, other] = codelia.claim(listFolder(root))
    expect(session!.beside).toEqual({
      session_id: sessionId,
      updated_at: '2026-02-06T00:00:00.000Z',
      schema_version: 1,
      meta_json: '{}',
      workspace_root: '/home/dev/queue'
    })
    expect(other).not.toHaveProperty('beside')
    expect(readdirSync(root)).toEqual(names)
    db.close()
  })

  test('that has a row of a session without any file says so of the folder', () => {
    const faults = () => {
      const listing = listFolder(root)
      return codelia.folderFaults!(listing, codelia.claim(listing))
    }
    const db = makeRow()
    expect(faults()).toEqual([])
    const lose = db.prepare("INSERT INTO session_state VALUES (?, '2026-02-06T00:00:00.000Z', 1, '{}', NULL)")
    lose.run('gone\n1')
    expect(faults()).toEqual([
      {
        kind: 'missing-files',
        path: join(root, 'state.db'),
        message: 'The database has rows of a session whose files are gone: gone 1.'
      }
    ])
    db.exec('ALTER TABLE session_state ADD last_user_message TEXT; ALTER TABLE session_state ADD message_count INTEGER')
    db.exec("UPDATE session_state SET last_user_message = 'Where is it?' WHERE session_id LIKE 'gone%'")
    expect(faults()[0]!.message).toContain('gone 1 (Where is it?).')
    db.exec("UPDATE session_state SET message_count = 0 WHERE session_id LIKE 'gone%'")
    expect(faults()).toEqual([])
    rmSync(join(root, 'messages'), { recursive: true })
    rmSync(join(root, '2026'), { recursive: true })
    rmSync(join(root, 'state'), { recursive: true })
    db.close()
    expect(faults()[0]!.message).toContain(sessionId)
  })

  test('of many sessions without files names twenty', () => {
    const db = makeRow()
    const lose = db.prepare("INSERT INTO session_state VALUES (?, '2026-02-06T00:00:00.000Z', 1, '{}', NULL)")
    for (let at = 1; at <= 22; at++) lose.run(`gone-${at}`)
    db.close()
    const listing = listFolder(root)
    const [fault] = codelia.folderFaults!(listing, codelia.claim(listing))
    expect(fault!.message).toMatch(/^The database has rows of 22 sessions whose files are gone: .*, and 2 more\.$/)
    expect(fault!.message.match(/gone-/g)).toHaveLength(20)
  })

  test('of another program is none of its sessions’', () => {
    for (const folder of ['messages', '2026', 'state']) rmSync(join(root, folder), { recursive: true })
    const db = new Database(join(root, 'state.db'))
    db.exec("CREATE TABLE threads(session_id TEXT); INSERT INTO threads VALUES ('x')")
    db.close()
    const listing = listFolder(root)
    expect(codelia.claim(listing)).toEqual([])
    expect(codelia.folderFaults!(listing, [])).toEqual([])
  })

  test('that says what a session was forked from leads to that session', () => {
    makeRow({ meta_json: JSON.stringify({ 'x.forked_from': snapshotId }) }).close()
    expect(codelia.claim(listFolder(root))[0]!.beside).toMatchObject({
      parent_file: join(root, 'state', `${snapshotId}.json`)
    })
  })

  test('that is damaged leaves the sessions to their files, which is said', async () => {
    writeFileSync(join(root, 'state.db'), 'no database')
    const sets = codelia.claim(listFolder(root))
    expect(sets).toHaveLength(2)
    for (const set of sets) {
      const { tree } = await readSession(
        codelia,
        set,
        set.files.map((file) => readFileSync(file.path))
      )
      expect(tree.notes?.[0]).toMatchObject({ tone: 'warning', text: expect.stringContaining('state.db') })
      expect(tree.faults.map(({ kind }) => kind)).not.toContain('unknown-version')
    }
  })
})

test('a folder and a file are gathered at their root by their names alone', () => {
  const gathered = codelia.gathered!
  for (const path of ['2026/02/03', 'messages', 'state', `messages/${sessionId}.jsonl`, `state/${snapshotId}.json`])
    expect(gathered(join('/s', path))).toBe('/s')
  for (const path of ['2026', '2026/02', runs[0]!, 'state.db', 'x/messages.jsonl'])
    expect(gathered(join('/s', path))).toBeNull()
})

test('the root of a file is above its folder of a store, and its own folder elsewhere', () => {
  for (const path of [runs[0]!, `messages/${sessionId}.jsonl`, `state/${snapshotId}.json`])
    expect(sessionsRoot(join('/s', path))).toBe('/s')
  expect(sessionsRoot('/elsewhere/run.jsonl')).toBe('/elsewhere')
  expect(outputFolders('/home/me/.codelia/sessions', {}, '/home/me')).toEqual([
    '/home/me/.codelia/cache/tool-output',
    '/home/me/.cache/codelia/tool-output'
  ])
})

test('a file that is named is what its first lines say', () => {
  const roleOf = (name: string, content: string) => {
    writeFileSync(join(root, name), content)
    return codelia.force(join(root, name), null).files[0].role
  }
  expect(roleOf('a.jsonl', '{"role":"user","content":"x"}\n{"role"')).toBe('messages')
  expect(roleOf('b.jsonl', '{"type":"header","schema_version":1,"session_id":"s"}\n')).toBe('log')
  expect(roleOf('c.jsonl', '')).toBe('log')
  expect(roleOf('messages/d.jsonl', '')).toBe('messages')
  expect(roleOf('.x.tmp', '{"schema_version":1,"session_id":"s","messages":[]}')).toBe('snapshot')
  expect(codelia.force(join(root, 'none.jsonl'), null).files[0].role).toBe('log')
})
