import type { BytePiece, OpenSource } from '#main/platform/byte-pieces.ts'
import type { Bytes } from '#main/platform/bytes.ts'
import type { Line } from '#main/tail/line.ts'
import type { BranchPoint, DetailBlock } from '#shared/contract/entry.ts'
import type { ReplayEvent } from '#shared/contract/replay.ts'
import type { AgentId, FormatId } from '#shared/model/agent.ts'
import type { ByteRange, DefaultLeaf, Entry, Mark, Note } from '#shared/model/entry.ts'
import type { FaultKind } from '#shared/model/fault.ts'
import type { Message } from '#shared/model/message.ts'
import type { Session } from '#shared/model/session.ts'
import type { Usage } from '#shared/model/usage.ts'
import type {
  EntryRecord,
  FaultDraft,
  JsonObject,
  LineReading,
  SessionRecords,
  SourceFile
} from '#shared/model/records.ts'

export type { BytePiece as Piece } from '#main/platform/byte-pieces.ts'
export type { Line } from '#main/tail/line.ts'
export type { FaultDraft, JsonObject, LineReading, SessionRecords, SourceFile } from '#shared/model/records.ts'

/** A place where a format's own programs keep sessions, whether it exists or not. */
export interface KnownPlace {
  readonly path: string
  readonly label: string
}

/** A session's files, the main one first: its path names the session. */
export interface SessionSet {
  readonly files: readonly [SourceFile, ...SourceFile[]]
  /** True where the files' directory is the session: naming it names them. */
  readonly isDirectory?: boolean
  /** The agent that the person named; null where `assemble` is to see it by content and place. */
  readonly agent: AgentId | null
  /** A path that names the session in place of its main file's, where another file may become the main one. */
  readonly name?: string
  /** What the folder says of the session beside its files, small; see `SessionRecords.beside`. */
  readonly beside?: JsonObject
}

