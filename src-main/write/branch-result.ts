import type { BranchResult } from '#shared/contract/branch.ts'
import type { PlannedBranch } from './plan-branch.ts'

export function branchResult(
  { view, plan, end, tokens }: PlannedBranch,
  bytes: number,
  sha256Before: string,
  sha256After: string
): BranchResult {
  return {
    mode: 'new-file',
    entry: view.tree.nodes[end]?.id ?? '',
    file: plan.path,
    sessionId: plan.sessionId,
    entries: plan.entries,
    tokens,
    resume: plan.resume,
    written: [{ path: plan.path, offset: 0, bytes }],
    source: { file: view.records.files[0].path, sha256Before, sha256After }
  }
}
