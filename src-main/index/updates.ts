import type { AgentId, FormatId } from '#shared/model/agent.ts'
import type { ByteRange } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type {
  EntryRecord,
  FileRole,
  Framing,
  JsonObject,
  LineReading,
  ReadFile,
  SourceFile
} from '#shared/model/records.ts'
import { toTuple } from './entry-tuple.ts'
import { below } from './queries.ts'
import type { Opening, SessionSummary, WriteDb } from './types.ts'

export interface NewSession {
  readonly key: SessionKey
  readonly format: FormatId
  readonly agent: AgentId | null
  readonly files: readonly [SourceFile, ...SourceFile[]]
  /** Where it was claimed. */
  readonly folder: string
  /** As `SessionRecords.beside`. */
  readonly beside?: JsonObject | undefined
}

/** A file as it was read last, and where reading goes on. `checkpoint` is the tail's own, as JSON; null where nothing was read. */
export interface FileProgress extends ReadFile {
  readonly checkpoint: string | null
  readonly checkpointState: JsonObject | null
}

export interface Progress {
  readonly revision: number
  /** False where the summary is older than the rows. */
  readonly isSummed: boolean
  readonly agent: AgentId | null
  /** Where it was claimed. */
  readonly folder: string
  readonly beside: JsonObject | undefined
  readonly files: readonly [FileProgress, ...FileProgress[]]
}

export interface ReadLine extends Omit<LineReading, 'grown'> {
  readonly number: number
  readonly offset: number
  readonly length: number
  /** As `Line.frame`. */
  readonly frame: ByteRange | null
}

/** What a batch of lines changes. */
export interface Change {
  readonly session: SessionKey
  /** The revision that the change builds on. */
  readonly revision: number
  /** Index of the file in the set. */
  readonly file: number
  /** Lines of the file that still stand: the new ones replace all behind them. */
  readonly kept: number
  /** What the last entry on these has become, where the new lines go on with it. */
  readonly grown: EntryRecord | null
  readonly lines: readonly ReadLine[]
  readonly checkpoint: string
  readonly size: number
  readonly length: number
  readonly modified: number
  /** The reader's state at the checkpoint, and behind the unterminated rest. */
  readonly checkpointState: JsonObject
  readonly state: JsonObject
}

export interface Summing {
  readonly session: SessionKey
  /** The revision of the records that were summed up. */
  readonly revision: number
  readonly summary: SessionSummary
  /** As `Assembled.subagentFiles`. */
  readonly subagentFiles: readonly string[]
  /** Id, or else file, of a parent that was not found. */
  readonly awaited: string | null
}

export interface KnownSession {
  readonly key: SessionKey
  readonly path: string
}

/** What the writer does to the index. Each call is one transaction. */
export interface Updates {
  /** Finds or makes the session; one that was read as another format begins anew. Of other files, those that it has still stay read. */
  begin(session: NewSession): Progress
  progress(key: SessionKey): Progress | undefined
  /** The new revision; undefined where another process has changed the session meanwhile. */
  append(change: Change): number | undefined
  /**
   * Stores the summary of that revision and returns it, or a new one where the same records were summed up before with
   * another result; undefined where the session has changed meanwhile.
   */
  sumUp(summing: Summing): number | undefined
  /** What a session of at least so many entries lacks: any opening, or that of its present sums; null where it lacks nothing. */
  openingLack(session: SessionKey, entries: number): 'none' | 'latest' | null
  /** Keeps the opening of that revision in the place of an older one; does nothing where the session has changed meanwhile. */
  keepOpening(session: SessionKey, revision: number, opening: Opening): void
  /** Sessions that did not find this one, their parent, when they were read: they are no longer current, and read from their start. */
  readAgain(parent: SessionKey): readonly KnownSession[]
  remove(key: SessionKey): void
  /** Sessions that were claimed in this very folder. */
  sessionsIn(folder: string): readonly KnownSession[]
  /** Sessions whose main file lies below a folder, at any depth. */
  sessionsBelow(folder: string): readonly KnownSession[]
  /** How many sessions are listed below a folder. */
  countBelow(folder: string): number
  faultCount(key: SessionKey): number
  /** What the scan remembers of a folder, as JSON. */
  claims(folder: string): string | undefined
  keepClaims(folder: string, claims: string | null): void
}

