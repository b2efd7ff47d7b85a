import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Home } from './home.ts'

const fixture = resolve(import.meta.dirname, '../../src-main/formats/codelia/fixtures/sessions')

/** A store of codelia in a home: a session of three runs, the last of which still runs, and a snapshot of an older one. */
export interface CodeliaStore {
  /** The sessions root. */
  readonly root: string
  readonly messages: string
  /** Files of the three runs. */
  readonly runs: readonly [string, string, string]
  /** Adds records to a run's file. */
  append(run: number, ...records: readonly object[]): void
  /** A new run of the session in the folder of a day, `YYYY/MM/DD`; its file. */
  addRun(day: string, id: string, prompt: string): string
  /** Writes the messages as codelia does: beside, then renamed. */
  saveMessages(...more: readonly object[]): void
}

const sessionId = '3f6c2a10-8a4b-4d7e-9a51-0c2f6b7d8e90'

export function codeliaStore(home: Home): CodeliaStore {
  const root = join(home.path, '.codelia', 'sessions')
  cpSync(fixture, root, { recursive: true })
  const runPath = (run: number, day: string) =>
    join(root, '2026/02', day, `a1b2c3d4-000${run}-4000-8000-00000000000${run}.jsonl`)
  const runs = [runPath(1, '03'), runPath(2, '04'), runPath(3, '04')] as const
  const messages = join(root, 'messages', `${sessionId}.jsonl`)
  using db = closing(new DatabaseSync(join(root, 'state.db')))
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(
    'CREATE TABLE session_state(session_id TEXT PRIMARY KEY, updated_at TEXT NOT NULL, run_id TEXT, invoke_seq INTEGER, schema_version INTEGER NOT NULL, meta_json TEXT, message_count INTEGER, last_user_message TEXT, workspace_root TEXT)'
  )
  db.prepare('INSERT INTO session_state VALUES (?, ?, NULL, 5, 1, NULL, 7, ?, ?)').run(
    sessionId,
    '2026-02-04T10:00:03.000Z',
    'And now the last test.',
    '/home/dev/queue'
  )
  const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
  return {
    root,
    messages,
    runs,
    append: (run, ...records) => home.append(runs[run - 1] ?? '', lines(records)),
    addRun(day, id, prompt) {
      const path = join(root, day, `${id}.jsonl`)
      const time = `${day.replaceAll('/', '-')}T09:00:00.000Z`
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(
        path,
        lines([
          { type: 'header', schema_version: 1, run_id: id, session_id: sessionId, started_at: time },
          { type: 'run.start', run_id: id, ts: time, input: { type: 'text', text: prompt } }
        ])
      )
      return path
    },
    saveMessages(...more) {
      writeFileSync(`${messages}.1.2.tmp`, readFileSync(messages, 'utf8') + lines(more))
      renameSync(`${messages}.1.2.tmp`, messages)
    }
  }
}

const closing = (db: DatabaseSync) => Object.assign(db, { [Symbol.dispose]: () => db.close() })
