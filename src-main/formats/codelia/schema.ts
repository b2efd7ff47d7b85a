import type { ByteRange } from '#shared/model/entry.ts'
import type { JsonObject } from '#shared/model/records.ts'

export const knownVersion = 1

/** What a user's message begins with that a compaction wrote. */
export const retainMark = '[codelia.compaction.retain]\n'
export const summaryMark = '[codelia.compaction.summary]\n'
/** What the message begins with that asks for an answer once no step is left; neither stays in the history. */
export const lastAnswerMark = 'You are generating the final response'

/** A hash of few characters, for what is only compared. */
export type Print = string

/** What a run was set up with, as far as two runs are compared by it. */
export interface Setup {
  /** `provider/name`. */
  readonly model: string | null
  readonly reasoning: string | null
  readonly cwd: string | null
  /** Operating system, architecture, version of the runtime. */
  readonly platform: string | null
  readonly client: string | null
  readonly server: string | null
  readonly system: { readonly print: Print; readonly length: number } | null
  readonly tools: readonly (readonly [name: string, print: Print])[]
  /** Of `meta.runtime_environment`. */
  readonly environment: Print | null
}

export interface Header {
  readonly runId: string | null
  readonly sessionId: string | null
  readonly version: number | null
  /** Milliseconds since 1970. */
  readonly startedAt: number | null
  readonly range: ByteRange
  readonly setup: Setup
}

/** One of the last messages of a request. */
export interface AskedMessage {
  /** Position among the request's messages. */
  readonly at: number
  readonly role: string
  readonly print: Print
  readonly calls: readonly string[]
}

/** The last request, while its answer may come. */
export interface Asked {
  readonly seq: number | null
  readonly provider: string | null
  /** `provider/name`. */
  readonly model: string | null
  readonly tail: readonly AskedMessage[]
}

/** What the document of a snapshot says beside its messages. */
export interface SnapshotFacts {
  readonly id: string | null
  readonly version: number | null
  readonly updatedAt: number | null
  readonly runId: string | null
  readonly invokeSeq: number | null
  readonly workspace: string | null
  readonly forkedFrom: string | null
  /** Where the messages of the session that it was forked from lie. */
  readonly forkedFromFile: string | null
}

/** What the reader of a file remembers between lines. */
export interface State {
  readonly bom: boolean
  readonly header: Header | null
  /** Of the first record that names one. */
  readonly runId: string | null
  readonly sessionId: string | null
  readonly firstTime: number | null
  /** Lines that parsed, the header included. */
  readonly records: number
  readonly workspace: string | null
  /** The last `run.status`, and how the run ended; null where it has not. */
  readonly status: string | null
  readonly outcome: string | null
  readonly asked: Asked | null
  readonly snapshot: SnapshotFacts | null
}

export const emptyState: State = {
  bom: false,
  header: null,
  runId: null,
  sessionId: null,
  firstTime: null,
  records: 0,
  workspace: null,
  status: null,
  outcome: null,
  asked: null,
  snapshot: null
}

export const stateToJson = (state: State): JsonObject => ({ ...state }) as unknown as JsonObject
/** Only what `stateToJson` made comes back from the index, so nothing is checked again. */
export const stateFromJson = (json: JsonObject): State => ({ ...emptyState, ...(json as unknown as Partial<State>) })

/** A tool call: id, name, main argument. */
export type CallFact = readonly [id: string, name: string, argument: string]

/** The few values of an entry that are needed without its content; each only where it applies. */
export interface Facts {
  /** The stored type, for an agent's event followed by the event's own: `agent.event:final`. */
  readonly type?: string
  /** Number of the invocation. */
  readonly seq?: number
  /** Place of an agent's event in its run. */
  readonly event?: number
  readonly calls?: readonly CallFact[]
  /** Of a prompt, of a message, or of each message of an answer: what a request holds it by. */
  readonly prints?: readonly Print[]
  /** Of the messages of an answer that make calls: the same without these, as a compaction leaves them. */
  readonly bare?: readonly Print[]
  /** Of a result: the call that it belongs to. */
  readonly call?: string
  readonly tool?: string
  readonly error?: boolean
  readonly stop?: string
  /** Messages of a request. */
  readonly messages?: number
  /** Provider of a request or an answer; the model's name is the rest of `EntryRecord.model`. */
  readonly provider?: string
  readonly reasoning?: string
  /** Of an answer: how many messages of its request were there before it was given. */
  readonly asked?: number
  /** Of a request: that it holds messages of the system alone. */
  readonly empty?: boolean
  /** Of a request: that it asks for an answer as no step is left. */
  readonly last?: boolean
  /** Of an answer: more tokens from and to the cache than the prompt has. */
  readonly impossible?: boolean
  readonly mark?: 'retain' | 'summary'
  /** Of a request: the same as `prints` of the messages in it that a compaction wrote. */
  readonly marks?: readonly Print[]
  /** What a row says of the entry. */
  readonly words?: string
  readonly lines?: number
  /** Number of the step that an event begins, 0 where one ends. */
  readonly step?: number
  /** Of a prompt that is a command of the agent's own: `/compact`. */
  readonly command?: boolean
}