export function createUpdates(db: WriteDb): Updates {
  const nextRevision = db.prepare<[], number>('UPDATE counter SET revision = revision + 1 RETURNING revision').pluck()
  const find = db.prepare<
    [string],
    {
      id: number
      format: string
      agent: AgentId | null
      folder: string
      beside: string | null
      revision: number
      summed: number | null
    }
  >('SELECT id, format, agent, folder, beside, revision, summed_revision AS summed FROM sessions WHERE key = ?')
  const filesOf = db.prepare<[number], FileColumns>('SELECT * FROM files WHERE session = ? ORDER BY position')
  const fileAt = db.prepare<[number, number], number>('SELECT id FROM files WHERE session = ? AND position = ?').pluck()
  const insertSession = db.prepare(
    'INSERT INTO sessions (key, format, agent, path, folder, beside, revision) VALUES (?, ?, ?, ?, ?, ?, ?)'
  )
  const insertFile = db.prepare('INSERT INTO files (session, position, path, role, framing) VALUES (?, ?, ?, ?, ?)')
  const setSession = db.prepare(
    'UPDATE sessions SET agent = ?, path = ?, folder = ?, beside = ?, revision = ?, summed_revision = NULL WHERE id = ?'
  )
  const setFolder = db.prepare('UPDATE sessions SET folder = ? WHERE id = ?')
  const setPosition = db.prepare('UPDATE files SET position = ? WHERE id = ?')
  const deleteFile = db.prepare('DELETE FROM files WHERE id = ?')
  const setRevision = db.prepare('UPDATE sessions SET revision = ? WHERE id = ?')
  const setFile = db.prepare(
    'UPDATE files SET checkpoint = ?, checkpoint_state = ?, size = ?, length = ?, modified = ?, state = ? WHERE id = ?'
  )
  const addLine = db.prepare('INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const setEntries = db.prepare('UPDATE lines SET entries = ? WHERE file = ? AND number = ?')
  const cutLines = db.prepare('DELETE FROM lines WHERE file = ? AND number > ?')
  const dropCuts = db.prepare('DELETE FROM cuts WHERE file = ? AND kept >= ?')
  const addCut = db.prepare('INSERT INTO cuts VALUES (?, ?, ?)')
  const deleteFiles = db.prepare('DELETE FROM files WHERE session = ?')
  const deleteSubagents = db.prepare('DELETE FROM subagents WHERE parent = ?')
  const openingLack = db
    .prepare<[string, number], 'none' | 'latest'>(
      `SELECT iif(openings.revision IS NULL, 'none', 'latest') FROM sessions LEFT JOIN openings ON session = id
       WHERE key = ? AND sessions.revision = summed_revision AND openings.revision IS NOT summed_revision
       AND summary ->> 'entries' >= ?`
    )
    .pluck()
  const setOpening = db.prepare('INSERT OR REPLACE INTO openings VALUES (?, ?, ?, ?)')
  const deleteOpening = db.prepare('DELETE FROM openings WHERE session = ?')
  const addSubagent = db.prepare('INSERT OR IGNORE INTO subagents VALUES (?, ?)')
  const deleteSession = db.prepare('DELETE FROM sessions WHERE id = ?')
  const setSummary = db.prepare(
    `UPDATE sessions SET revision = $revision, summed_revision = $revision, summary = $summary, updated = $updated,
     awaited = $awaited WHERE id = $session`
  )
  const awaiting = db.prepare<[string], KnownSession & { readonly id: number }>(
    `SELECT child.id, child.key, child.path FROM sessions AS parent
     JOIN sessions AS child ON child.awaited IN (parent.path, parent.summary ->> 'id') AND child.id <> parent.id
     WHERE parent.key = ?`
  )
  const forgetCheckpoints = db.prepare('UPDATE files SET checkpoint = NULL, checkpoint_state = NULL WHERE session = ?')
  const knownColumns = 'SELECT sessions.key, sessions.path FROM sessions'
  const inFolder = db.prepare<[string], KnownSession>(`${knownColumns} WHERE folder = ?`)
  const belowFolder = db.prepare<[string, string], KnownSession>(`${knownColumns} WHERE path >= ? AND path < ?`)
  const countListed = db
    .prepare<[string, string], number>(
      'SELECT count(*) FROM sessions WHERE path >= ? AND path < ? AND summary IS NOT NULL'
    )
    .pluck()
  const countFaults = db
    .prepare<[string], number>(
      `SELECT total(json_array_length(faults)) FROM sessions JOIN files ON session = sessions.id
       JOIN lines INDEXED BY faulty_lines ON file = files.id WHERE key = ? AND faults IS NOT NULL`
    )
    .pluck()
  const getClaims = db.prepare<[string], string>('SELECT claims FROM folders WHERE path = ?').pluck()
  const setClaims = db.prepare('INSERT OR REPLACE INTO folders (path, claims) VALUES (?, ?)')
  const dropClaims = db.prepare('DELETE FROM folders WHERE path = ?')

  const atomically = <A extends unknown[], R>(write: (...args: A) => R) =>
    db.transaction(write).immediate as (...args: A) => R

  const noteCut = (file: number | bigint, kept: number, revision: number) => {
    dropCuts.run(file, kept)
    addCut.run(file, kept, revision)
  }

  const removeById = (id: number) => {
    for (const file of filesOf.all(id)) {
      cutLines.run(file.id, 0)
      dropCuts.run(file.id, 0)
    }
    deleteFiles.run(id)
    deleteSubagents.run(id)
    deleteOpening.run(id)
    deleteSession.run(id)
  }

  const addFile = (session: number | bigint, position: number, file: SourceFile, revision: number) => {
    const { path, role, framing } = file
    // An id may have been another file's before.
    noteCut(insertFile.run(session, position, path, role, framing).lastInsertRowid, 0, revision)
  }

  const insert = ({ key, format, agent, files, folder, beside }: NewSession) => {
    const revision = nextRevision.get() ?? 0
    const row = [key, format, agent, files[0].path, folder, textOf(beside), revision]
    const session = insertSession.run(...row).lastInsertRowid
    for (const [position, file] of files.entries()) addFile(session, position, file, revision)
  }

  /** Gives a session other files; what was read of those that it keeps stands, though elsewhere in it. */
  const setFiles = (session: number, files: readonly SourceFile[], revision: number) => {
    const stored = filesOf.all(session)
    const kept = new Map(stored.map((file) => [nameOf(file), file]))
    const wanted = new Set(files.map(nameOf))
    for (const file of stored) {
      if (wanted.has(nameOf(file))) setPosition.run(-1 - file.position, file.id)
      else {
        cutLines.run(file.id, 0)
        dropCuts.run(file.id, 0)
        deleteFile.run(file.id)
      }
    }
    for (const [position, file] of files.entries()) {
      const known = kept.get(nameOf(file))
      if (known === undefined) addFile(session, position, file, revision)
      else {
        setPosition.run(position, known.id)
        // Who holds its entries knows them by their old place.
        if (known.position !== position) noteCut(known.id, 0, revision)
      }
    }
  }

  const progress = (key: SessionKey): Progress | undefined => {
    const session = find.get(key)
    if (session === undefined) return undefined
    const [main, ...others] = filesOf.all(session.id).map(fileProgress)
    if (main === undefined) throw new Error(`${key} has no files`)
    const { revision, summed, agent, folder } = session
    const beside = session.beside === null ? undefined : (JSON.parse(session.beside) as JsonObject)
    return { revision, isSummed: summed === revision, agent, folder, beside, files: [main, ...others] }
  }

  return {
    progress,
    begin: atomically((session: NewSession) => {
      const found = find.get(session.key)
      if (found === undefined) insert(session)
      else if (found.format !== session.format) {
        removeById(found.id)
        insert(session)
      } else {
        const { agent, files, folder } = session
        const beside = textOf(session.beside)
        const hasSameFiles = isSame(filesOf.all(found.id), files)
        if (!hasSameFiles || found.agent !== agent || found.beside !== beside) {
          const revision = nextRevision.get() ?? 0
          if (!hasSameFiles) setFiles(found.id, files, revision)
          setSession.run(agent, files[0].path, folder, beside, revision, found.id)
        } else if (found.folder !== folder) setFolder.run(folder, found.id)
      }
      const known = progress(session.key)
      if (known === undefined) throw new Error(`${session.key} was not stored`)
      return known
    }),
    append: atomically((change: Change) => {
      const session = find.get(change.session)
      const file = session === undefined ? undefined : fileAt.get(session.id, change.file)
      if (session?.revision !== change.revision || file === undefined) return undefined
      const revision = nextRevision.get() ?? 0
      if (cutLines.run(file, change.kept).changes > 0) noteCut(file, change.kept, revision)
      const { grown } = change
      if (grown !== null) {
        setEntries.run(asJson([toTuple(grown)]), file, grown.line)
        noteCut(file, grown.line - 1, revision)
      }
      for (const { number, offset, length, frame, class: lineClass, entries, faults } of change.lines) {
        const [from, size] = frame ?? [null, null]
        addLine.run(file, number, offset, length, from, size, lineClass, asJson(entries.map(toTuple)), asJson(faults))
      }
      const { checkpoint, checkpointState, size, length, modified, state } = change
      setFile.run(checkpoint, JSON.stringify(checkpointState), size, length, modified, JSON.stringify(state), file)
      setRevision.run(revision, session.id)
      return revision
    }),
    sumUp: atomically(({ session: key, revision, summary, subagentFiles, awaited }: Summing) => {
      const session = find.get(key)
      if (session?.revision !== revision) return undefined
      const next = session.summed === revision ? (nextRevision.get() ?? revision) : revision
      deleteSubagents.run(session.id)
      for (const file of subagentFiles) addSubagent.run(file, session.id)
      setSummary.run({
        session: session.id,
        revision: next,
        summary: JSON.stringify({ ...summary, revision: next } satisfies SessionSummary),
        updated: summary.updatedAt,
        awaited
      })
      return next
    }),
    openingLack: (key, entries) => openingLack.get(key, entries) ?? null,
    keepOpening: atomically((key: SessionKey, revision: number, { outline, rows }: Opening) => {
      const session = find.get(key)
      if (session?.revision === revision)
        setOpening.run(session.id, revision, JSON.stringify(outline), JSON.stringify(rows))
    }),
    readAgain: atomically((parent: SessionKey) => {
      const children = awaiting.all(parent)
      for (const { id } of children) forgetCheckpoints.run(id)
      return children.map(({ key, path }) => ({ key, path }))
    }),
    remove: atomically((key: SessionKey) => {
      const session = find.get(key)
      if (session !== undefined) removeById(session.id)
    }),
    sessionsIn: (folder) => inFolder.all(folder),
    sessionsBelow: (folder) => belowFolder.all(...below(folder)),
    countBelow: (folder) => countListed.get(...below(folder)) ?? 0,
    faultCount: (key) => countFaults.get(key) ?? 0,
    claims: (folder) => getClaims.get(folder),
    keepClaims(folder, claims) {
      if (claims === null) dropClaims.run(folder)
      else setClaims.run(folder, claims)
    }
  }
}

interface FileColumns {
  readonly id: number
  readonly position: number
  readonly path: string
  readonly role: FileRole
  readonly framing: Framing
  readonly size: number
  readonly length: number
  readonly modified: number
  readonly state: string
  readonly checkpoint: string | null
  readonly checkpoint_state: string | null
}

function fileProgress(columns: FileColumns): FileProgress {
  const { path, role, framing, size, length, modified, state, checkpoint, checkpoint_state: checkpointState } = columns
  return {
    path,
    role,
    framing,
    size,
    length,
    modified,
    state: JSON.parse(state) as JsonObject,
    checkpoint,
    checkpointState: checkpointState === null ? null : (JSON.parse(checkpointState) as JsonObject)
  }
}

function isSame(
  stored: readonly { path: string; role: string; framing: string }[],
  files: readonly SourceFile[]
): boolean {
  return (
    stored.length === files.length &&
    files.every((file, at) => stored[at] !== undefined && nameOf(stored[at]) === nameOf(file))
  )
}

const nameOf = ({ path, role, framing }: { path: string; role: string; framing: string }): string =>
  JSON.stringify([path, role, framing])

const textOf = (beside: JsonObject | undefined): string | null => (beside === undefined ? null : JSON.stringify(beside))

const asJson = (list: readonly unknown[]): string | null => (list.length === 0 ? null : JSON.stringify(list))
