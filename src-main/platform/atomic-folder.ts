import { lstat, mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  asRefusal,
  type CreatedFile,
  type CreateOptions,
  requireRealFolder,
  syncFolder,
  writeChecked
} from './atomic-file.ts'
import { temporaryName } from './temporary-name.ts'

export interface NewFile {
  /** In the folder itself. */
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Makes a folder with its files whole or not at all: under a temporary name beside it, each file read back, then renamed,
 * never over anything that stands there. `check` is given the folder under its temporary name. Refused as `createFile`.
 */
export async function createFolder(
  path: string,
  files: readonly NewFile[],
  { signal, check }: CreateOptions = {}
): Promise<readonly CreatedFile[]> {
  const parent = dirname(path)
  await requireRealFolder(parent)
  const temporary = join(parent, temporaryName())
  try {
    await requireFree(path)
    await mkdir(temporary, { mode: 0o700 })
    const created: CreatedFile[] = []
    for (const { name, chunks } of files) created.push(await writeChecked(join(temporary, name), chunks, signal))
    await syncFolder(temporary)
    await check?.(temporary)
    await publish(temporary, path)
    return created
  } catch (error) {
    throw asRefusal(error, path)
  } finally {
    await rm(temporary, { recursive: true, force: true })
    await syncFolder(parent)
  }
}

/** Before anything is written; `publish` makes sure of it. */
async function requireFree(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found !== undefined) throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST' })
}

/** A rename replaces an empty folder: so the name is taken first, by one of ours. Windows refuses to, and needs none. */
async function publish(temporary: string, path: string): Promise<void> {
  if (process.platform === 'win32') {
    await rename(temporary, path)
    return
  }
  await mkdir(path, { mode: 0o700 })
  try {
    await rename(temporary, path)
  } catch (error) {
    await rmdir(path).catch(() => undefined)
    throw error
  }
}
