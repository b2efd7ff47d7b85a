import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { writeAhead } from '#main/platform/write-ahead.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { applicationId } from './own-index.ts'
import { tables, version } from './schema.ts'
import type { ReadDb, WriteDb } from './types.ts'

/** How long a process waits for another one that writes. */
const timeout = 30_000

/**
 * Opens or makes the index. One of another version is emptied, a damaged one is deleted; both are logged.
 * Refused as `read-only` where the disk is full or does not let us.
 */
export function openWriteDb(path: string, log: (line: string) => void): WriteDb {
  try {
    return prepareOrMakeAgain(path, log)
  } catch (error) {
    throw asRefusal(error, path)
  }
}

/** Whether the disk is full or does not let us. */
export function isDiskTrouble(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError && /^SQLITE_(FULL|CANTOPEN|READONLY|IOERR|PERM)/.test(error.code)
}

/** Such an error as a refusal, any other as it is. */
export function asRefusal(error: unknown, path: string): unknown {
  if (!isDiskTrouble(error)) return error
  return new Refusal(
    'read-only',
    `The index ${path} cannot be written: ${error.message}. Make room, or name another file for the index.`,
    { file: path }
  )
}

function prepareOrMakeAgain(path: string, log: (line: string) => void): WriteDb {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    return prepare(path, log)
  } catch (error) {
    if (!isDamage(error)) throw error
    log(`The index ${path} is damaged (${String(error)}) and is made again.`)
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    return prepare(path, log)
  }
}

/** Opens an index that a writer has opened before. */
export function openReadDb(path: string): ReadDb {
  return new Database(path, { readonly: true, fileMustExist: true, timeout }) as ReadDb
}

/** Whether an error says that the index cannot be trusted any more. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)
}

/** Marks a damaged index, so that it is made again when it is opened next. */
export function condemn(db: WriteDb): void {
  db.pragma('user_version = 0')
}

function prepare(path: string, log: (line: string) => void): WriteDb {
  const db = new Database(path, { timeout })
  try {
    writeAhead(db, timeout)
    db.pragma('synchronous = NORMAL')
    const found = versionOf(db)
    if (found !== version) {
      if (found !== 0) log(`The index ${path} has version ${found}, not ${version}, and is made again.`)
      db.transaction(() => remake(db)).exclusive()
    }
    return db as WriteDb
  } catch (error) {
    db.close()
    throw error
  }
}

const versionOf = (db: Database.Database) => db.pragma('user_version', { simple: true })

/** In place, as another process may have the file open; unless another one was faster. */
function remake(db: Database.Database): void {
  if (versionOf(db) === version) return
  const old = db.prepare<[], { name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  )
  for (const { name } of old.all()) db.exec(`DROP TABLE "${name.replaceAll('"', '""')}"`)
  db.exec(tables)
  db.pragma(`application_id = ${applicationId}`)
}
