import { randomBytes } from 'node:crypto'
import type { JsonObject } from '#shared/model/json.ts'

/** Who spent the tokens of a usage event: a request of the agent's, of a compaction's, or a sub-agent as a whole. */
export type UsageKind = 'agent' | 'compact' | 'sub_agent'

/** A line of `events.jsonl`. */
export type SessionEvent =
  | { readonly type: 'session_start'; readonly session_id: string }
  | { readonly type: 'session_fork'; readonly session_id: string; readonly source_session_id: string }
  | { readonly type: 'user_input'; readonly content: string }
  | { readonly type: 'image_describe'; readonly images: string; readonly content: string }
  /** One event a token or chunk, as it was streamed. */
  | { readonly type: 'thinking' | 'text'; readonly content: string }
  | { readonly type: 'tool_call'; readonly name: string; readonly id: string; readonly input: JsonObject }
  | { readonly type: 'tool_result'; readonly tool_use_id: string; readonly name: string; readonly content: string }
  | {
      readonly type: 'usage'
      readonly input_tokens: number
      readonly output_tokens: number
      readonly cache_read_input_tokens: number
      readonly cache_creation_input_tokens: number
      readonly kind: UsageKind
      readonly sub_session_id?: string
    }
  | { readonly type: 'stop'; readonly reason: string }
  | { readonly type: 'context_update'; readonly kind: 'compact'; readonly trigger: 'auto' }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'retry' }
  | {
      readonly type: 'sub_agent_start'
      readonly session_id: string
      readonly timestamp: string
      readonly prompt: string
      readonly description: string
      readonly fork: boolean
    }
  | {
      readonly type: 'sub_agent_result'
      readonly session_id: string
      readonly status: 'ok' | 'failed'
      readonly input_tokens: number
      readonly output_tokens: number
      readonly thinking: string
      readonly text: string
    }
  | {
      readonly type: 'sub_agent_end'
      readonly session_id: string
      readonly timestamp: string
      readonly status: 'ok' | 'failed'
    }
  | {
      readonly type: 'async_task_result'
      readonly task_id: string
      readonly exit_code: number
      readonly output: string
    }

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

export interface ToolResult {
  readonly id: string
  readonly content: string
}

/** Members behind `type`, in the order in which the bash writer has them. */
const eventMembers = {
  session_start: ['session_id'],
  session_fork: ['session_id', 'source_session_id'],
  user_input: ['content'],
  image_describe: ['images', 'content'],
  thinking: ['content'],
  text: ['content'],
  tool_call: ['name', 'id', 'input'],
  tool_result: ['tool_use_id', 'name', 'content'],
  usage: [
    'input_tokens',
    'output_tokens',
    'cache_read_input_tokens',
    'cache_creation_input_tokens',
    'kind',
    'sub_session_id'
  ],
  stop: ['reason'],
  context_update: ['kind', 'trigger'],
  error: ['message'],
  retry: [],
  sub_agent_start: ['session_id', 'timestamp', 'prompt', 'description', 'fork'],
  sub_agent_result: ['session_id', 'status', 'input_tokens', 'output_tokens', 'thinking', 'text'],
  sub_agent_end: ['session_id', 'timestamp', 'status'],
  async_task_result: ['task_id', 'exit_code', 'output']
} as const satisfies Record<SessionEvent['type'], readonly string[]>

/** An event as a whole line. */
export function eventLine(event: SessionEvent): string {
  const members: Readonly<Record<string, unknown>> = { ...event }
  return lineOf(Object.fromEntries(['type', ...eventMembers[event.type]].map((name) => [name, members[name]])))
}

/** A turn's first line in the conversation. */
export const userLine = (text: string): string => lineOf({ role: 'user', content: text })

/** An answer; its thinking and text stand in it even where they are empty. */
export function assistantLine(answer: {
  readonly thinking: string
  readonly text: string
  readonly calls: readonly ToolCall[]
}): string {
  const calls = answer.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))
  const thinking = { type: 'thinking', thinking: answer.thinking }
  return lineOf({ role: 'assistant', content: [thinking, { type: 'text', text: answer.text }, ...calls] })
}

/** The results of all calls of the answer before. */
export function toolResultsLine(results: readonly ToolResult[]): string {
  const content = results.map((result) => ({ type: 'tool_result', tool_use_id: result.id, content: result.content }))
  return lineOf({ role: 'user', content })
}

/**
 * `JSON.stringify` escapes what the agent's own writer does (`\ " \n \r \t \b \f`), and as `\u00XX` the other control
 * characters, which that one leaves raw. Members that are undefined are left out.
 */
const lineOf = (object: object): string => `${JSON.stringify(object)}\n`

/** A session's name as the agent makes them: local time and four hex digits. */
export function newSessionId(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`
  return `${day}-${time}-${randomBytes(2).toString('hex')}`
}
