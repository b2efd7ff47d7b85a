import type { JsonObject } from '#shared/model/records.ts'
import type { Stats } from './stats.ts'

/** A session's files by their names; the main one, which names the session, first. */
export const conversationName = 'conversation.jsonl'
export const eventsName = 'events.jsonl'
export const summaryName = 'summary.txt'
export const planName = 'plan.md'
export const draftName = 'plan.draft'
export const statsName = 'stats.json'

/** Event types that `read.ts` tells apart. */
const ownTypes = [
  'session_start',
  'session_fork',
  'user_input',
  'user_message',
  'image_describe',
  'assistant_message',
  'text',
  'thinking',
  'tool_call',
  'tool_result',
  'usage',
  'stop',
  'context_update',
  'error',
  'retry',
  'sub_agent_start',
  'sub_agent_result',
  'sub_agent_end',
  'async_task_result'
]

/** Event types that the agent is known to write, in older versions too, beside those that `read.ts` tells apart. */
export const otherTypes: ReadonlySet<string> = new Set(['tool_start', 'tool_input', 'todo_update'])

export const knownTypes: ReadonlySet<string> = new Set([...ownTypes, ...otherTypes])

/** A tool call: id, name, main argument. */
export type CallFact = readonly [id: string, name: string, argument: string]

/** Of whom a line of the conversation tells that no person typed. */
export type Injected = 'sub-agent' | 'task'

/** The few values of an entry that are needed without its content; each only where it applies. */
export interface Facts {
  /** Of an event; absent for a line of the conversation. */
  readonly type?: string
  /** Of the beginning of a prompt, and of the part in front of its descriptions of images. */
  readonly hash?: string
  readonly base?: string
  readonly injected?: Injected
  /** Session that a sub-agent has, or that a fork comes from. */
  readonly sub?: string
  readonly calls?: readonly CallFact[]
  /** Ids of the calls that a line of the conversation has the results of. */
  readonly results?: readonly string[]
  /** Id of the call that an event is, or answers. */
  readonly call?: string
  readonly tool?: string
  readonly lines?: number
  /** What a row says of the entry. */
  readonly words?: string
  /** Why a call of the model ended. */
  readonly reason?: string
  /** Who spent the tokens of a usage event. */
  readonly kind?: string
  /** Of a compaction, and of what belongs to the one before it. */
  readonly trigger?: string
  readonly ofCompaction?: boolean
  /** Token events that ran together. */
  readonly tokens?: number
  readonly isError?: boolean
  /** Its line is no JSON as it lies. */
  readonly repaired?: boolean
}

/** Token events that run together so far. */
export interface Run {
  readonly type: 'text' | 'thinking'
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly tokens: number
  /** Texts so far in one go of tokens, its own included. */
  readonly texts: number
  readonly preview: string
}

/** What is known of a file that is no log. */
export interface Document {
  readonly isBlank: boolean
  readonly stats: Stats | null
}

/** What the reader remembers between lines. */
export interface State {
  readonly run: Run | null
  /** A compaction's first event, whose second may follow. */
  readonly compaction: { readonly line: number; readonly type: string } | null
  /** What a `session_fork` names: the file is null where it was not found. */
  readonly source: { readonly id: string; readonly file: string | null } | null
  readonly document: Document | null
}

export const emptyState: State = { run: null, compaction: null, source: null, document: null }

export const stateToJson = (state: State): JsonObject => ({ ...state }) as unknown as JsonObject
/** Only what `stateToJson` made comes back from the index, so nothing is checked again. */
export const stateFromJson = (json: JsonObject): State => ({ ...emptyState, ...(json as unknown as Partial<State>) })
