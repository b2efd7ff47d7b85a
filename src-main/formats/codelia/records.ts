import type { BaseMessage, ContentPart, ToolOutputRef } from './messages.ts'

/** The record types that codelia writes; others are ignored by its readers. */
export const recordTypes: ReadonlySet<string> = new Set<SessionRecord['type']>([
  'header',
  'run.start',
  'run.context',
  'agent.event',
  'tool.output',
  'llm.request',
  'llm.response',
  'run.status',
  'run.error',
  'run.end'
])

/** A record of a run file, one a line (docs/formats/codelia.md, "Run files"). */
export type SessionRecord =
  | SessionHeader
  | RunStartRecord
  | RunContextRecord
  | AgentEventRecord
  | ToolOutputRecord
  | LlmRequestRecord
  | LlmResponseRecord
  | RunStatusRecord
  | RunErrorRecord
  | RunEndRecord

type Meta = Readonly<Record<string, unknown>>

interface ModelName {
  readonly provider?: string
  readonly name?: string
  readonly reasoning?: string
  readonly fast?: boolean
}

interface Program {
  readonly name: string
  readonly version: string
}

/** The first line of a run file, never written again. */
export interface SessionHeader {
  readonly type: 'header'
  readonly schema_version: 1
  readonly run_id: string
  readonly session_id?: string
  /** ISO 8601 UTC. */
  readonly started_at: string
  readonly client?: Program
  readonly server?: Program
  readonly model?: ModelName & { readonly source?: 'config' | 'session' }
  readonly prompts?: { readonly system?: string }
  readonly tools?: { readonly definitions?: readonly unknown[]; readonly source?: string }
  readonly runtime?: {
    readonly cwd?: string
    readonly os?: string
    readonly arch?: string
    readonly version?: string
  }
  readonly meta?: Meta
}

/** What every record but the header has. */
interface RecordCommon {
  readonly run_id: string
  /** ISO 8601 UTC. */
  readonly ts: string
  readonly meta?: Meta
}

export interface RunStartRecord extends RecordCommon {
  readonly type: 'run.start'
  readonly session_id?: string
  readonly input:
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'parts'; readonly parts: readonly ContentPart[] }
  readonly ui_context?: unknown
}

export interface RunContextRecord extends RecordCommon {
  readonly type: 'run.context'
  readonly context_left_percent: number
}

export interface AgentEventRecord extends RecordCommon {
  readonly type: 'agent.event'
  /** Counts from 0 in each run. */
  readonly seq: number
  readonly event: AgentEvent
}

export interface ToolOutputRecord extends RecordCommon {
  readonly type: 'tool.output'
  readonly tool: string
  readonly tool_call_id: string
  /** The whole output. */
  readonly result_raw: string
  readonly is_error?: boolean
  readonly output_ref?: ToolOutputRef
}

export interface LlmRequestRecord extends RecordCommon {
  readonly type: 'llm.request'
  /** Number of the invocation; goes on over the runs of a session. */
  readonly seq: number
  readonly model?: ModelName
  readonly input: {
    readonly messages: readonly BaseMessage[]
    readonly tools?: readonly unknown[] | null
    /** `auto`, `required`, `none` or the name of a tool. */
    readonly tool_choice?: string | null
    readonly model?: string
    readonly session_key?: string
  }
}

export interface LlmResponseRecord extends RecordCommon {
  readonly type: 'llm.response'
  /** That of its request. */
  readonly seq: number
  readonly output: {
    readonly messages: readonly BaseMessage[]
    readonly usage?: InvocationUsage | null
    readonly stop_reason?: string | null
    readonly provider_meta?: unknown
  }
}

/** In tokens. What was read from and written to the cache is part of `input_tokens`. */
export interface InvocationUsage {
  readonly model: string
  readonly provider_model?: string
  readonly input_tokens: number
  readonly input_cached_tokens?: number | null
  readonly input_cache_creation_tokens?: number | null
  readonly input_image_tokens?: number | null
  readonly output_tokens: number
  readonly total_tokens: number
}

export interface RunStatusRecord extends RecordCommon {
  readonly type: 'run.status'
  readonly status: 'running' | 'awaiting_ui' | 'completed' | 'error' | 'cancelled'
  readonly message?: string
}

export interface RunErrorRecord extends RecordCommon {
  readonly type: 'run.error'
  readonly error: {
    readonly name: string
    readonly message: string
    readonly stack?: string
    readonly provider?: string
    readonly kind?: string
    readonly status?: number
    readonly attempts?: number
    readonly max_attempts?: number
  }
}

export interface RunEndRecord extends RecordCommon {
  readonly type: 'run.end'
  readonly outcome: 'completed' | 'cancelled' | 'error'
  readonly final?: string
}

/** A record of somebody's own, which codelia's readers ignore: `x.acme.note`. */
export interface CustomRecord extends RecordCommon {
  readonly type: `x.${string}.${string}`
  readonly [member: string]: unknown
}

/** What the agent did, as a window plays it back in the order of `seq`. */
export type AgentEvent =
  | { readonly type: 'text' | 'reasoning'; readonly content: string; readonly timestamp?: number }
  | {
      readonly type: 'llm.retry'
      readonly provider: string
      readonly failure_kind: string
      readonly next_attempt: number
      readonly max_attempts: number
      readonly delay_ms: number
      readonly delay_source: string
      readonly status?: number
    }
  | { readonly type: 'step_start'; readonly step_id: string; readonly title: string; readonly step_number: number }
  | {
      readonly type: 'tool_call'
      readonly tool: string
      readonly args: Readonly<Record<string, unknown>>
      readonly raw_args?: string
      readonly tool_call_id: string
      readonly display_name?: string
    }
  | {
      readonly type: 'tool_result'
      readonly tool: string
      /** Cut where it is long; the whole one is in `tool.output`. */
      readonly result: string
      readonly tool_call_id: string
      readonly is_error?: boolean
      readonly screenshot_base64?: string | null
    }
  | {
      readonly type: 'permission.preview'
      readonly tool: string
      readonly file_path?: string
      readonly language?: string
      readonly diff?: string
      readonly summary?: string
      readonly truncated?: boolean
    }
  | { readonly type: 'permission.ready'; readonly tool: string }
  | {
      readonly type: 'step_complete'
      readonly step_id: string
      readonly status: 'completed' | 'error'
      readonly duration_ms: number
    }
  | { readonly type: 'compaction_start'; readonly timestamp: number }
  | { readonly type: 'compaction_complete'; readonly timestamp: number; readonly compacted: boolean }
  | { readonly type: 'hidden_user_message' | 'final'; readonly content: string }
