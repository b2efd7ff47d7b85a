/** A part of a message's content. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url'
      readonly image_url: {
        /** Mostly a data URL. */
        readonly url: string
        readonly detail?: 'auto' | 'low' | 'high'
        readonly media_type?: string
      }
    }
  | { readonly type: 'document'; readonly source: { readonly data: string; readonly media_type: string } }
  | { readonly type: 'other'; readonly provider: string; readonly kind: string; readonly payload: unknown }

export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: {
    readonly name: string
    /** JSON as the model wrote it. */
    readonly arguments: string
  }
  readonly provider_meta?: unknown
}

/** Where the whole output of a tool lies: the cache file of that id. */
export interface ToolOutputRef {
  readonly id: string
  readonly byte_size?: number
  readonly line_count?: number
}

interface MessageCommon {
  readonly name?: string
  /** ISO 8601 UTC; mostly absent. */
  readonly message_ts?: string
}

/** A message as codelia stores it, in requests, responses and the messages file alike. */
export type BaseMessage =
  | (MessageCommon & { readonly role: 'user'; readonly content: string | readonly ContentPart[] })
  | (MessageCommon & {
      readonly role: 'system'
      readonly content: string | readonly ContentPart[]
      readonly cache?: boolean
    })
  | (MessageCommon & {
      readonly role: 'assistant'
      readonly content: string | readonly ContentPart[] | null
      readonly tool_calls?: readonly ToolCall[]
      readonly refusal?: string | null
    })
  | (MessageCommon & {
      readonly role: 'tool'
      readonly tool_call_id: string
      readonly tool_name: string
      readonly content: string | readonly ContentPart[]
      readonly is_error?: boolean
      readonly output_ref?: ToolOutputRef
      readonly trimmed?: boolean
    })
  | (MessageCommon & { readonly role: 'reasoning'; readonly content: string | null; readonly raw_item?: unknown })
