import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing } from '#main/formats/format.ts'
import { type FileState, fileState } from '#main/platform/bytes.ts'
import { readHead } from '#main/platform/read-head.ts'

/** A listing that knows which files a format looked into, as they were just before, and which could not be read. */
export interface ObservedListing extends Listing {
  readonly looked: ReadonlyMap<string, FileState | undefined>
  readonly unreadable: ReadonlyMap<string, unknown>
}

/** Names in a folder, symlinks and whatever is neither file nor folder left out, in order of their names. */
export function listFolder(path: string): ObservedListing {
  const found = readdirSync(path, { withFileTypes: true })
  const names = (kept: typeof found) => kept.map(({ name }) => name).toSorted()
  return observe(path, names(found.filter((one) => one.isFile())), names(found.filter((one) => one.isDirectory())))
}

export function observe(path: string, files: readonly string[], folders: readonly string[]): ObservedListing {
  const looked = new Map<string, FileState | undefined>()
  const unreadable = new Map<string, unknown>()
  return {
    path,
    files,
    folders,
    looked,
    unreadable,
    head(name) {
      // Before its bytes: what is written meanwhile must not count as seen.
      if (!looked.has(name)) looked.set(name, stateOf(join(path, name)))
      try {
        return readHead(join(path, name))
      } catch (error) {
        unreadable.set(name, error)
        return undefined
      }
    }
  }
}

/** undefined where there is no such file. */
export function stateOf(path: string): FileState | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? fileState(stat) : undefined
}
