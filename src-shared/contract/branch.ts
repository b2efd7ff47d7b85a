import * as v from 'valibot'
import { WrittenKey } from '#shared/model/keys.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { FolderKey, SessionKey } from '#shared/model/keys.ts'
import { sessionInput } from './session.ts'

/** A new file with one path, an entry appended to the session's own file, or a new file with the whole tree. */
export const branchModes = ['new-file', 'in-place', 'fork'] as const
export type BranchMode = (typeof branchModes)[number]

/** What `branch` and `label` print (docs/command-line.md); a preview differs from the real one in id and times only. */
export const BranchResult = v.object({
  mode: v.picklist([...branchModes, 'label']),
  entry: v.string(),
  file: v.string(),
  sessionId: v.string(),
  entries: v.number(),
  tokens: v.number(),
  resume: v.string(),
  /** Of a new file, why nobody has seen the agent read such a one; absent where it was seen. */
  unverified: v.optional(v.string()),
  written: v.array(v.object({ path: v.string(), offset: v.number(), bytes: v.number() })),
  /** 1 where the file's last line had no line feed and gets one first. */
  addedLineFeeds: v.number(),
  /** Of what is appended: whether another program has the file open for writing; null where that cannot be known. */
  openElsewhere: v.optional(v.nullable(v.boolean())),
  /** In place, the hashes are those of the bytes that were there before. */
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

/**
 * `entry`: where the branch begins, of no meaning for a fork. `position` `before`: at the entry's parent. `summary`: of
 * the branch that is left, in place only. `into`: a folder from the picker, else where the agent finds it; not in place.
 */
const branchInput = {
  ...sessionInput,
  mode: v.picklist(branchModes),
  entry: v.optional(v.string()),
  position: v.optional(v.picklist(['before', 'after'])),
  summary: v.optional(v.pipe(v.string(), v.nonEmpty())),
  into: v.optional(FolderKey)
}

export const branchCalls = {
  'branch.preview': { input: v.object(branchInput), output: BranchPreview },
  'branch.write': {
    input: v.object(branchInput),
    output: v.object({
      result: BranchResult,
      session: SessionKey,
      /** The new end, where the session's own file got one. */
      end: v.nullable(v.string()),
      /** The new file; null where the session's own file was written to. */
      written: v.nullable(WrittenKey)
    })
  },
  /** Appends a label to the session's own file; "" clears it. A dry run writes nothing. */
  'entry.label': {
    input: v.object({ ...sessionInput, entry: v.string(), label: v.string(), dryRun: v.boolean() }),
    output: v.object({ result: BranchResult })
  },
  /** Moves a file that we wrote, and that nobody has changed since, to the trash, with the folder that was written for it; else `stale`. */
  'written.trash': { input: v.object({ written: WrittenKey }), output: v.null() },
  'written.reveal': { input: v.object({ written: WrittenKey }), output: v.null() }
} as const satisfies CallMap
