import * as v from 'valibot'
import { WrittenKey } from '#shared/model/keys.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { FolderKey, SessionKey } from '#shared/model/keys.ts'
import { sessionInput } from './session.ts'

/** What `branch` prints (CLI.md); a preview differs from the real one in id and times only. */
export const BranchResult = v.object({
  mode: v.picklist(['new-file', 'in-place', 'fork']),
  entry: v.string(),
  file: v.string(),
  sessionId: v.string(),
  entries: v.number(),
  tokens: v.number(),
  resume: v.string(),
  written: v.array(v.object({ path: v.string(), offset: v.number(), bytes: v.number() })),
  source: v.object({ file: v.string(), sha256Before: v.string(), sha256After: v.string() })
})
export type BranchResult = v.InferOutput<typeof BranchResult>

/** The head of what the agent will see, for the dialog. */
export const BranchPreview = v.object({
  result: BranchResult,
  /** First and last messages of the context at the new end, oldest first, at most 12. */
  messages: v.array(v.object({ role: v.string(), preview: v.string(), tokens: v.number() })),
  messageCount: v.number(),
  /** The lines that will be written, each cut to 400 characters, at most 40; `lineCount` says how many there are. */
  lines: v.array(v.string()),
  lineCount: v.number(),
  /** The person's own text at the entry, to be sent changed, where the branch begins before it; else null. */
  ownText: v.nullable(v.string())
})
export type BranchPreview = v.InferOutput<typeof BranchPreview>

/** `before`: the branch ends at the entry's parent. `into`: a folder from the picker, else where the agent finds it. */
const branchInput = {
  ...sessionInput,
  entry: v.string(),
  position: v.picklist(['before', 'after']),
  into: v.optional(FolderKey)
}

export const branchCalls = {
  'branch.preview': { input: v.object(branchInput), output: BranchPreview },
  'branch.write': {
    input: v.object(branchInput),
    output: v.object({ result: BranchResult, session: SessionKey, written: WrittenKey })
  },
  /** Moves a file that we wrote, and that nobody has changed since, to the trash; else `stale`. */
  'written.trash': { input: v.object({ written: WrittenKey }), output: v.null() },
  'written.reveal': { input: v.object({ written: WrittenKey }), output: v.null() }
} as const satisfies CallMap
