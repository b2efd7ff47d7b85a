import type Database from 'better-sqlite3'
import type { ByteLedger } from '#shared/contract/session.ts'
import type { EntryRow, Outline } from '#shared/model/entry.ts'
import type { AgentId, FormatId } from '#shared/model/agent.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { FaultDraft, LineClass, SessionRecords } from '#shared/model/records.ts'
import type { SessionRow } from '#shared/model/session.ts'

declare const readable: unique symbol
declare const writable: unique symbol

/** A handle that only reads. */
export type ReadDb = Database.Database & { readonly [readable]: true }
/** The handle of the one writer of this process. */
export type WriteDb = ReadDb & { readonly [writable]: true }

/** What the index keeps of a session as a whole; the rest depends on the moment and on what is open. */
export type SessionSummary = Omit<SessionRow, 'folder' | 'live'>

/** A session that was read to its end at least once. */
export interface StoredSession {
  readonly key: SessionKey
  readonly format: FormatId
  /** As `SessionRecords.agent`. */
  readonly agent: AgentId | null
  /** Counts index changes of the session; equal to `summary.revision` unless a change is being summed up just now. */
  readonly revision: number
  readonly files: SessionRecords['files']
  readonly summary: SessionSummary
}

/** What a window shows first of a session: all of its tree, and the rows around its default leaf. */
export interface Opening {
  readonly outline: Outline
  readonly rows: readonly EntryRow[]
}

export interface StoredLine {
  /** Counts from 1 within the file. */
  readonly number: number
  readonly offset: number
  /** Bytes with the line end. */
  readonly length: number
  readonly class: LineClass
}

/** Records and the revision they belong to, read in one transaction. */
export interface StoredRecords {
  readonly revision: number
  readonly format: FormatId
  readonly records: SessionRecords
}

/** Entries of a session as they were at a revision. */
export interface HeldRecords {
  readonly revision: number
  readonly records: Pick<SessionRecords, 'entries'>
}

/** Questions to the index. All are synchronous; `file` is the index of a file in the session's set, 0 the main one. */
export interface Queries {
  /** All sessions, newest `updatedAt` first. */
  sessions(): readonly StoredSession[]
  /** Sessions whose main file lies below a folder (a real path), newest `updatedAt` first. */
  sessionsUnder(folder: string): readonly StoredSession[]
  session(key: SessionKey): StoredSession | undefined
  /** Also of a session that was not summed up yet. What still stands of records that are `held` is not read again. */
  records(key: SessionKey, held?: HeldRecords): StoredRecords | undefined
  /** The opening of that very revision; undefined where none is kept. */
  opening(key: SessionKey, revision: number): Opening | undefined
  /** Lines `from`.. (counted from 0) of a file. */
  linePage(
    key: SessionKey,
    file: number,
    from: number,
    count: number
  ): { readonly total: number; readonly lines: readonly StoredLine[] }
  line(key: SessionKey, file: number, number: number): StoredLine | undefined
  /** Where reading of a file goes on: the tail's own, as JSON. */
  checkpoint(key: SessionKey, file: number): string | undefined
  /** Faults that single lines show, in file order. */
  faults(key: SessionKey): readonly (FaultDraft & { readonly file: number })[]
  /** Bytes on disk of all files of the session by what they are; headers count as entries, and a frame as its lines. */
  byteLedger(key: SessionKey): ByteLedger
}
