import { readCopy } from '#main/platform/sqlite-copy.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import { asObject, asString } from '../json.ts'

const mostRows = 100_000
const mostText = 4096
const mostMeta = 65_536

/** What is read of a row, as it is stored; older databases lack some columns. */
const columns: Readonly<Record<string, number>> = {
  session_id: mostText,
  updated_at: mostText,
  run_id: mostText,
  invoke_seq: mostText,
  schema_version: mostText,
  meta_json: mostMeta,
  message_count: mostText,
  last_user_message: mostText,
  workspace_root: mostText
}

/** The rows of `state.db` by their session (docs/formats/codelia.md, "The database"); null where it cannot be read. */
export function sessionRows(path: string): ReadonlyMap<string, JsonObject> | null {
  const rows = readCopy(path, (db) => {
    const there = new Set(db.prepare("SELECT name FROM pragma_table_info('session_state')").pluck().all())
    const wanted = Object.entries(columns).filter(([name]) => there.has(name))
    if (!there.has('session_id')) return []
    // A longer text is not cut, as a part of it means something else.
    const texts = wanted.map(([name, most]) => `CASE WHEN length(${name}) <= ${most} THEN ${name} END AS ${name}`)
    return db.prepare(`SELECT ${texts.join(', ')} FROM session_state LIMIT ${mostRows}`).all()
  })
  if (rows === undefined) return null
  const bySession = new Map<string, JsonObject>()
  for (const row of rows) {
    const plain = Object.fromEntries(Object.entries(row as object).filter(isPlain))
    const id = plain['session_id']
    if (typeof id === 'string') bySession.set(id, plain)
  }
  return bySession
}

/** Stands for the row of a session whose database cannot be read. */
export const unreadRow: JsonObject = { unread: true }

export const isUnread = (beside: JsonObject | undefined): boolean => beside?.['unread'] === true

/** Stands for the row of a session of which only a part was claimed: what lies in one folder of a store. */
export const partOf = (root: string): JsonObject => ({ part_of: root })

/** The store's root where only a part of the session was claimed, else null. */
export const wholeIn = (beside: JsonObject | undefined): string | null => asString(beside?.['part_of'])

/** The row itself; undefined where something else stands in its place. */
export const rowIn = (beside: JsonObject | undefined): JsonObject | undefined =>
  isUnread(beside) || wholeIn(beside) !== null ? undefined : beside

/** The row's `meta_json`; null where there is none or it is damaged. */
export function metaOf(beside: JsonObject | undefined): JsonObject | null {
  try {
    return asObject(JSON.parse(asString(beside?.['meta_json']) ?? 'null'))
  } catch {
    return null
  }
}

const isPlain = (member: [string, unknown]): member is [string, Json] =>
  typeof member[1] === 'string' || typeof member[1] === 'number'
