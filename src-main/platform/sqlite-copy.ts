import { copyFileSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { fileState, type FileState } from './bytes.ts'

/** Larger ones are not copied. */
const mostBytes = 2 ** 28
const tries = 3

/**
 * What a database says that another program may be writing, read from a copy, so that nothing is made beside it and
 * nobody waits; undefined where it may not be read, is no database, is larger than 256 MiB, or changes all the time. What `read` throws
 * that is no error of SQLite is thrown.
 */
export function readCopy<T>(path: string, read: (db: Database.Database) => T): T | undefined {
  for (let left = tries; left > 0; left--) {
    const before = statesOf(path)
    if (before[0] === null || before.reduce((sum, state) => sum + (state?.size ?? 0), 0) > mostBytes) return undefined
    const folder = mkdtempSync(join(tmpdir(), 'treeline-'))
    try {
      if (!suffixes.every((suffix) => isCopied(`${path}${suffix}`, join(folder, `copy.db${suffix}`)))) return undefined
      if (isSame(before, statesOf(path))) return readIn(join(folder, 'copy.db'), read)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return undefined
}

/** The database and its log; the third file of a database is made of these. */
const suffixes = ['', '-wal'] as const

const statesOf = (path: string): readonly (FileState | null)[] => suffixes.map((suffix) => stateOf(`${path}${suffix}`))

function stateOf(path: string): FileState | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? fileState(stat) : null
}

const isSame = (before: readonly (FileState | null)[], after: readonly (FileState | null)[]): boolean =>
  before.every((state, at) => state?.size === after[at]?.size && state?.modified === after[at]?.modified)

/** False where the file may not be read; one that is not there needs no copy. */
function isCopied(from: string, to: string): boolean {
  if (stateOf(from) === null) return true
  try {
    copyFileSync(from, to)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // The last who closes a database takes its log away.
    if (code === 'ENOENT') return true
    if (refused.has(code)) return false
    throw error
  }
}

const refused: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EIO'])

function readIn<T>(path: string, read: (db: Database.Database) => T): T | undefined {
  let db: Database.Database | undefined
  try {
    db = new Database(path, { fileMustExist: true })
    return read(db)
  } catch (error) {
    if (error instanceof Database.SqliteError) return undefined
    throw error
  } finally {
    db?.close()
  }
}
