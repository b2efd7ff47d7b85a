import { pause } from './pause.ts'

const pauseMs = 5

interface Connection {
  pragma(source: string): unknown
}

/**
 * Puts a database into write-ahead mode. SQLite does not wait for another process while the mode changes, whatever time
 * the connection has for that: here it is tried again for `patience` milliseconds. Throws SQLite's error.
 */
export function writeAhead(db: Connection, patience: number): void {
  const until = performance.now() + patience
  while (!isWriteAhead(db, performance.now() < until)) pause(pauseMs)
}

function isWriteAhead(db: Connection, mayWait: boolean): boolean {
  try {
    db.pragma('journal_mode = WAL')
    return true
  } catch (error) {
    if (mayWait && isBusy(error)) return false
    throw error
  }
}

const isBusy = (error: unknown) => String((error as { readonly code?: unknown }).code).startsWith('SQLITE_BUSY')
