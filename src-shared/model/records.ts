import type { AgentId } from './agent.ts'
import type { ByteRange, EntryKind } from './entry.ts'
import type { Fault } from './fault.ts'
import type { JsonObject } from './json.ts'
import type { Usage } from './usage.ts'

export type { Json, JsonObject } from './json.ts'

/** What a file is to its session. A session is a set of files with roles. */
export type FileRole = 'log' | 'messages' | 'events' | 'snapshot' | 'row' | 'attachment'

/** How a file's bytes become lines: at line feeds, after the format has decoded its frames, or not at all: one document. */
export type Framing = 'lines' | 'frames' | 'document'

/** One file of a set, before or after it was read. */
export interface SourceFile {
  readonly path: string
  readonly role: FileRole
  readonly framing: Framing
}

/**
 * An entry as it was read, before anything is known of the others. This is what the index keeps, one row each;
 * `facts` holds the few small values that `assemble` needs later (targets, call ids, first kept entry), never content.
 */
export interface EntryRecord {
  readonly file: number
  readonly line: number
  /** 1 for the first object of a line, 2 for the second (glued lines). */
  readonly part: number
  /** The object's own bytes, without the line end. */
  readonly bytes: ByteRange
  /** Where the frames that hold it lie in the file; set by the engine, for files of frames only. */
  readonly frame?: ByteRange
  /** The whole object of an entry that lies in no file (`Assembled.synthetic`); its `bytes` are none, its `line` is 0. */
  readonly synthetic?: JsonObject
  readonly storedId: string | null
  /** undefined where the object has no such member. */
  readonly storedParent: string | null | undefined
  readonly kind: EntryKind
  readonly role: string | null
  /** Milliseconds since 1970, null where absent or unreadable. */
  readonly time: number | null
  readonly preview: string
  readonly model: string | null
  readonly usage: Usage | null
  readonly facts: JsonObject
}

export type FaultDraft = Omit<Fault, 'file' | 'severity'>

/** What a line is in the byte ledger. */
export const lineClasses = ['entry', 'header', 'fault', 'blank'] as const
export type LineClass = (typeof lineClasses)[number]

/** What one line is: its class for the byte ledger, the entries in it, and what is wrong with it. */
export interface LineReading {
  readonly class: LineClass
  readonly entries: readonly EntryRecord[]
  readonly faults: readonly FaultDraft[]
  /**
   * An entry that began on an earlier line, alone there, and goes on with this one: the record that replaces its own. A
   * line that has no end yet never carries one, as nothing is sure of it.
   */
  readonly grown?: EntryRecord
}

/** A file of a session with what the reader had learnt at its end. */
export interface ReadFile extends SourceFile {
  /** Bytes on disk. */
  readonly size: number
  /** Bytes of its stream of lines; its size, unless the format decodes it. */
  readonly length: number
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly state: JsonObject
}

/** Everything that was read of a session, in file order (`Format.order`). */
export interface SessionRecords {
  readonly files: readonly [ReadFile, ...ReadFile[]]
  /** The agent to read it as; null: the one that its content and place show (`Assembled.agent` says which). */
  readonly agent: AgentId | null
  /** What the folder says of the session beside its files; absent where it says nothing. */
  readonly beside?: JsonObject
  readonly entries: readonly EntryRecord[]
}
