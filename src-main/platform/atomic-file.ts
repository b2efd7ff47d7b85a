import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, open, realpath, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal, type RefusalCode } from '#shared/contract/refusal.ts'
import { sha256OfFile } from './sha256-of-file.ts'
import { temporaryName } from './temporary-name.ts'

export interface CreateOptions {
  readonly signal?: AbortSignal | undefined
  /** Looks at what is finished under its temporary name; what it throws keeps it from being published. */
  readonly check?: (temporary: string) => Promise<void>
}

export interface CreatedFile {
  readonly bytes: number
  readonly sha256: string
}

/**
 * Writes a new file whole or not at all: a temporary file beside it, fsync, read back, published under its name without
 * ever replacing another, fsync of the folder. Refused as `exists` where the name is taken, `not-found` where the folder
 * is gone or has become a link, `read-only` where the system does not let us.
 */
export async function createFile(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  { signal, check }: CreateOptions = {}
): Promise<CreatedFile> {
  await requireRealFolder(dirname(path))
  const temporary = join(dirname(path), temporaryName())
  try {
    const written = await writeChecked(temporary, pieces, signal)
    await check?.(temporary)
    await publish(temporary, path)
    return written
  } catch (error) {
    throw asRefusal(error, path)
  } finally {
    await unlink(temporary).catch(() => undefined)
    await syncFolder(dirname(path))
  }
}

/** A folder that has become a link since it was chosen would lead elsewhere. */
export async function requireRealFolder(folder: string): Promise<void> {
  const real = await realpath(folder).catch(() => undefined)
  if (real === folder) return
  throw new Refusal('not-found', `The folder ${folder} is gone or leads elsewhere now. Choose another one.`, {
    file: folder
  })
}

/** Writes a file that is not there yet, and reads it back. */
export async function writeChecked(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined
): Promise<CreatedFile> {
  const written = await writeAll(path, pieces, signal)
  if ((await sha256OfFile(path, signal)) === written.sha256) return written
  throw new Error(`${path} does not read back as it was written`)
}

async function writeAll(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined
): Promise<CreatedFile> {
  const sum = createHash('sha256')
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    // The folder was there a moment ago: it is gone since, or, like /proc, takes no files.
    throw new Refusal('read-only', `No file can be made in ${dirname(path)}. Choose another folder.`, {
      file: dirname(path)
    })
  })
  try {
    let bytes = 0
    for await (const piece of pieces) {
      signal?.throwIfAborted()
      sum.update(piece)
      await file.writeFile(piece)
      bytes += piece.byteLength
    }
    await file.sync()
    return { bytes, sha256: sum.digest('hex') }
  } finally {
    await file.close()
  }
}

/** A hard link appears at once and fails where the name is taken; file systems without links get an exclusive copy. */
async function publish(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    await copyFile(temporary, path, constants.COPYFILE_EXCL)
    const file = await open(path, 'r+')
    await file.sync().finally(() => file.close())
  }
}

/** Makes the new name durable; Windows cannot open a folder and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

export function asRefusal(error: unknown, path: string): unknown {
  const refusal = (code: RefusalCode, message: string) => new Refusal(code, message, { file: path })
  switch (codeOf(error)) {
    case 'EEXIST':
    case 'ENOTEMPTY':
      return refusal('exists', `${path} exists already. Nothing was written; choose another name or folder.`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return refusal('read-only', `${path} cannot be written: its folder is read-only for you. Choose another one.`)
    case 'ENOSPC':
    case 'EDQUOT':
      return refusal('read-only', `${path} cannot be written: no space is left. Make room or choose another folder.`)
    default:
      return error
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
