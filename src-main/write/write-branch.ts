import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Format } from '#main/formats/format.ts'
import { openSource } from '#main/formats/open-source.ts'
import { createFile } from '#main/platform/atomic-file.ts'
import { createFolder } from '#main/platform/atomic-folder.ts'
import { requireUnchanged } from '#main/platform/require-unchanged.ts'
import { sha256OfFile } from '#main/platform/sha256-of-file.ts'
import { tail } from '#main/tail/tail.ts'
import type { BranchResult } from '#shared/contract/branch.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { AgentId } from '#shared/model/agent.ts'
import { branchResult } from './branch-result.ts'
import { type CopiedFile, copyFolder } from './copy-folder.ts'
import { fileChunks, type PlannedBranch, sourcesOf } from './plan-branch.ts'

type WrittenFile = CopiedFile & { readonly sha256: string }

export interface WrittenBranch {
  readonly result: BranchResult
  /** The new files, the session's own first. */
  readonly files: readonly WrittenFile[]
  /** The folder that was made for the session, or for what goes beside its file. */
  readonly folder: string | null
}

/** Writes a new session, reads it back with its format before it gets its name, and never touches the source. */
export async function writeBranch(branch: PlannedBranch, signal?: AbortSignal): Promise<WrittenBranch> {
  const { view, format, plan } = branch
  const sources = sourcesOf(branch)
  const source = view.records.files[0].path
  await requireUnchanged(sources)
  const sha256Before = await sha256OfFile(source, signal)
  const copied = plan.folder === undefined ? [] : await copyFolder(plan.folder, signal)
  try {
    if (plan.parent !== undefined) await makeFolder(plan.parent)
    const [main, ...others] = await writeFiles(branch, signal, async (temporary) => {
      const entries = await countEntries(format, temporary, view.tree.agent, signal)
      if (entries !== plan.entries) {
        throw new Error(`the branch of ${source} reads back with ${entries} entries where ${plan.entries} were planned`)
      }
      await requireUnchanged(sources)
    })
    const beside = [...others, ...copied]
    return {
      result: branchResult(branch, main.bytes, beside, [sha256Before, await sha256OfFile(source)]),
      files: [main, ...beside],
      folder: plan.directory ?? plan.folder?.to ?? null
    }
  } catch (error) {
    if (plan.folder !== undefined) await rm(plan.folder.to, { recursive: true, force: true })
    throw error
  }
}

/** A folder in one that is there; it stays, as the agent makes it too. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const isDenied = code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
    throw isDenied
      ? new Refusal('read-only', `${path} cannot be made: its folder is read-only for you. Choose another one.`, {
          file: path
        })
      : error
  })
}

/** `check` is given the main file under its temporary name. */
async function writeFiles(
  branch: PlannedBranch,
  signal: AbortSignal | undefined,
  check: (temporary: string) => Promise<void>
): Promise<readonly [WrittenFile, ...WrittenFile[]]> {
  const { files, directory } = branch.plan
  const [main, ...others] = files
  const chunksOf = (file: typeof main) => fileChunks(file, branch, signal)
  if (directory === undefined) {
    if (others.length > 0) throw new Error(`a branch of ${files.length} files needs a directory of its own`)
    return [{ path: main.path, ...(await createFile(main.path, chunksOf(main), { signal, check })) }]
  }
  const name = basename(main.path)
  const made = await createFolder(
    directory,
    files.map((file) => ({ name: basename(file.path), chunks: chunksOf(file) })),
    { signal, check: (temporary) => check(join(temporary, name)) }
  )
  const written = (file: typeof main, at: number): WrittenFile => {
    const found = made[at]
    if (found === undefined) throw new Error(`${file.path} was not written`)
    return { path: file.path, ...found }
  }
  return [written(main, 0), ...others.map((file, index) => written(file, index + 1))]
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