/** Names in a directory, symlinks left out. */
export interface Names {
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

/** A directory as the scan sees it. What is further down is named by the way to it, with slashes. */
export interface Listing extends Names {
  readonly path: string
  /** Names in a folder further down; none where there is no such folder. */
  below(folder: string): Names
  /** First bytes of a file (up to 64 KiB), undefined if it cannot be read. */
  head(name: string): Buffer | undefined
}

/**
 * Reads the lines of one file of a session in order; each file of the set has a reader of its own. `read` never throws
 * and never drops: what it does not understand becomes an `unknown` entry or a fault. `state` is all it must remember
 * between lines, small and plain JSON, so that reading goes on after a restart from where it stopped.
 */
export interface LineReader {
  read(line: Line): LineReading
  state(): JsonObject
}

/** What is wrong in a folder and shows in none of its sessions. */
export interface FolderFault {
  readonly kind: FaultKind
  /** Of the file that it lies in. */
  readonly path: string
  readonly message: string
}

/** An entry's place in the session, at the same index as its record. */
export interface TreeNode {
  /** Public id (docs/command-line.md, table of ids), unique in the session. */
  readonly id: string
  /** Index of the parent, -1 for a root. Following parents always ends. */
  readonly parent: number
  readonly label: string | null
}

/** What a row of the tree shows of an entry; see `EntryRow`. */
export interface RowText {
  readonly tool: string | null
  readonly summary: string
  readonly contextTokens: number | null
  readonly failed: boolean
  /** Absent: none. */
  readonly marks?: readonly Mark[]
}

/** A fault of the whole session; `file` is the index of the file that it lies in, absent for the main one. */
export type SessionFault = FaultDraft & { readonly file?: number }

/** Entries that hold an answer in pieces, as it came; the same for all of them. */
export interface Stream {
  /** Index of the entry that holds it whole; null where none does. */
  readonly answer: number | null
}

/** Where a linear store puts an entry; see `Entry`. */
export type Position = Required<Pick<Entry, 'turn' | 'step' | 'run' | 'invocation'>>

/** A session put together: pure, computed from the records alone, never recursive. */
export interface Assembled {
  readonly agent: AgentId
  /** All but what the engine knows by itself. */
  readonly session: Omit<Session, 'file' | 'live' | 'faults' | 'entries' | 'leaves'>
  readonly nodes: readonly TreeNode[]
  /** Entries that lie in no file, as the agent would write them when it goes on; they follow the records' own. */
  readonly synthetic?: readonly EntryRecord[]
  /** Indexes in file order: who is no other entry's parent. What a log tells beside the messages ends in none. */
  readonly leaves: readonly number[]
  readonly defaultLeaf: DefaultLeaf
  /** Id of the entry at which the session is looked at where none is named; absent: the default leaf. */
  readonly defaultEntry?: string | null
  /** Faults that no single line shows: duplicate ids, orphans, cycles, unpaired calls, … */
  readonly faults: readonly SessionFault[]
  /** Main files of the sessions of sub-agents that it started, where these do not say so themselves; absent: none. */
  readonly subagentFiles?: readonly string[]
  /** Lines in front of the entries that every export of a path carries (title slot, header), with their line ends. */
  readonly preamble: readonly ByteRange[]
  /** The same of another file than the main one; absent: none. */
  readonly preambleOf?: (file: number) => readonly ByteRange[]
  /** Indexes of what a log beside the messages tells of by the time of a message, in order; absent: there is no such log. */
  readonly alongside?: (at: number) => readonly number[]
  row(at: number): RowText
  /** When an entry was written whose record does not say it, by what others tell of it; absent: none do. */
  readonly time?: (at: number) => number | null
  /** Of linear stores only. */
  readonly position?: (at: number) => Position
  /** The stream that an entry is a piece of; null for every other. Absent where no answer is kept in pieces. */
  readonly streamOf?: (at: number) => Stream | null
  /** What the window says above the session, the most important first; absent: nothing. */
  readonly notes?: readonly Note[]
}

/** Reads back what was indexed: the parsed objects at these indexes, in that order; null where the bytes no longer parse. */
export interface Content {
  objects(at: readonly number[], signal?: AbortSignal): AsyncIterable<JsonObject | null>
}

export interface SessionView {
  /** With the entries that lie in no file. */
  readonly records: SessionRecords
  readonly tree: Assembled
  readonly content: Content
  /** Opens a file of the session as a stream of lines. Refused as `not-found`. */
  readonly open: OpenSource
}

/** A message of a context before its tokens are counted; `recordedTokens` where the store has a figure for that very message. */
export type MessageDraft = Omit<Message, 'tokens' | 'tokensSource'> & { readonly recordedTokens: number | null }

export interface ContextDraft {
  readonly entry: string | null
  readonly model: { readonly provider: string; readonly name: string } | null
  readonly thinking: string | null
  readonly messages: readonly MessageDraft[]
  readonly omitted: readonly { readonly entry: string; readonly reason: string }[]
  readonly faults: readonly SessionFault[]
}

/** What a compaction's own entry says, and what it stands for. */
export interface CompactionNote {
  /** Who or what asked for it, in the store's own word; null where that was not recorded. */
  readonly trigger: string | null
  readonly summary: string | null
  /** The agent's own figures, in tokens. */
  readonly recordedBefore: number | null
  readonly recordedAfter: number | null
  /** Indexes of the entries that its summary stands for; null where that cannot be known. */
  readonly covered: ReadonlySet<number> | null
}

/** A request as the agent's own meter counts it; its figures are the entry's. */
export interface MeteredRequest {
  readonly at: number
  /** True where a fork repeats it from its parent. */
  readonly inherited: boolean
  /** As in a row: tokens in the context once this answer was given; null for what is no answer, and where unknown. */
  readonly contextTokens: number | null
  /**
   * For a figure that repeats what sub-agents spent: the names of their files, without folder and ending, or their ids,
   * or `all` of the session's where it does not say which. Null for every other request.
   */
  readonly subagents: readonly string[] | 'all' | null
  /** Names the log that it stands in, where no entry has a time: a copy of the log has the same name. */
  readonly log?: string
  /** Its figures, where they are not those of the entry: what a counter says of many requests. */
  readonly usage?: Usage
  /**
   * Absent for one that gave an answer; an attempt that gave none; a call beside the conversation, which the sums leave
   * out; what a compaction or a sub-agent spent, which they do not.
   */
  readonly kind?: 'attempt' | 'auxiliary' | 'compaction' | 'subagent'
  /** Tokens that its model takes in all, where that was recorded. */
  readonly window?: number
}

/** A file to be made. */
export interface PlannedFile {
  /** Absolute. */
  readonly path: string
  /** Its lines: copied from the sources' streams, or written by us. */
  readonly pieces: readonly BytePiece[]
  /** There where `Format.encode` makes its bytes of them. */
  readonly framing?: 'frames'
}

/** What a branch will write, decided before a byte is written. */
export interface BranchPlan {
  readonly sessionId: string
  /** The new session's files, the main one first; more than one only in a directory of their own. */
  readonly files: readonly [PlannedFile, ...PlannedFile[]]
  /** The new directory that holds these files and nothing else, made as a whole; absent where the file goes into one that is there. */
  readonly directory?: string
  /** A folder that is made for the file where it is not there yet. */
  readonly parent?: string
  /** Entries of the main file. */
  readonly entries: number
  /** What the agent will see of it; absent where that is the context at the entry where it ends. */
  readonly context?: ContextDraft
  /** One shell-quoted line that resumes the result, with `cd` into its folder. */
  readonly resume: string
  /** Why nobody has seen the agent read such a file; absent where it was seen. */
  readonly unverified?: string
  /** A folder that goes with the file and is copied with it, links left out. */
  readonly folder?: { readonly from: string; readonly to: string }
}

export interface ForkRequest {
  readonly now: Date
  /** Folder for the new file; null: where the agent finds it. */
  readonly into: string | null
}

/** What is to be appended to a session's own file. */
export type AppendRequest =
  /** A branch that begins below an entry; with a summary of what it leaves, the agent is told of it. */
  | { readonly kind: 'branch'; readonly at: number; readonly summary: string | null; readonly now: Date }
  /** A label on an entry; "" clears it. */
  | { readonly kind: 'label'; readonly at: number; readonly label: string; readonly now: Date }

export interface AppendPlan {
  readonly sessionId: string
  /** Whole lines for the end of the main file. */
  readonly text: string
  readonly entries: number
  /** Id of the last new entry, from which the agent will go on. */
  readonly end: string
  readonly resume: string
}

export interface BranchRequest {
  /** Index of the entry at the new end. */
  readonly at: number
  readonly now: Date
  /** Folder for the new file; null: where the agent finds it. */
  readonly into: string | null
}

/** What an agent's session files are and mean. Everything else in the app is the same for all agents. */
export interface Format {
  readonly id: FormatId
  readonly label: string
  /** The agents that write it: one, or the dialects of one format. */
  readonly agents: readonly [AgentId, ...AgentId[]]
  readonly can: { readonly branch: boolean }
  /** In words, for a folder in which nothing was found: "pi and omp sessions (*.jsonl that begin with a session header)". */
  readonly lookedFor: string

