import { rm } from 'node:fs/promises'
import type { Format } from '#main/formats/format.ts'
import { openSource } from '#main/formats/open-source.ts'
import { createFile } from '#main/platform/atomic-file.ts'
import { requireUnchanged } from '#main/platform/require-unchanged.ts'
import { sha256OfFile } from '#main/platform/sha256-of-file.ts'
import { tail } from '#main/tail/tail.ts'
import type { BranchResult } from '#shared/contract/branch.ts'
import type { AgentId } from '#shared/model/agent.ts'
import { branchResult } from './branch-result.ts'
import { type CopiedFile, copyFolder } from './copy-folder.ts'
import { branchChunks, type PlannedBranch } from './plan-branch.ts'

export interface WrittenBranch {
  readonly result: BranchResult
  /** The new files, the session's own first. */
  readonly files: readonly (CopiedFile & { readonly sha256: string })[]
  /** The folder that was made for those beside it. */
  readonly folder: string | null
}

/** Writes a new session file, reads it back with its format before it gets its name, and never touches the source. */
export async function writeBranch(branch: PlannedBranch, signal?: AbortSignal): Promise<WrittenBranch> {
  const { view, format, plan } = branch
  const { files } = view.records
  const source = files[0].path
  await requireUnchanged(files)
  const sha256Before = await sha256OfFile(source, signal)
  const beside = plan.folder === undefined ? [] : await copyFolder(plan.folder, signal)
  try {
    const { bytes, sha256 } = await createFile(plan.path, branchChunks(branch, signal), {
      signal,
      async check(temporary) {
        const entries = await countEntries(format, temporary, view.tree.agent, signal)
        if (entries !== plan.entries) {
          throw new Error(
            `the branch of ${source} reads back with ${entries} entries where ${plan.entries} were planned`
          )
        }
        await requireUnchanged(files)
      }
    })
    return {
      result: branchResult(branch, bytes, beside, [sha256Before, await sha256OfFile(source)]),
      files: [{ path: plan.path, bytes, sha256 }, ...beside],
      folder: plan.folder?.to ?? null
    }
  } catch (error) {
    if (plan.folder !== undefined) await rm(plan.folder.to, { recursive: true, force: true })
    throw error
  }
}

/** Entries that the format finds in a file. A line that is not whole would be a mistake of ours. */
async function countEntries(format: Format, path: string, agent: AgentId, signal?: AbortSignal): Promise<number> {
  const { files } = format.force(path, agent)
  const reader = format.reader(files, null)
  await using bytes = await openSource(format, files[0])
  let entries = 0
  for await (const { lines } of tail(bytes, { file: 0, framing: files[0].framing }, null, signal)) {
    for (const line of lines) entries += reader.read(line).entries.length
  }
  return entries
}
