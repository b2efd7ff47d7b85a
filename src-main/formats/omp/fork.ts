import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Refusal } from '#shared/contract/refusal.ts'
import type { BranchPlan, ForkRequest, SessionView } from '../format.ts'
import { uuidV7 } from '../uuid-v7.ts'
import { dialectOf, notLoaded, stateOf, versionOf } from './dialect.ts'
import { lineOf, sessionFileName } from './lines.ts'
import { linksOf } from './links.ts'
import { opening } from './opening.ts'
import { Pieces } from './pieces.ts'
import { newestVersion } from './schema.ts'
import { freshIds, migrated, newIds, readObjects, resumeCommand } from './write.ts'

/**
 * A new file with all entries of a session, as the agents' own forks write it (docs/formats/omp.md, "Branching"): lines
 * of the newest version byte by byte, older ones migrated. Refused as `not-resumable` where the agent would load nothing.
 */
export async function planOmpFork(view: SessionView, { now, into }: ForkRequest): Promise<BranchPlan> {
  const { records } = view
  const source = records.files[0].path
  const dialect = dialectOf(records)
  const header = stateOf(records).header
  const refusal = notLoaded(records, dialect) ?? (records.entries.length === 0 ? 'the file has no entries' : null)
  if (refusal !== null) throw new Refusal('not-resumable', `${source} cannot be forked: ${refusal}.`, { file: source })

  const sessionId = uuidV7(now)
  const time = now.toISOString()
  const path = join(into ?? dirname(source), sessionFileName(time, sessionId))
  const lineage =
    dialect === 'pi'
      ? { parentSession: source }
      : { parentSession: header?.id ?? '', providerPromptCacheKey: header?.cacheKey ?? header?.id ?? '' }
  const rewritten = rewrittenEntries(view)
  const objects = await readObjects(view, [...rewritten.keys()])
  const pieces = new Pieces()
  pieces.text(opening(view, dialect, { sessionId, time }, lineage))
  for (const at of records.entries.keys()) {
    const members = rewritten.get(at)
    if (members === undefined) pieces.copy(view, at)
    else pieces.text(lineOf({ ...migrated(objects.get(at) ?? {}, versionOf(records)), ...members }))
  }
  const artifacts = source.replace(/\.jsonl$/, '')
  const hasArtifacts = dialect === 'omp' && artifacts !== source && existsSync(artifacts)
  return {
    sessionId,
    files: [{ path, pieces: pieces.list() }],
    entries: records.entries.length,
    resume: resumeCommand(dialect, header?.cwd ?? null, path),
    ...(hasArtifacts ? { folder: { from: artifacts, to: path.replace(/\.jsonl$/, '') } } : {})
  }
}

/** Entries of an older version that the newest writes otherwise, each with the members that it gets: new ids in the first. */
export function rewrittenEntries(view: SessionView): ReadonlyMap<number, object> {
  const { records, tree } = view
  const version = versionOf(records)
  const rewritten = new Map<number, object>()
  if (version >= newestVersion) return rewritten
  if (version === 2) {
    records.entries.forEach((entry, at) => {
      if (entry.kind === 'message' && entry.role === 'custom') rewritten.set(at, {})
    })
    return rewritten
  }
  const ids = newIds(view, [...records.entries.keys()], freshIds(view))
  const { kept } = linksOf(tree)
  records.entries.forEach((entry, at) => {
    const place = { id: ids.get(at) ?? '', parentId: ids.get(tree.nodes[at]?.parent ?? -1) ?? null }
    const first = ids.get(kept.get(at) ?? -1) ?? ''
    rewritten.set(at, entry.kind === 'compaction' ? { ...place, firstKeptEntryId: first } : place)
  })
  return rewritten
}
