import { expect, test } from 'vitest'
import { writeAhead } from './write-ahead.ts'

const failed = (code: string) => Object.assign(new Error('SQLite says no'), { code })
const busy = failed('SQLITE_BUSY')

/** A connection that fails as often as told. */
function failing(errors: readonly Error[]) {
  const asked: string[] = []
  const pragma = (source: string) => {
    asked.push(source)
    const error = errors[asked.length - 1]
    if (error !== undefined) throw error
  }
  return { db: { pragma }, asked }
}

test('while another process changes the mode it is tried again', () => {
  const { db, asked } = failing([busy, failed('SQLITE_BUSY_RECOVERY')])
  writeAhead(db, 30_000)
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'journal_mode = WAL'))
})

test('it gives up when its time is over, and at once where it is something else', () => {
  expect(() => writeAhead(failing(Array.from({ length: 1000 }, () => busy)).db, 20)).toThrow(busy)
  const other = failed('SQLITE_IOERR')
  const { db, asked } = failing([other])
  expect(() => writeAhead(db, 30_000)).toThrow(other)
  expect(asked).toHaveLength(1)
})
