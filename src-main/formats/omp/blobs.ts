import { lstatSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const reference = /^blob:sha256:([0-9a-f]{64})$/

/** The digest that a stored image names instead of holding its data; undefined for anything else. */
export function blobDigest(data: string): string | undefined {
  return data.length === 76 ? reference.exec(data)?.[1] : undefined
}

/** Where a session's blobs lie: beside the nearest `sessions` folder above it; null without one. */
function blobFolder(session: string): string | null {
  for (let folder = dirname(session); folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(folder) === 'sessions') return join(dirname(folder), 'blobs')
  }
  return null
}

export function hasBlob(session: string, digest: string): boolean {
  return blobSize(session, digest) !== null
}

/** Size in bytes; null where the blob is missing. */
export function blobSize(session: string, digest: string): number | null {
  const folder = blobFolder(session)
  const stat = folder === null ? undefined : lstatSync(join(folder, digest), { throwIfNoEntry: false })
  return stat?.isFile() === true ? stat.size : null
}

/** The blob's bytes; undefined where it is missing or no plain file. */
export function readBlob(session: string, digest: string): Buffer | undefined {
  const folder = blobFolder(session)
  if (folder === null || blobSize(session, digest) === null) return undefined
  return readFileSync(join(folder, digest))
}
