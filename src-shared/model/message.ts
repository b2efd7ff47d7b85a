import * as v from 'valibot'
import { Fault } from './fault.ts'

export const Block = v.variant('type', [
  v.object({ type: v.literal('text'), text: v.string() }),
  v.object({ type: v.literal('thinking'), text: v.string() }),
  v.object({ type: v.literal('tool-call'), id: v.string(), name: v.string(), arguments: v.unknown() }),
  v.object({ type: v.literal('tool-result'), callId: v.string(), isError: v.boolean(), text: v.string() }),
  v.object({ type: v.literal('image'), mimeType: v.string(), bytes: v.nullable(v.number()) }),
  v.object({ type: v.literal('other'), name: v.string() })
])
export type Block = v.InferOutput<typeof Block>

export const messageKinds = ['message', 'compaction-summary', 'branch-summary', 'custom', 'system'] as const

/** A message of a reconstructed request (docs/command-line.md, `context`). */
export const Message = v.object({
  kind: v.picklist(messageKinds),
  role: v.string(),
  text: v.string(),
  blocks: v.array(Block),
  stopReason: v.nullable(v.string()),
  tokens: v.number(),
  tokensSource: v.picklist(['recorded', 'estimated']),
  sources: v.array(v.string()),
  callId: v.optional(v.string()),
  isError: v.optional(v.boolean()),
  /** False where the agent lists the message but leaves it out of the request. */
  sent: v.optional(v.boolean())
})
export type Message = v.InferOutput<typeof Message>

export const Context = v.object({
  entry: v.nullable(v.string()),
  model: v.nullable(v.object({ provider: v.string(), name: v.string() })),
  thinking: v.nullable(v.string()),
  messages: v.array(Message),
  omitted: v.array(v.object({ entry: v.string(), reason: v.string() })),
  faults: v.array(Fault)
})
export type Context = v.InferOutput<typeof Context>
