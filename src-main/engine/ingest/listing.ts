import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing, Names } from '#main/formats/format.ts'
import { type FileState, fileState } from '#main/platform/bytes.ts'
import { readHead } from '#main/platform/read-head.ts'

/** Bytes of heads that a listing keeps, as every format asks for them. */
const mostKept = 2 ** 23

/** A listing that knows what a format looked at further down and into, as it was just before, and what could not be read. */
export interface ObservedListing extends Listing {
  readonly listed: ReadonlyMap<string, Names>
  readonly looked: ReadonlyMap<string, FileState | undefined>
  readonly unreadable: ReadonlyMap<string, unknown>
  /** As `stateOf`, by one look at each path. */
  state(path: string): FileState | undefined
}

/** What was seen of files, by their paths. */
export type SeenStates = Map<string, FileState | undefined>

/** Names in a folder, symlinks and whatever is neither file nor folder left out, in order of their names. */
export function listFolder(path: string, seen?: SeenStates): ObservedListing {
  return observe(path, namesIn(path), seen)
}

function namesIn(path: string): Names {
  const found = readdirSync(path, { withFileTypes: true })
  const names = (kept: typeof found) => kept.map(({ name }) => name).toSorted()
  return { files: names(found.filter((one) => one.isFile())), folders: names(found.filter((one) => one.isDirectory())) }
}

/** Names in a folder further down; none where it is gone, is a link or may not be listed. */
export function namesBelow(path: string, folder: string): Names {
  const below = join(path, folder)
  try {
    if (lstatSync(below).isDirectory()) return namesIn(below)
  } catch {
    // As if it were empty; it is listed again with every look at the folder above.
  }
  return { files: [], folders: [] }
}

/** Files that were `seen` already are not looked at again. */
export function observe(path: string, { files, folders }: Names, seen: SeenStates = new Map()): ObservedListing {
  const listed = new Map<string, Names>()
  const looked = new Map<string, FileState | undefined>()
  const unreadable = new Map<string, unknown>()
  const heads = new Map<string, Buffer>()
  let kept = 0
  const state = (file: string): FileState | undefined => {
    if (!seen.has(file)) seen.set(file, stateOf(file))
    return seen.get(file)
  }
  return {
    path,
    files,
    folders,
    listed,
    looked,
    unreadable,
    state,
    below(folder) {
      const names = listed.get(folder) ?? namesBelow(path, folder)
      listed.set(folder, names)
      return names
    },
    head(name) {
      const known = heads.get(name)
      if (known !== undefined) return known
      // Before its bytes: what is written meanwhile must not count as seen.
      if (!looked.has(name)) looked.set(name, state(join(path, name)))
      try {
        const head = readHead(join(path, name))
        kept += head.length
        if (kept <= mostKept) heads.set(name, head)
        return head
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
