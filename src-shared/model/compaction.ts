import * as v from 'valibot'

export const fates = ['kept', 'summarised', 'dropped', 'rewritten', 'added'] as const
export type FateName = (typeof fates)[number]

/** What became of a message of the context before a compaction, or where one of the context after it comes from. */
export const Fate = v.object({
  /** Id of the message's entry. */
  source: v.string(),
  role: v.string(),
  /** First 200 characters of its text. */
  preview: v.string(),
  tokens: v.number(),
  fate: v.picklist(fates),
  /** False where the agent lists the message but leaves it out of the request. */
  sent: v.optional(v.boolean())
})
export type Fate = v.InferOutput<typeof Fate>

/** A compaction as the command line prints it (docs/command-line.md): the context at its parent and the one at it, message by message. */
export const Compaction = v.object({
  entry: v.string(),
  time: v.nullable(v.string()),
  /** Who or what asked for it, in the store's own word. */
  trigger: v.nullable(v.string()),
  summary: v.nullable(v.string()),
  /** Sums of the two lists. */
  tokensBefore: v.number(),
  tokensAfter: v.number(),
  /** The agent's own figures. */
  recordedBefore: v.nullable(v.number()),
  recordedAfter: v.nullable(v.number()),
  before: v.array(Fate),
  after: v.array(Fate)
})
export type Compaction = v.InferOutput<typeof Compaction>
