import { createHash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { Refusal } from '#shared/contract/refusal.ts'
import type { FolderKey } from '#shared/model/keys.ts'

/**
 * The folders that this process may speak of, by key. A key is made from the real path, so that the page can remember
 * it, and means something only once the folder was named by the person, offered, or listed by the picker.
 */
export class FolderKeys {
  readonly #paths = new Map<FolderKey, string>()

  /** The key of a real path. */
  add(realPath: string): FolderKey {
    const key = createHash('sha256').update(`folder ${realPath}`).digest('hex').slice(0, 16) as FolderKey
    this.#paths.set(key, realPath)
    return key
  }

  /** Refused as `not-found` where this process has never named that folder. */
  path(key: FolderKey): string {
    const path = this.#paths.get(key)
    if (path !== undefined) return path
    throw new Refusal('not-found', 'This folder is not known any more. Choose it again.')
  }
}

/** The real path of a folder that exists. Refused as `not-found`. */
export async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined)
  if (real !== undefined && found?.isDirectory() === true) return real
  const what = found === undefined ? 'is not there or cannot be read' : 'is not a folder'
  throw new Refusal('not-found', `${path} ${what}. Check the path.`, { file: path })
}
