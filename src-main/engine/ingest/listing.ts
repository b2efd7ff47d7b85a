import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing } from '#main/formats/format.ts'
import { readOnly } from '#main/platform/read-only.ts'

const headSize = 64 * 1024

/** A listing that knows which files a format looked into, and which of them could not be read. */
export interface ObservedListing extends Listing {
  readonly looked: ReadonlySet<string>
  readonly unreadable: ReadonlyMap<string, unknown>
}

/** Names in a folder, symlinks and whatever is neither file nor folder left out, in order of their names. */
export function listFolder(path: string): ObservedListing {
  const found = readdirSync(path, { withFileTypes: true })
  const names = (kept: typeof found) => kept.map(({ name }) => name).toSorted()
  return observe(path, names(found.filter((one) => one.isFile())), names(found.filter((one) => one.isDirectory())))
}

export function observe(path: string, files: readonly string[], folders: readonly string[]): ObservedListing {
  const looked = new Set<string>()
  const unreadable = new Map<string, unknown>()
  return {
    path,
    files,
    folders,
    looked,
    unreadable,
    head(name) {
      looked.add(name)
      try {
        return readHead(join(path, name))
      } catch (error) {
        unreadable.set(name, error)
        return undefined
      }
    }
  }
}

function readHead(path: string): Buffer {
  const file = openSync(path, readOnly)
  try {
    const { size } = fstatSync(file)
    const head = Buffer.allocUnsafe(Math.min(headSize, size))
    let filled = 0
    while (filled < head.length) {
      const read = readSync(file, head, filled, head.length - filled, filled)
      if (read === 0) break
      filled += read
    }
    return head.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}
