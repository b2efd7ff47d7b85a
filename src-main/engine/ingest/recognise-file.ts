import { lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Format } from '#main/formats/format.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { AgentId } from '#shared/model/agent.ts'
import { type Claim, claimFolder } from './claim-folder.ts'
import { listFolder, namesBelow, observe, type ObservedListing } from './listing.ts'
import type { SessionSource } from './update-session.ts'

/**
 * How to read a file, or a session's own directory, that the person named: as the session that it is, else as the agent that they named; a `.jsonl`
 * file in whose first lines nothing can be parsed is taken for a damaged or empty session of the first format.
 * Refused as `not-found`, `unsupported`.
 */
export function recogniseFile(path: string, agent: AgentId | null, formats: readonly Format[]): SessionSource {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) throw new Refusal('not-found', `${path} is not there. Check the path.`, { file: path })
  if (stat.isDirectory()) return recogniseDirectory(path, agent, formats)
  if (!stat.isFile()) throw new Refusal('unsupported', `${path} is not a session file. Name a file.`, { file: path })

  const named = agent === null ? undefined : formats.find(({ agents }) => agents.includes(agent))
  if (agent !== null && named === undefined) {
    throw new Refusal('unsupported', `Sessions of ${agent} cannot be read yet (${path}).`, { file: path })
  }
  const folder = dirname(path)
  const alone = observe(folder, { files: [basename(path)], folders: [] })
  const { unsupported } = claimFolder(alone, formats)
  const [unreadable] = alone.unreadable.values()
  if (unreadable !== undefined) throw unreadableFile(path, unreadable)

  const claim = claimOf(path, amongOthers(alone), formats)
  const claiming = formats.find(({ id }) => id === claim?.format)
  if (claim !== undefined && claiming !== undefined && (named === undefined || named === claiming)) {
    return gatheredSource(path, claiming) ?? { format: claiming, set: claim.set, folder }
  }
  const forced = named ?? (isUnparsable(path, alone.head(basename(path))) ? formats[0] : undefined)
  if (forced !== undefined) return { format: forced, set: forced.force(path, agent), folder }
  const instead = claimFolder(amongOthers(alone), formats).claims.find(({ set }) => set.isDirectory === true)
  if (instead !== undefined) {
    const [main] = instead.set.files
    const message = `${path} is no part of the session that lies in its folder: ${main.path} is. Name that one; "--agent" reads this one all the same.`
    throw new Refusal('unsupported', message, { file: path })
  }
  const what =
    unsupported === null ? 'no session that Treeline knows' : `a session of ${unsupported}, which cannot be read yet`
  throw new Refusal('unsupported', `${path} is ${what}. "--agent" reads it all the same.`, { file: path })
}

function recogniseDirectory(path: string, agent: AgentId | null, formats: readonly Format[]): SessionSource {
  const chosen = formats.filter(({ agents }) => agent === null || agents.includes(agent))
  const claim = claimFolder(directory(path), chosen).claims.find(({ set }) => set.isDirectory === true)
  const format = chosen.find(({ id }) => id === claim?.format)
  if (claim !== undefined && format !== undefined) return { format, set: claim.set, folder: path }
  throw new Refusal('unsupported', `${path} is a directory and no session of its own. Name a file.`, { file: path })
}

function directory(path: string): ObservedListing {
  try {
    return listFolder(path)
  } catch (error) {
    throw unreadableFile(path, error)
  }
}

const claimOf = (path: string, listing: ObservedListing, formats: readonly Format[]): Claim | undefined =>
  claimFolder(listing, formats).claims.find(({ set }) => set.files.some((file) => file.path === path))

/** The whole session that a file stands for, where its files are spread over folders. */
function gatheredSource(path: string, format: Format): SessionSource | undefined {
  const folder = format.gathered?.(path) ?? null
  if (folder === null || lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  const claim = claimOf(path, observe(folder, namesBelow(folder, '')), [format])
  return claim && { format, set: claim.set, folder }
}

/** With the names beside it, as some of them may belong to the same session; none of these is looked into. */
function amongOthers(alone: ObservedListing): ObservedListing {
  const { path, files, head } = alone
  return { ...alone, files: namesIn(path) ?? files, head: (name) => (files.includes(name) ? head(name) : undefined) }
}

/** undefined where the folder may be entered but not listed. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    return listFolder(folder).files
  } catch {
    return undefined
  }
}

export function unreadableFile(path: string, error: unknown): Refusal {
  const { code } = error as NodeJS.ErrnoException
  const why = code === 'ENOENT' ? 'is gone' : `cannot be read (${code ?? String(error)})`
  return new Refusal('not-found', `${path} ${why}. Check the file and its permissions.`, { file: path })
}

function isUnparsable(path: string, head: Buffer | undefined): boolean {
  if (!path.endsWith('.jsonl') || head === undefined) return false
  return head.toString().split('\n').every(isNoJson)
}

function isNoJson(line: string): boolean {
  try {
    JSON.parse(line.replace(/^\ufeff/, ''))
    return false
  } catch {
    return true
  }
}
