import * as v from 'valibot'
import type { CallMap } from '#shared/rpc/types.ts'
import { sessionInput } from './session.ts'

const replayKinds = [
  'user',
  'text',
  'thinking',
  'tool-call',
  'tool-result',
  'image',
  'error',
  'compaction',
  'branch-summary',
  'custom'
] as const

/** Something that the agent showed: a text, a call, a result. */
export const ReplayEvent = v.object({
  kind: v.picklist(replayKinds),
  /** Counts from 1 with the path's first message of the person; 0 before it. */
  turn: v.number(),
  /** The whole text, a call's arguments as JSON, an image's type and size. */
  text: v.string(),
  tool: v.nullable(v.string()),
  time: v.nullable(v.string()),
  entry: v.string()
})
export type ReplayEvent = v.InferOutput<typeof ReplayEvent>

export const replayCalls = {
  /** What was shown in the last turns of the path to the default leaf, in order. */
  'session.replay': {
    input: v.object({ ...sessionInput, turns: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
    output: v.object({ events: v.array(ReplayEvent) })
  }
} as const satisfies CallMap
