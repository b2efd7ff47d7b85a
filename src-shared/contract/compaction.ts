import * as v from 'valibot'
import { Compaction, Fate } from '#shared/model/compaction.ts'
import { Fault } from '#shared/model/fault.ts'
import { messageKinds } from '#shared/model/message.ts'
import { Usage } from '#shared/model/usage.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { TextDiff } from './context.ts'
import { sessionInput } from './session.ts'

const count = v.number()

/** Messages of one side by their fate, and their tokens. */
const Side = v.object({
  messages: count,
  tokens: count,
  /** The part of `tokens` that the agent lists but does not send. */
  unsent: count,
  fates: v.object({ kept: count, summarised: count, dropped: count, rewritten: count, added: count }),
  /** Tokens of the messages that were dropped. */
  droppedTokens: count
})

const { before: _before, after: _after, summary: _summary, ...figures } = Compaction.entries

/** A compaction without its lists; the summary is its first 16,384 characters. */
export const CompactionHead = v.object({
  ...figures,
  /** Id of the entry before it, at which a branch leaves it out; null for a root. */
  parent: v.nullable(v.string()),
  before: Side,
  after: Side,
  summary: v.nullable(v.string()),
  summaryLength: v.number(),
  /**
   * The first message that stands in the context before and no more in its place: up to it the provider's cache still
   * holds, from there on it is of no use. Null where all stand as they did. `at` is its place, `tokens` are those in front.
   */
  firstChange: v.nullable(v.object({ at: v.number(), source: v.string(), tokens: count })),
  /** Places in the context before of what was rewritten, the first 100. */
  rewritten: v.array(v.number()),
  /** The first request behind it in the file that used anything: it had to write its prompt to the cache anew. Null where there is none. */
  next: v.nullable(v.object({ entry: v.string(), usage: Usage })),
  faults: v.array(Fault)
})
export type CompactionHead = v.InferOutput<typeof CompactionHead>

/** A message of either side with what a row of the window shows. */
export const FateRow = v.object({
  ...Fate.entries,
  index: v.number(),
  kind: v.picklist(messageKinds),
  tool: v.nullable(v.string()),
  /** One line, as the tree's row has it. */
  summary: v.string()
})
export type FateRow = v.InferOutput<typeof FateRow>

const one = { ...sessionInput, entry: v.string() }

export const compactionCalls = {
  /** Of the whole file in file order; with `entry` those on the path to it, the first one first. */
  'compaction.list': {
    input: v.object({ ...sessionInput, entry: v.optional(v.string()) }),
    output: v.array(v.object({ entry: v.string(), time: v.nullable(v.string()) }))
  },
  'compaction.get': { input: v.object(one), output: CompactionHead },
  /** Messages `from`.. (counted from 0) of one side. */
  'compaction.fates': {
    input: v.object({
      ...one,
      side: v.picklist(['before', 'after']),
      from: v.number(),
      count: v.pipe(v.number(), v.maxValue(500))
    }),
    output: v.array(FateRow)
  },
  /** Characters `from`.. of the summary. */
  'compaction.summary': {
    input: v.object({ ...one, from: v.number() }),
    output: v.object({ text: v.string(), next: v.nullable(v.number()) })
  },
  /** How the text of a message that was rewritten, by its place in `before`, differs. */
  'compaction.difference': { input: v.object({ ...one, index: v.number() }), output: TextDiff },
  /** Places in `before` of what is gone or was rewritten and holds the text, in any letter case; at most 1,000. */
  'compaction.find': {
    input: v.object({ ...one, text: v.string() }),
    output: v.object({ found: v.array(v.number()), searched: v.number() })
  }
} as const satisfies CallMap
