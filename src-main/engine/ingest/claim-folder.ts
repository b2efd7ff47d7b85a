import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { FolderFault, Format, SessionSet } from '#main/formats/format.ts'
import { unsupportedStore } from '#main/formats/unsupported.ts'
import type { AgentId, FormatId } from '#shared/model/agent.ts'
import type { ObservedListing } from './listing.ts'

export interface Claim {
  readonly format: FormatId
  readonly set: SessionSet
}

/** What lies in a folder, as its formats see it. */
export interface FolderClaims {
  readonly claims: readonly Claim[]
  /** Agent whose sessions lie here but cannot be read yet. */
  readonly unsupported: AgentId | null
  readonly faults: readonly FolderFault[]
}

/** Claims with what they rest on, as they are kept in the index. */
export interface ClaimMemory extends FolderClaims {
  /** Hash of the formats' and the files' names, further down too. */
  readonly names: string
  /** The folders further down that were listed. */
  readonly listed: readonly string[]
  /** The files that were looked into: a session's must still be that file, any other must be unchanged. */
  readonly looked: Readonly<
    Record<string, { readonly inode: number; readonly size?: number; readonly modified?: number }>
  >
}

/** Which sessions lie in a folder, each file for the first format that claims it. */
export function claimFolder(listing: ObservedListing, formats: readonly Format[]): FolderClaims {
  const claims: Claim[] = []
  const claimed = new Set<string>()
  const faults: FolderFault[] = []
  for (const format of formats) {
    const sets = format.claim(listing)
    faults.push(...(format.folderFaults?.(listing, sets) ?? []))
    for (const set of sets) {
      if (set.files.some(({ path }) => claimed.has(path))) continue
      claims.push({ format: format.id, set })
      for (const { path } of set.files) claimed.add(path)
    }
  }
  const rest = listing.files.filter((name) => !claimed.has(join(listing.path, name)))
  return { claims, unsupported: unsupportedStore({ ...listing, files: rest }), faults }
}

export function rememberClaims(listing: ObservedListing, formats: readonly Format[], found: FolderClaims): ClaimMemory {
  const claimed = new Set(found.claims.flatMap(({ set }) => set.files.map(({ path }) => path)))
  const looked: Record<string, { inode: number; size?: number; modified?: number }> = Object.create(null)
  for (const [name, state] of listing.looked) {
    const path = join(listing.path, name)
    const { inode, size, modified } = state ?? { inode: -1, size: -1, modified: -1 }
    looked[name] = claimed.has(path) ? { inode } : { inode, size, modified }
  }
  return { ...found, names: hashNames(listing, formats), listed: [...listing.listed.keys()], looked }
}

/** Whether what was remembered of a folder still holds; one look at each file, none into it. */
export function claimsHold(memory: ClaimMemory, listing: ObservedListing, formats: readonly Format[]): boolean {
  for (const folder of memory.listed) listing.below(folder)
  if (memory.names !== hashNames(listing, formats)) return false
  return Object.entries(memory.looked).every(([name, then]) => {
    const now = listing.state(join(listing.path, name))
    return (
      now?.inode === then.inode &&
      (then.size === undefined || (now.size === then.size && now.modified === then.modified))
    )
  })
}

function hashNames({ files, listed }: ObservedListing, formats: readonly Format[]): string {
  const hash = createHash('sha256')
  const below = [...listed].flatMap(([folder, names]) => ['', folder, ...names.files, '', ...names.folders])
  for (const name of [...formats.map(({ id }) => id), '', ...files, ...below]) hash.update(name).update('\0')
  return hash.digest('hex').slice(0, 16)
}
