import { lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Format } from '#main/formats/format.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { AgentId } from '#shared/model/agent.ts'
import { claimFolder } from './claim-folder.ts'
import { observe } from './listing.ts'
import type { SessionSource } from './update-session.ts'

/**
 * How to read a file that the person named: as the session that it is, else as the agent that they named; a `.jsonl`
 * file in whose first lines nothing can be parsed is taken for a damaged or empty session of the first format.
 * Refused as `not-found`, `unsupported`.
 */
export function recogniseFile(path: string, agent: AgentId | null, formats: readonly Format[]): SessionSource {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) throw new Refusal('not-found', `${path} is not there. Check the path.`, { file: path })
  if (!stat.isFile()) throw new Refusal('unsupported', `${path} is not a session file. Name a file.`, { file: path })

  const named = agent === null ? undefined : formats.find(({ agents }) => agents.includes(agent))
  if (agent !== null && named === undefined) {
    throw new Refusal('unsupported', `Sessions of ${agent} cannot be read yet (${path}).`, { file: path })
  }
  const listing = observe(dirname(path), [basename(path)], [])
  const { claims, unsupported } = claimFolder(listing, formats)
  const [unreadable] = listing.unreadable.values()
  if (unreadable !== undefined) throw unreadableFile(path, unreadable)

  const claim = claims[0]
  const claiming = formats.find(({ id }) => id === claim?.format)
  if (claim !== undefined && claiming !== undefined && (named === undefined || named === claiming)) {
    return { format: claiming, set: claim.set }
  }
  const forced = named ?? (isUnparsable(path, listing.head(basename(path))) ? formats[0] : undefined)
  if (forced !== undefined) return { format: forced, set: forced.force(path, agent) }
  const what =
    unsupported === null ? 'no session that Treeline knows' : `a session of ${unsupported}, which cannot be read yet`
  throw new Refusal('unsupported', `${path} is ${what}. "--agent" reads it all the same.`, { file: path })
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
