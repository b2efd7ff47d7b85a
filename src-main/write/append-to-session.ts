import type { AppendPlan, AppendRequest, Format, SessionView } from '#main/formats/format.ts'
import { appendLines, endsOpen } from '#main/platform/append-lines.ts'
import { openWriters } from '#main/platform/open-writers.ts'
import { requireUnchanged } from '#main/platform/require-unchanged.ts'
import { sha256OfFile } from '#main/platform/sha256-of-file.ts'
import { type Checkpoint, isAsRead } from '#main/tail/tail.ts'
import type { BranchResult } from '#shared/contract/branch.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { cannot, requireBranchPoint } from './plan-branch.ts'

/** Lines for the end of a session's own file, decided upon, not yet written. */
export interface PlannedAppend {
  readonly mode: 'in-place' | 'label'
  readonly view: SessionView
  readonly plan: AppendPlan
  /** The entry that was chosen. */
  readonly entry: string
  /** Tokens of the context at the new end. */
  readonly tokens: number
  /** Where reading of the file stopped. */
  readonly checkpoint: Checkpoint
}

/** Decides what will be appended. Refused as `unsupported`, with the reason, or `not-resumable`. */
export function planAppend(format: Format, view: SessionView, request: AppendRequest): AppendPlan {
  if (format.planAppend === undefined) throw cannot(format, view, 'Appends to files')
  if (request.kind === 'branch') requireBranchPoint(format, view, request.at)
  return format.planAppend(view, request)
}

/** What appending would give; writes nothing, and is refused where appending would be. */
export async function previewAppend(append: PlannedAppend, signal?: AbortSignal): Promise<BranchResult> {
  const { path, size } = append.view.records.files[0]
  const openElsewhere = await requireOurs(append)
  const sha256 = await sha256OfFile(path, signal, size)
  const addedLineFeeds = endsOpen(path) ? 1 : 0
  const bytes = Buffer.byteLength(append.plan.text) + addedLineFeeds
  return appendResult(append, { offset: size, bytes, addedLineFeeds }, openElsewhere, [sha256, sha256])
}

/**
 * Appends in one write, and looks at the old bytes again. Refused as `stale` where the file is not as it was read, or
 * its old bytes are others afterwards; `read-only` where another process has it open for writing.
 */
export async function appendToSession(append: PlannedAppend, signal?: AbortSignal): Promise<BranchResult> {
  const { path, size } = append.view.records.files[0]
  const sha256Before = await sha256OfFile(path, signal, size)
  const openElsewhere = await requireOurs(append)
  const appended = appendLines(path, append.plan.text, size)
  const sha256After = await sha256OfFile(path, undefined, size)
  if (sha256After !== sha256Before) {
    throw new Refusal('stale', `${path} was rewritten by another program while it was appended to. Open it again.`, {
      file: path
    })
  }
  return appendResult(append, appended, openElsewhere, [sha256Before, sha256After])
}

/** Whether another program has the file open; null where that cannot be known. */
async function requireOurs({ view, checkpoint, entry }: PlannedAppend): Promise<false | null> {
  const [file] = view.records.files
  await requireUnchanged(view.records.files)
  if (!(await isAsRead(file.path, checkpoint))) {
    throw new Refusal('stale', `${file.path} has changed since it was read. Nothing was written; try again.`, {
      file: file.path,
      entry
    })
  }
  const writers = await openWriters(file.path)
  const [first] = writers ?? []
  if (first === undefined) return writers === null ? null : false
  throw new Refusal(
    'read-only',
    `${file.path} is open for writing in ${first.name} (process ${first.pid}). Nothing was written; close it first.`,
    { file: file.path, entry }
  )
}

function appendResult(
  { mode, view, plan, entry, tokens }: PlannedAppend,
  {
    offset,
    bytes,
    addedLineFeeds
  }: { readonly offset: number; readonly bytes: number; readonly addedLineFeeds: number },
  openElsewhere: false | null,
  [sha256Before, sha256After]: readonly [string, string]
): BranchResult {
  const file = view.records.files[0].path
  return {
    mode,
    entry,
    file,
    sessionId: plan.sessionId,
    entries: plan.entries,
    tokens,
    resume: plan.resume,
    written: [{ path: file, offset, bytes }],
    addedLineFeeds,
    openElsewhere,
    source: { file, sha256Before, sha256After }
  }
}
