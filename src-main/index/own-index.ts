import { closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import Database from 'better-sqlite3'
import { Refusal } from '#shared/contract/refusal.ts'

/** "Tree" in ASCII, where SQLite keeps what a database belongs to. */
export const applicationId = 0x54726565

/** The name that the app itself gives: what bears it may be made again even where nothing in it can be read any more. */
export const indexName = 'index.db'

const magic = Buffer.from('SQLite format 3\0')

/**
 * Refuses to take a file for the index that is something else: making the index again would destroy it.
 * Refused as `exists`, or as `read-only` where it cannot be opened. Nothing is written but missing folders.
 */
export function requireOwnIndex(path: string): void {
  const head = readHead(path)
  if (head.length === 0) return
  const isDatabase = head.subarray(0, magic.length).equals(magic)
  if (isDatabase && isOwnDatabase(path)) return
  if (!isDatabase && basename(path) === indexName) return
  throw new Refusal(
    'exists',
    `${path} is not an index of Treeline and stays as it is. Move it away, or name another file by --index.`,
    {
      file: path
    }
  )
}

/** The first 100 bytes; none where there is no file yet. */
function readHead(path: string): Buffer {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined || (stat.isFile() && stat.size < 100))
      return stat?.size ? Buffer.alloc(100) : Buffer.alloc(0)
    if (!stat.isFile()) throw new Error('it is no file')
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(100)
      readSync(file, head, 0, head.length, 0)
      return head
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Refusal('read-only', `The index ${path} cannot be opened: ${why}. Name another file by --index.`, {
      file: path
    })
  }
}

/** Ours by its mark, which may still stand in the log beside it, or begun and not filled, as by a process that was killed. */
function isOwnDatabase(path: string): boolean {
  try {
    const db = new Database(path, { readonly: true, timeout: 30_000 })
    try {
      if (db.pragma('application_id', { simple: true }) === applicationId) return true
      return db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
    } finally {
      db.close()
    }
  } catch {
    return basename(path) === indexName
  }
}
