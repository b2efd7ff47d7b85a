import { sep } from 'node:path'
import type { AgentId, FormatId } from '#shared/model/agent.ts'
import type { EntryRow, Outline } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type {
  EntryRecord,
  FaultDraft,
  FileRole,
  Framing,
  JsonObject,
  LineClass,
  ReadFile,
  SessionRecords
} from '#shared/model/records.ts'
import { type EntryTuple, fromTuple } from './entry-tuple.ts'
import { type FramedLine, frameLedger } from './frame-ledger.ts'
import type { HeldRecords, Queries, ReadDb, SessionSummary, StoredLine, StoredSession } from './types.ts'

interface SessionColumns {
  readonly id: number
  readonly key: SessionKey
  readonly format: FormatId
  readonly agent: AgentId | null
  readonly beside: string | null
  readonly revision: number
  readonly summary: string
}

interface FileColumns {
  readonly id: number
  readonly session: number
  readonly path: string
  readonly role: FileRole
  readonly framing: Framing
  readonly size: number
  readonly length: number
  readonly modified: number
  readonly state: string
}

const nothing = { revision: 0, records: { entries: [] } }

export function createQueries(db: ReadDb): Queries {
  const anySession = 'SELECT id, key, format, agent, beside, revision, summary FROM sessions'
  const sessionColumns = `${anySession} WHERE summary IS NOT NULL`
  const fileColumns = 'SELECT id, session, path, role, framing, size, length, modified, state FROM files'
  const newestFirst = 'ORDER BY updated DESC NULLS LAST, path'
  const all = db.prepare<[], SessionColumns>(`${sessionColumns} ${newestFirst}`)
  const under = db.prepare<[string, string], SessionColumns>(
    `${sessionColumns} AND path >= ? AND path < ? ${newestFirst}`
  )
  const byKey = db.prepare<[string], SessionColumns>(`${sessionColumns} AND key = ?`)
  const anyByKey = db.prepare<[string], Omit<SessionColumns, 'summary'>>(`${anySession} WHERE key = ?`)
  const filesOf = db.prepare<[number], FileColumns>(`${fileColumns} WHERE session = ? ORDER BY position`)
  const parentOf = db.prepare<[string], { readonly id: string | null; readonly file: string }>(
    `SELECT summary ->> 'id' AS id, path AS file FROM subagents JOIN sessions ON sessions.id = parent
     WHERE subagents.file = ? ORDER BY updated DESC LIMIT 1`
  )
  const entriesBehind = db
    .prepare<[number, number], [number, string]>(
      'SELECT number, entries FROM lines WHERE file = ? AND number > ? AND entries IS NOT NULL ORDER BY number'
    )
    .raw()
  const leastKept = db
    .prepare<[number, number], number | null>('SELECT min(kept) FROM cuts WHERE file = ? AND revision > ?')
    .pluck()
  const openingOf = db.prepare<[string, number], { readonly outline: string; readonly rows: string }>(
    `SELECT outline, rows FROM openings JOIN sessions ON sessions.id = session
     WHERE key = ? AND openings.revision = ?`
  )
  const fileAt = db
    .prepare<[string, number], number>(
      'SELECT files.id FROM files JOIN sessions ON sessions.id = session WHERE key = ? AND position = ?'
    )
    .pluck()
  const checkpointOf = db.prepare<[number], string | null>('SELECT checkpoint FROM files WHERE id = ?').pluck()
  const lineCount = db.prepare<[number], number>('SELECT max(number) FROM lines WHERE file = ?').pluck()
  const lineColumns = 'SELECT number, offset, length, class FROM lines WHERE file = ?'
  const linesFrom = db.prepare<[number, number, number], StoredLine>(
    `${lineColumns} AND number > ? ORDER BY number LIMIT ?`
  )
  const lineAt = db.prepare<[number, number], StoredLine>(`${lineColumns} AND number = ?`)
  const faultsOf = db
    .prepare<[number], string>(
      'SELECT faults FROM lines INDEXED BY faulty_lines WHERE file = ? AND faults IS NOT NULL ORDER BY number'
    )
    .pluck()
  const bytesByClass = db.prepare<[number], { class: LineClass; bytes: number }>(
    'SELECT class, sum(length) AS bytes FROM lines WHERE file = ? GROUP BY class'
  )

  const framedLines = db.prepare<[number], FramedLine>(
    `SELECT DISTINCT frame_offset AS offset, frame_length AS length, class = 'fault' AS isFault FROM lines
     WHERE file = ? ORDER BY frame_offset`
  )

  const files = (session: number) => filesOf.all(session)
  const stored = (columns: SessionColumns): StoredSession => ({
    key: columns.key,
    format: columns.format,
    agent: columns.agent,
    revision: columns.revision,
    files: readFiles(files(columns.id)),
    summary: withParent(JSON.parse(columns.summary) as SessionSummary)
  })
  /** A sub-agent's session that does not say who started it belongs to the one that says so. */
  const withParent = (summary: SessionSummary): SessionSummary => {
    if (summary.origin !== 'subagent' || summary.parent !== null) return summary
    const parent = parentOf.get(summary.file)
    return parent === undefined ? summary : { ...summary, parent }
  }
  const recordsOf = (session: Omit<SessionColumns, 'summary'>, held: HeldRecords) => {
    const found = files(session.id)
    const entries: EntryRecord[] = []
    const heldOf = Map.groupBy(held.records.entries, ({ file }) => file)
    for (const [file, { id }] of found.entries()) {
      const kept = leastKept.get(id, held.revision) ?? Infinity
      let last = 0
      for (const entry of heldOf.get(file) ?? []) {
        if (entry.line > kept) continue
        entries.push(entry)
        last = entry.line
      }
      for (const [line, tuples] of entriesBehind.all(id, last)) {
        for (const tuple of JSON.parse(tuples) as EntryTuple[]) entries.push(fromTuple(tuple, file, line))
      }
    }
    const beside = session.beside === null ? {} : { beside: JSON.parse(session.beside) as JsonObject }
    return { agent: session.agent, ...beside, files: readFiles(found), entries } satisfies SessionRecords
  }
  const snapshot = <T>(read: () => T): T => db.transaction(read)()

  return {
    sessions: () => snapshot(() => all.all().map(stored)),
    sessionsUnder: (folder) => snapshot(() => under.all(...below(folder)).map(stored)),
    session: (key) =>
      snapshot(() => {
        const columns = byKey.get(key)
        return columns && stored(columns)
      }),
    records: (key, held = nothing) =>
      snapshot(() => {
        const columns = anyByKey.get(key)
        return columns && { revision: columns.revision, format: columns.format, records: recordsOf(columns, held) }
      }),
    opening(key, revision) {
      const kept = openingOf.get(key, revision)
      if (kept === undefined) return undefined
      return { outline: JSON.parse(kept.outline) as Outline, rows: JSON.parse(kept.rows) as EntryRow[] }
    },
    linePage: (key, file, from, count) =>
      snapshot(() => {
        const id = fileAt.get(key, file)
        if (id === undefined) return { total: 0, lines: [] }
        return { total: lineCount.get(id) ?? 0, lines: linesFrom.all(id, from, count) }
      }),
    line(key, file, number) {
      const id = fileAt.get(key, file)
      return id === undefined ? undefined : lineAt.get(id, number)
    },
    checkpoint(key, file) {
      const id = fileAt.get(key, file)
      return id === undefined ? undefined : (checkpointOf.get(id) ?? undefined)
    },
    faults: (key) =>
      snapshot(() => {
        const session = anyByKey.get(key)
        if (session === undefined) return []
        return files(session.id).flatMap(({ id }, file) =>
          faultsOf.all(id).flatMap((line) => (JSON.parse(line) as FaultDraft[]).map((fault) => ({ ...fault, file })))
        )
      }),
    byteLedger: (key) =>
      snapshot(() => {
        const session = anyByKey.get(key)
        const bytes = { entry: 0, header: 0, fault: 0, blank: 0 }
        for (const { id, framing, size } of session === undefined ? [] : files(session.id)) {
          if (framing === 'frames') {
            const { entry, fault, blank } = frameLedger(framedLines.all(id), size)
            bytes.entry += entry
            bytes.fault += fault
            bytes.blank += blank
          } else for (const row of bytesByClass.all(id)) bytes[row.class] += row.bytes
        }
        const entries = bytes.entry + bytes.header
        return { entries, faults: bytes.fault, blank: bytes.blank, total: entries + bytes.fault + bytes.blank }
      })
  }
}

/** First and last bound of the paths below a folder. */
export function below(folder: string): [string, string] {
  const prefix = folder.endsWith(sep) ? folder : folder + sep
  return [prefix, prefix.slice(0, -1) + String.fromCharCode(sep.charCodeAt(0) + 1)]
}

function readFiles(columns: readonly FileColumns[]): SessionRecords['files'] {
  const [main, ...others] = columns.map(({ path, role, framing, size, length, modified, state }): ReadFile => ({
    path,
    role,
    framing,
    size,
    length,
    modified,
    state: JSON.parse(state) as JsonObject
  }))
  if (main === undefined) throw new Error('a session without files')
  return [main, ...others]
}
