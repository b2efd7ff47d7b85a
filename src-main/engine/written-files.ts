import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sha256OfFile } from '#main/platform/sha256-of-file.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { WrittenKey } from '#shared/model/keys.ts'

interface FileAsWritten {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

interface WrittenFile extends FileAsWritten {
  /** What was written with it: into a folder that was made for that, or for all of them. */
  readonly beside: readonly FileAsWritten[]
  readonly folder: string | null
}

/** The files that this process wrote on request, as they were then. */
export class WrittenFiles {
  readonly #files = new Map<WrittenKey, WrittenFile>()

  add(file: WrittenFile): WrittenKey {
    const key = randomUUID() as WrittenKey
    this.#files.set(key, file)
    return key
  }

  /** Refused as `not-found` for a key of which this process knows nothing. */
  path(key: WrittenKey): string {
    return this.#get(key).path
  }

  /**
   * Moves a file to the trash, with the folder that was made for it. Refused as `stale` where something of it is not as
   * we wrote it, `not-found` where it is gone.
   */
  async trash(key: WrittenKey): Promise<void> {
    const { beside, folder, ...file } = this.#get(key)
    const { path } = file
    for (const one of [file, ...beside]) await requireAsWritten(one)
    const isInside = folder === dirname(path)
    const inFolder = isInside ? [file, ...beside] : beside
    if (folder !== null && (await countFiles(folder)) !== inFolder.length) throw changed(folder)
    const { default: trash } = await import('trash')
    // Without glob: a name with brackets or stars means itself.
    const named = folder === null ? [path] : isInside ? [folder] : [path, folder]
    await trash(named, { glob: false }).catch((error: Error) => {
      throw new Refusal('read-only', `${path} could not be moved to the trash: ${error.message}`, { file: path })
    })
    this.#files.delete(key)
  }

  #get(key: WrittenKey): WrittenFile {
    const file = this.#files.get(key)
    if (file !== undefined) return file
    throw new Refusal('not-found', 'This file was not written since Treeline was started.')
  }
}

async function requireAsWritten({ path, bytes, sha256 }: FileAsWritten): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new Refusal('not-found', `${path} is gone already.`, { file: path })
  if (!found.isFile() || found.size !== bytes || (await sha256OfFile(path)) !== sha256) throw changed(path)
}

/** Whatever is no folder, at any depth. */
async function countFiles(folder: string): Promise<number> {
  const found = await readdir(folder, { withFileTypes: true, recursive: true })
  return found.filter((entry) => !entry.isDirectory()).length
}

const changed = (path: string) =>
  new Refusal('stale', `${path} has changed since it was written, so it stays where it is.`, { file: path })
