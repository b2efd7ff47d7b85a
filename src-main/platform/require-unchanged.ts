import { stat } from 'node:fs/promises'
import { Refusal } from '#shared/contract/refusal.ts'

export interface FileAsRead {
  readonly path: string
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

/** Refused as `stale` where a file is not what it was when it was read, `not-found` where it is gone. */
export async function requireUnchanged(files: readonly FileAsRead[]): Promise<void> {
  for (const { path, size, modified } of files) {
    const now = await stat(path).catch(() => undefined)
    if (now === undefined) throw new Refusal('not-found', `${path} is gone. Nothing was written.`, { file: path })
    if (now.size === size && Math.abs(now.mtimeMs - modified) < 1) continue
    throw new Refusal('stale', `${path} has changed since it was read. Nothing was written; try again.`, { file: path })
  }
}
