import * as v from 'valibot'
import { Fault } from '#shared/model/fault.ts'
import { messageKinds } from '#shared/model/message.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { DetailBlock } from './entry.ts'
import { sessionInput } from './session.ts'

/** A message of a context without its texts. */
export const MessageHead = v.object({
  /** Position in the context, from 0. */
  index: v.number(),
  kind: v.picklist(messageKinds),
  role: v.string(),
  /** First words of its texts on one line, at most 300 characters; "" where it has none. */
  preview: v.string(),
  /** Names of the tools it calls, at most 20. */
  calls: v.array(v.string()),
  images: v.number(),
  /** True where it is of the person by its role only: it holds nothing but what tools gave back. */
  isResult: v.boolean(),
  tokens: v.number(),
  tokensSource: v.picklist(['recorded', 'estimated']),
  sources: v.array(v.string()),
  stopReason: v.nullable(v.string()),
  isError: v.boolean(),
  /** False where the agent lists the message but leaves it out of the request; its tokens then count in no sum. */
  sent: v.boolean()
})
export type MessageHead = v.InferOutput<typeof MessageHead>

/** A context without its messages: what it is, how much it holds, and what is not in it. */
export const ContextHead = v.object({
  /** Null where the agent would load nothing. */
  entry: v.nullable(v.string()),
  model: v.nullable(v.object({ provider: v.string(), name: v.string() })),
  thinking: v.nullable(v.string()),
  messages: v.number(),
  /** Sum over the messages that are sent, and the part of it that was recorded; the rest is estimated. */
  tokens: v.number(),
  recordedTokens: v.number(),
  /** How many entries of the path are not in it, by reason, in order of their first. */
  omitted: v.array(v.object({ reason: v.string(), count: v.number() })),
  /** At most 100; `faultCount` says how many there are. */
  faults: v.array(Fault),
  faultCount: v.number()
})
export type ContextHead = v.InferOutput<typeof ContextHead>

/** Two contexts side by side: a message in both, one that differs, or one on a side of its own. */
export const ComparedMessage = v.variant('kind', [
  v.object({ kind: v.literal('common'), left: MessageHead, right: MessageHead }),
  v.object({ kind: v.literal('changed'), left: MessageHead, right: MessageHead }),
  v.object({ kind: v.literal('left'), left: MessageHead }),
  v.object({ kind: v.literal('right'), right: MessageHead })
])
export type ComparedMessage = v.InferOutput<typeof ComparedMessage>

const Amount = v.object({ messages: v.number(), tokens: v.number() })

export const ContextComparison = v.object({
  left: ContextHead,
  right: ContextHead,
  /** The last entry that both paths share; null where they share none. */
  ancestor: v.nullable(v.string()),
  /** Messages that both begin with, the same on both sides. */
  prefix: Amount,
  /** What both hold, what differs on each side, and what only one holds. */
  common: Amount,
  changed: v.object({ messages: v.number(), leftTokens: v.number(), rightTokens: v.number() }),
  onlyLeft: Amount,
  onlyRight: Amount,
  /** Rows in all, the prefix included. */
  rows: v.number()
})
export type ContextComparison = v.InferOutput<typeof ContextComparison>

/** How one text became another: runs that stayed, went or came. */
export const TextDiff = v.variant('kind', [
  v.object({
    kind: v.literal('parts'),
    parts: v.array(v.object({ change: v.picklist(['same', 'removed', 'added']), text: v.string() })),
    /** True where the rest of the difference was left out. */
    isCut: v.boolean()
  }),
  /** The texts differ too much to say how within the time that a person waits. */
  v.object({ kind: v.literal('too-different') })
])
export type TextDiff = v.InferOutput<typeof TextDiff>

const contextInput = { ...sessionInput, entry: v.string() }
const bothInput = { ...sessionInput, left: v.string(), right: v.string() }
const page = { from: v.number(), count: v.pipe(v.number(), v.maxValue(200)) }

export const contextCalls = {
  'context.head': { input: v.object(contextInput), output: ContextHead },
  'context.messages': { input: v.object({ ...contextInput, ...page }), output: v.array(MessageHead) },
  /** A message's blocks, long texts cut; the rest comes by `context.text`. At most 100. */
  'context.message': { input: v.object({ ...contextInput, index: v.number() }), output: v.array(DetailBlock) },
  /** Characters `from`.. of the text of a message's block; at most 65,536 at a time. */
  'context.text': {
    input: v.object({ ...contextInput, index: v.number(), block: v.number(), from: v.number() }),
    output: v.object({ text: v.string(), next: v.nullable(v.number()) })
  },
  'context.omitted': {
    input: v.object({ ...contextInput, ...page }),
    output: v.array(v.object({ entry: v.string(), reason: v.string() }))
  },
  'context.compare': { input: v.object(bothInput), output: ContextComparison },
  'context.compared': { input: v.object({ ...bothInput, ...page }), output: v.array(ComparedMessage) },
  /** How the text of a `changed` message differs; `index` is its place on the left. */
  'context.difference': { input: v.object({ ...bothInput, index: v.number() }), output: TextDiff }
} as const satisfies CallMap
