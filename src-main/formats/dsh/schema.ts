import type { ByteRange, EntryKind } from '#shared/model/entry.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { SurfaceFault, SurfaceStep } from './surface.ts'

/** The newest generation whose shapes are known. */
export const newestVersion = 5
/** From here on: one event a row, the stream inside of its message, and seeds by a mark in the log. */
export const embeddedStreams = 2
/** From here on: forks and what they are made of are known from documents only. */
export const unverified = 4

const ownKinds: ReadonlyMap<string, EntryKind> = new Map<string, EntryKind>([
  ['user/message', 'message'],
  ['steering/message', 'message'],
  ['context/message', 'message'],
  ['assistant/message', 'message'],
  ['tool/result', 'tool-result'],
  ['system/message', 'message'],
  ['developer/message', 'message'],
  ['tool/call', 'tool-call'],
  ['session/title', 'session-info']
])

/** Types that stand in the log beside the conversation. */
const logOnly: ReadonlySet<string> = new Set([
  'agent-preset/selected',
  'agent/inbox/spliced',
  'approval/asked',
  'approval/decided',
  'approval/policy',
  'assistant/attempt',
  'assistant/chunk',
  'command/done',
  'command/run',
  'compact/end',
  'compact/prune',
  'compact/start',
  'compact/summary',
  'compaction/end',
  'compaction/prune',
  'compaction/start',
  'compaction/summary',
  'feedback/message-delete',
  'feedback/message-put',
  'feedback/record',
  'goal/change',
  'hook/invoked',
  'hook/result',
  'image/offload',
  'llm/retry',
  'llm/retry-started',
  'model/selection',
  'permission/preset',
  'plan/mode',
  'request/context',
  'request/header',
  'sandbox/mode',
  'schedule/change',
  'session-log-deepseek/delivery-accepted',
  'session/end-seed',
  'session/title-llm-request',
  'step/end',
  'step/start',
  'subagent/catalog',
  'subagent/descriptor',
  'subagent/model-selection-policy',
  'team/member',
  'team/message/delivered',
  'team/message/queued',
  'team/task',
  'todo/write',
  'tool-workflow/agent-end',
  'tool-workflow/agent-start',
  'tool-workflow/run-end',
  'tool-workflow/run-start',
  'tool/code-dispatch',
  'tool/code-dispatch-start',
  'tool/ptc-dispatch',
  'tool/ptc-dispatch-start',
  'turn/end',
  'turn/start',
  'web/deepseek-search-llm-request',
  'workspace/changes'
])

/** The kind of an event's entry; `unknown` for a type that no generation has. */
export function kindOf(type: string): EntryKind {
  return ownKinds.get(type) ?? (logOnly.has(type) ? 'event' : 'unknown')
}

export interface Header {
  readonly version: number
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number | null
  readonly cwd: string | null
  readonly parent: string | null
  /** Events that are inherited by the header's own word (v0, v1). */
  readonly seedLength: number
  /** Whether the log has a mark behind inherited events (v2 and later). */
  readonly isSeeded: boolean
  readonly isSubagent: boolean
  readonly preset: string | null
}

/** Where the log stops being one: at a row that cannot be read, or whose number is not the next. */
export interface Break {
  readonly line: number
  readonly why: string
  /** Whether dsh takes the whole log for corrupt, as turns end behind the break; else it drops what follows. */
  readonly isCorrupt: boolean
  /** Complete rows behind the one that breaks it. */
  readonly behind: number
}

export interface OpenCompaction {
  readonly id: string
  readonly isReplaced: boolean
}

/** Tokens as an event has them: uncached input, output, read from and written to the cache, reasoning. */
export type Sample = readonly [
  input: number | null,
  output: number | null,
  cacheRead: number | null,
  cacheWrite: number | null,
  reasoning: number | null
]

/** What the reader remembers between lines. */
export interface State {
  readonly isBegun: boolean
  readonly header: Header | null
  /** The file of the session that it came from, where that lies in the same project. */
  readonly parentFile: string | null
  readonly preamble: readonly ByteRange[]
  readonly break: Break | null
  /** Number of the next event. */
  readonly next: number
  /** The turn and step that are open. */
  readonly turn: number | null
  readonly step: number | null
  /** `provider/name` of the requests, by the last header or context. */
  readonly model: string | null
  /** The last usage that a stream gave, and in which turn and step. */
  readonly sample: { readonly turn: number | null; readonly step: number | null; readonly counts: Sample } | null
  readonly compaction: OpenCompaction | null
}

export const emptyState: State = {
  isBegun: false,
  header: null,
  parentFile: null,
  preamble: [],
  break: null,
  next: 0,
  turn: null,
  step: null,
  model: null,
  sample: null,
  compaction: null
}

export const stateToJson = (state: State): JsonObject => ({ ...state }) as unknown as JsonObject
/** Only what `stateToJson` made comes back from the index, so nothing is checked again. */
export const stateFromJson = (json: JsonObject): State => ({ ...emptyState, ...(json as unknown as Partial<State>) })

/** A tool call as the facts of an answer hold it: id, name, main argument. */
export type CallFact = readonly [id: string, name: string, argument: string]

/** The few values of an event that are needed without its content; each only where it applies. */
export interface Facts {
  readonly type: string
  readonly turn?: number
  readonly step?: number
  /** Its part in the surface, checked by itself. */
  readonly surface?: SurfaceStep | SurfaceFault
  /** A message that a context leaves out, as it holds nothing. */
  readonly empty?: true
  readonly calls?: readonly CallFact[]
  /** The call that a result answers, or that a call event is. */
  readonly call?: string
  readonly tool?: string
  readonly error?: true
  readonly lines?: number
  /** Hash of a tool result without its content, which alone a rewrite may change. */
  readonly rest?: string
  /** Number of the last chunk that an answer names as its stream; -1 where it names none, absent where it does not say. */
  readonly stream?: number
  /** What kind of chunk. */
  readonly chunk?: string
  readonly sample?: Sample
  /** Why a turn ended, an answer finished, a compaction failed. */
  readonly reason?: string
  /** Of a request's header: how much it thinks, and whether it holds a system prompt and messages in front. */
  readonly effort?: string
  readonly system?: true
  readonly prefix?: true
  /** Of a request's context: tokens that the model takes in all. */
  readonly window?: number
  /** Of an end-seed: that what stands before it is inherited. */
  readonly inherited?: true
  /** What a row says of the event. */
  readonly words?: string
  readonly ignorable?: true
  /** What a compaction says of itself: its id, who asked for it, its own figures. */
  readonly compaction?: string
  readonly trigger?: string
  readonly shadowed?: number
  readonly written?: number
  /** A title that the session has from here on. */
  readonly title?: string
}

export const factsOf = ({ facts }: { readonly facts: JsonObject }): Facts => facts as unknown as Facts
