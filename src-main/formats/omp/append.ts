import { Refusal } from '#shared/contract/refusal.ts'
import type { AppendPlan, AppendRequest, SessionView } from '../format.ts'
import { ompBranchPoint } from './branch.ts'
import { dialectOf, notLoaded, stateOf, versionOf } from './dialect.ts'
import { branchSummaryOf, entryOf, type EntryPlace, labelOf, lineOf } from './lines.ts'
import { linksOf } from './links.ts'
import type { Facts } from './schema.ts'
import { pathTo } from './tree.ts'
import { freshIds, resumeCommand } from './write.ts'

/** The custom entry that a branch in place begins with where nothing is to be said to the agent. */
const branchMark = 'treeline.branch'

/**
 * One entry for the end of the session's own file: a label, or the beginning of a branch, whose parent is the chosen
 * entry (docs/formats/omp.md, "Branching"). Nothing that is in the file changes.
 */
export function planOmpAppend(view: SessionView, request: AppendRequest): AppendPlan {
  const { records, tree } = view
  const { at, now } = request
  const file = records.files[0].path
  const entry = tree.nodes[at]?.id ?? null
  const refusal = ompAppendRefusal(view, at, request.kind)
  if (refusal !== null) throw new Refusal('unsupported', refusal, { file, entry })
  const point = ompBranchPoint(view, at)
  if (request.kind === 'branch' && point.kind === 'refused') {
    throw new Refusal('not-resumable', point.reason, { file, entry, nearest: point.nearest })
  }
  const dialect = dialectOf(records)
  const oldLeaf = records.entries.at(-1)?.storedId ?? null
  const target = records.entries[at]?.storedId ?? ''
  const place: EntryPlace = {
    id: freshIds(view)(),
    parentId: request.kind === 'label' ? oldLeaf : target,
    timestamp: now.toISOString()
  }
  const appended =
    request.kind === 'label'
      ? labelOf(place, target, request.label)
      : request.summary === null
        ? entryOf('custom', place, { customType: branchMark, data: { from: oldLeaf } })
        : branchSummaryOf(place, dialect, oldLeaf, { summary: request.summary })
  const header = stateOf(records).header
  return {
    sessionId: header?.id ?? '',
    text: lineOf(appended),
    entries: 1,
    end: place.id,
    resume: resumeCommand(dialect, header?.cwd ?? null, file)
  }
}

/** Why nothing can be appended that names an entry, null where it can be. */
export function ompAppendRefusal(view: SessionView, at: number, kind: AppendRequest['kind']): string | null {
  const { records, tree } = view
  const unread = notLoaded(records, dialectOf(records))
  if (unread !== null) return `Nothing can be appended: ${unread}.`
  if (versionOf(records) === 1) {
    return 'The file is of the first version, whose entries have no ids to name. Branch as a new file, or fork the session.'
  }
  const named = records.entries[at]?.storedId ?? ''
  if (named === '' || linksOf(tree).byStoredId.get(named) !== at) {
    return 'The entry has no id of its own that a new entry could name. Branch as a new file instead.'
  }
  const isLost = kind === 'branch' && pathTo(tree.nodes, at).some((index) => losesPath(view, index))
  return isLost
    ? 'The agent cannot read the whole path to this entry in this file. Branch as a new file, which mends it.'
    : null
}

/** Whether the agents, reading the file as it is, would not find what stands before an entry, or the entry itself. */
function losesPath({ records, tree }: SessionView, at: number): boolean {
  const record = records.entries[at]
  const stored = record?.storedParent ?? ''
  const isCut = tree.nodes[at]?.parent === -1 && linksOf(tree).byStoredId.has(stored)
  return isCut || (record?.facts as Facts | undefined)?.glued === true
}
