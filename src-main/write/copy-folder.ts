import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { createFile } from '#main/platform/atomic-file.ts'
import { type BytePiece, readPieces } from '#main/platform/byte-pieces.ts'
import { openBytes } from '#main/platform/bytes.ts'
import { Refusal } from '#shared/contract/refusal.ts'

export interface FolderCopy {
  readonly from: string
  readonly to: string
}

export interface CopiedFile {
  readonly path: string
  readonly bytes: number
}

/** Files that a copy of a folder has, at any depth; links and whatever is no file are left out. */
export async function plannedCopies({ from, to }: FolderCopy): Promise<readonly CopiedFile[]> {
  const found: CopiedFile[] = []
  for await (const path of filesBelow(from)) {
    found.push({ path: join(to, relative(from, path)), bytes: (await stat(path)).size })
  }
  return found
}

/** Copies them into a folder that is made for it. Refused as `exists` where there is one. On failure nothing stays. */
export async function copyFolder(
  { from, to }: FolderCopy,
  signal?: AbortSignal
): Promise<readonly (CopiedFile & { readonly sha256: string })[]> {
  await makeFolder(to)
  try {
    const copied: (CopiedFile & { readonly sha256: string })[] = []
    for await (const path of filesBelow(from)) {
      const copy = join(to, relative(from, path))
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
      const piece = { kind: 'copy', file: 0, range: [0, (await stat(path)).size] } satisfies BytePiece
      copied.push({
        path: copy,
        ...(await createFile(
          copy,
          readPieces([piece], () => openBytes(path), signal),
          { signal }
        ))
      })
    }
    return copied
  } catch (error) {
    await rm(to, { recursive: true })
    throw error
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Refusal('exists', `${path} exists already. Nothing was written; choose another folder.`, { file: path })
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const waiting = [folder]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entries = await readdir(path, { withFileTypes: true })
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (entry.isFile()) yield join(path, entry.name)
      else if (entry.isDirectory()) waiting.push(join(path, entry.name))
    }
  }
}