  /** Places where the agents keep sessions, whether they exist or not. */
  locate(env: Readonly<Record<string, string | undefined>>, home: string): readonly KnownPlace[]
  /** Sessions whose files lie in this directory, or, for sets that are spread over folders, below it; recognised by content. */
  claim(listing: Listing): readonly SessionSet[]
  /** What is wrong in a directory beside the sessions that were claimed in it; absent where nothing can be. */
  readonly folderFaults?: (listing: Listing, sets: readonly SessionSet[]) => readonly FolderFault[]
  /**
   * For a folder with files of sets that are spread over folders, and for a file that stands for such a set: the folder
   * above in which it is claimed, as the names on the way alone tell; null for every other. Absent where no set is spread.
   */
  readonly gathered?: (path: string) => string | null
  /** A file the person named, read as this format whatever it looks like. */
  force(path: string, agent: AgentId | null): SessionSet
  /**
   * The lines of a file whose bytes are not lines as they lie (framing `frames`) as a stream of their own; absent where
   * none are. All offsets of such a file are in that stream, which holds its complete frames, and complete lines of a torn one.
   */
  readonly decode?: (source: SourceFile, raw: Bytes) => Bytes
  /** The bytes of a new file of frames from its lines; absent where none is made. A chunk is valid until the next is asked for. */
  readonly encode?: (lines: AsyncIterable<Buffer>) => AsyncIterable<Buffer>
  /** How to read the bytes of an entry that are not one JSON object as they lie; null, and absent, where they are. */
  readonly parser?: (record: EntryRecord) => ((bytes: Buffer) => JsonObject | null) | null
  /** Whether something beside the files shows that the agent is running now. */
  readonly isRunning?: (files: readonly SourceFile[]) => boolean
  /** A reader for one of these files (`Line.file` says which), from its start (`state` null) or from where one stopped. */
  reader(files: readonly SourceFile[], state: JsonObject | null): LineReader
  /** Indexes of the files in the order in which their entries follow each other; absent: as they are. */
  readonly order?: (files: SessionRecords['files']) => readonly number[]
  assemble(records: SessionRecords): Assembled

