import * as v from 'valibot'
import type { CallMap } from '#shared/rpc/types.ts'
import { DetailBlock } from './entry.ts'
import { sessionInput } from './session.ts'

/** What an entry says, as the transcript shows it. */
export const EntryContent = v.object({
  id: v.string(),
  /** Position in the session's outline. */
  at: v.number(),
  /** The first blocks, their texts cut; the rest of a text comes by `entry.text`, the rest of the blocks by `entry.detail`. */
  blocks: v.array(DetailBlock),
  /** Blocks left out here. */
  moreBlocks: v.number(),
  /** Facts worth a line each, already worded by the format. */
  facts: v.array(v.tuple([v.string(), v.string()]))
})
export type EntryContent = v.InferOutput<typeof EntryContent>

export const transcriptCalls = {
  /** Contents of the entries at the given positions of the outline, in that order; at most 20. */
  'entry.contents': {
    input: v.object({ ...sessionInput, at: v.pipe(v.array(v.number()), v.maxLength(20)) }),
    output: v.array(EntryContent)
  }
} as const satisfies CallMap
