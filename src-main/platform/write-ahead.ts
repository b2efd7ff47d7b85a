import Database from 'better-sqlite3'
import { pause } from './pause.ts'

const pauseMs = 5

/**
 * Puts a database into write-ahead mode. SQLite does not wait for another process while the mode changes, whatever time
 * the connection has for that: here it is tried again for `patience` milliseconds. Throws SQLite's error.
 */
export function writeAhead(db: Pick<Database.Database, 'pragma'>, patience: number): void {
  const until = performance.now() + patience
  while (!isWriteAhead(db, performance.now() < until)) pause(pauseMs)
}

function isWriteAhead(db: Pick<Database.Database, 'pragma'>, mayWait: boolean): boolean {
  try {
    db.pragma('journal_mode = WAL')
    return true
  } catch (error) {
    const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
    if (isBusy && mayWait) return false
    throw error
  }
}
