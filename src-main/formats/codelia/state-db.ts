import Database from 'better-sqlite3'
import { writeAhead } from '#main/platform/write-ahead.ts'
import { Refusal } from '#shared/contract/refusal.ts'

/** A session's row in `state.db`. */
export interface StateRow {
  readonly session_id: string
  readonly updated_at: string
  readonly run_id: string | null
  readonly invoke_seq: number | null
  readonly schema_version: number
  readonly meta_json: string | null
  readonly message_count: number | null
  readonly last_user_message: string | null
  readonly workspace_root: string | null
}

export interface StateDb {
  row(sessionId: string): StateRow | undefined
  /** The last updated first. */
  rows(): readonly StateRow[]
  /** Where the row names no workspace, the one that is there stays. */
  put(row: StateRow): void
  /** All of it or nothing, while nobody else writes. What it throws is thrown, `SqliteError`s as refusals. */
  locked<T>(step: () => T): T
  close(): void
}

/** How long another program that writes is waited for, in milliseconds. */
const timeout = 30_000

const table = `
  CREATE TABLE IF NOT EXISTS session_state (
    session_id TEXT PRIMARY KEY,
    updated_at TEXT NOT NULL,
    run_id TEXT,
    invoke_seq INTEGER,
    schema_version INTEGER NOT NULL,
    meta_json TEXT,
    message_count INTEGER,
    last_user_message TEXT,
    workspace_root TEXT
  );
  CREATE INDEX IF NOT EXISTS idx_session_state_updated_at ON session_state(updated_at DESC);
`

/**
 * Opens or makes the database of a sessions folder to write to it, in the write-ahead mode that codelia uses; one of an
 * older codelia gets the column that it lacks. Refused as `unsupported` where it is no such database, and as `read-only`
 * where it cannot be written.
 */
export function openStateDb(path: string): StateDb {
  const asked = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw asRefusal(error, path)
    }
  }
  const db = asked(() => new Database(path, { timeout }))
  try {
    return asked(() => {
      requireOwn(db, path)
      writeAhead(db, timeout)
      db.pragma('synchronous = FULL')
      db.transaction(() => prepare(db)).immediate()
      const one = db.prepare<[string], StateRow>('SELECT * FROM session_state WHERE session_id = ?')
      const all = db.prepare<[], StateRow>('SELECT * FROM session_state ORDER BY updated_at DESC')
      const put = db.prepare<[StateRow]>(`
        INSERT INTO session_state (session_id, updated_at, run_id, invoke_seq, schema_version, meta_json,
          message_count, last_user_message, workspace_root)
        VALUES (@session_id, @updated_at, @run_id, @invoke_seq, @schema_version, @meta_json,
          @message_count, @last_user_message, @workspace_root)
        ON CONFLICT(session_id) DO UPDATE SET updated_at = excluded.updated_at, run_id = excluded.run_id,
          invoke_seq = excluded.invoke_seq, schema_version = excluded.schema_version, meta_json = excluded.meta_json,
          message_count = excluded.message_count, last_user_message = excluded.last_user_message,
          workspace_root = coalesce(excluded.workspace_root, workspace_root)`)
      return {
        row: (sessionId) => asked(() => one.get(sessionId)),
        rows: () => asked(() => all.all()),
        put: (row) => asked(() => void put.run(row)),
        locked: (step) => asked(() => db.transaction(step).immediate()),
        close: () => db.close()
      }
    })
  } catch (error) {
    db.close()
    throw error
  }
}

/** A database of somebody else is left as it is; an empty one is taken. */
function requireOwn(db: Database.Database, path: string): void {
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
  if (tables.length > 0 && !tables.includes('session_state')) throw foreign(path, 'it has other tables')
}

function prepare(db: Database.Database): void {
  db.exec(table)
  const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('session_state')").pluck().all()
  if (!columns.includes('workspace_root')) db.exec('ALTER TABLE session_state ADD COLUMN workspace_root TEXT')
}

function asRefusal(error: unknown, path: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (/^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(error.code)) return foreign(path, error.message)
  return new Refusal('read-only', `${path} cannot be written: ${error.message}.`, { file: path })
}

const foreign = (path: string, why: string) =>
  new Refusal('unsupported', `${path} is no database of codelia's sessions: ${why}.`, { file: path })