  /** What the model saw at an entry; `at` null: the default entry. */
  context(view: SessionView, at: number | null, signal?: AbortSignal): Promise<ContextDraft>
  /** The note of the compaction at an index. What the model saw before and after it is `context` at its parent and at it. */
  compaction(view: SessionView, at: number, signal?: AbortSignal): Promise<CompactionNote>
  /** Every request of a session in file order, on all its branches; each has a `usage`, or the entry that it names. */
  requests(records: SessionRecords, tree: Assembled): readonly MeteredRequest[]
  /** An entry's blocks with their texts as `content` has them (of a huge entry long strings are cut), for the inspector. */
  blocks(
    view: SessionView,
    at: number
  ): Promise<{
    readonly blocks: readonly DetailBlock[]
    readonly facts: readonly (readonly [string, string])[]
    readonly own: boolean
    /** How many of the last blocks are the stream of what those before them hold; absent: none. */
    readonly streamed?: number
  }>
  /** Bytes of an image block; undefined where they are missing. */
  image(
    view: SessionView,
    at: number,
    block: number
  ): Promise<{ readonly mimeType: string; readonly bytes: Buffer } | undefined>

  /**
   * What the agent showed in the last turns, where a log of its own tells and is read from its end; undefined for a
   * session without that log, absent for a format without one: then the path to the default leaf tells.
   */
  readonly replay?: (
    view: SessionView,
    turns: number,
    signal?: AbortSignal
  ) => Promise<readonly ReplayEvent[] | undefined>

  /** Whether the agent could go on from an entry. */
  branchPoint(view: SessionView, at: number): BranchPoint
  planBranch(view: SessionView, request: BranchRequest): Promise<BranchPlan>
  /** The whole tree as a new session; absent where the store has no such thing. Refused as `not-resumable`. */
  readonly planFork?: (view: SessionView, request: ForkRequest) => Promise<BranchPlan>
  /** Why nothing can be appended that names an entry as its parent or target, null where it can be; absent where nothing can be appended. */
  readonly appendRefusal?: (view: SessionView, at: number, kind: AppendRequest['kind']) => string | null
  /** Refused as `unsupported` where `appendRefusal` says why, `not-resumable` where `branchPoint` refuses a branch. */
  readonly planAppend?: (view: SessionView, request: AppendRequest) => AppendPlan
}
