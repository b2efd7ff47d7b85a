import type { BranchResult } from '#shared/contract/branch.ts'
import type { PlannedBranch } from './plan-branch.ts'

/** What a new file is, or would be; `beside` are the files that go with it. */
export function branchResult(
  { mode, view, plan, end, tokens }: PlannedBranch,
  bytes: number,
  beside: readonly { readonly path: string; readonly bytes: number }[],
  [sha256Before, sha256After]: readonly [string, string]
): BranchResult {
  return {
    mode,
    entry: view.tree.nodes[end]?.id ?? '',
    file: plan.files[0].path,
    sessionId: plan.sessionId,
    entries: plan.entries,
    tokens,
    resume: plan.resume,
    ...(plan.unverified === undefined ? {} : { unverified: plan.unverified }),
    written: [
      { path: plan.files[0].path, offset: 0, bytes },
      ...beside.map((file) => ({ path: file.path, offset: 0, bytes: file.bytes }))
    ],
    addedLineFeeds: 0,
    source: { file: view.records.files[0].path, sha256Before, sha256After }
  }
}
