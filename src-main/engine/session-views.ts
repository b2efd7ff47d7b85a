import type { Assembled, Format, SessionView, TreeNode } from '#main/formats/format.ts'
import type { StoredSession } from '#main/index/types.ts'
import { entryKinds, type EntryRow, type Leaf, type Outline } from '#shared/model/entry.ts'
import type { SessionRow } from '#shared/model/session.ts'
import type { ReadFile } from '#shared/model/records.ts'
import type { ReadSession } from './reader/read-session.ts'

const liveFor = 60_000

/** Written to within 60 seconds of now, as a clock that was wrong may say years ahead, or shown to be running by what stands beside the files. */
const isLive = (files: readonly ReadFile[], { isRunning }: Pick<Format, 'isRunning'>, now: number): boolean =>
  files.some(({ modified }) => Math.abs(now - modified) < liveFor) || isRunning?.(files) === true

/** A session's row as the index keeps it; `folder` is for those to fill in who know what is open. */
export function storedRow(
  { summary, files }: StoredSession,
  format: Pick<Format, 'isRunning'>,
  now: number
): SessionRow {
  return { ...summary, folder: null, live: isLive(files, format, now) }
}

/** A session's row as it is read now, in the dialect asked for; what it came from does not depend on that. */
export function dialectRow({ stored, tree, records, format }: ReadSession, faults: number, now: number): SessionRow {
  const row = storedRow(stored, format, now)
  return {
    ...row,
    ...tree.session,
    parent: row.parent,
    revision: stored.revision,
    bytes: stored.files.reduce((sum, { size }) => sum + size, 0),
    entries: records.entries.length,
    leaves: tree.leaves.length,
    faults
  }
}

/** What an outline is made of. */
export interface Outlined extends Pick<SessionView, 'records' | 'tree'> {
  readonly stored: Pick<StoredSession, 'revision'>
  readonly format: Pick<Format, 'planFork'>
}

/** What a row is made of. */
export interface Rowed extends Pick<SessionView, 'records' | 'tree'> {
  onDefaultPath(at: number): boolean
}

type Columns = Pick<Outline, 'ids' | 'parents' | 'kinds' | 'roles' | 'roleNames'>

const noColumns: Columns = { ids: [], parents: [], kinds: [], roles: [], roleNames: [] }

/** The whole tree in columns; where the session goes on behind an earlier outline, its columns are gone on with. */
export function outline(session: Outlined, before: Columns = noColumns): Outline {
  const { stored, tree, records } = session
  const start = goesOn(before, session) ? before : noColumns
  const nodes = tree.nodes.slice(start.ids.length)
  const entries = records.entries.slice(start.ids.length)
  const roleNames = [...start.roleNames]
  const roleIndex = new Map(roleNames.map((role, index) => [role, index]))
  const indexOfRole = (role: string | null): number => {
    if (role === null) return -1
    const known = roleIndex.get(role)
    if (known !== undefined) return known
    roleIndex.set(role, roleNames.length)
    return roleNames.push(role) - 1
  }
  return {
    revision: stored.revision,
    ids: start.ids.concat(nodes.map(({ id }) => id)),
    parents: start.parents.concat(nodes.map(({ parent }) => parent)),
    kinds: start.kinds.concat(entries.map(({ kind }) => entryKinds.indexOf(kind))),
    roles: start.roles.concat(entries.map(({ role }) => indexOfRole(role))),
    roleNames,
    labels: labelsOf(tree.nodes),
    leaves: leaves(session),
    defaultLeaf: tree.defaultLeaf,
    canFork: session.format.planFork !== undefined,
    notes: [...(tree.notes ?? [])]
  }
}

const goesOn = ({ ids, parents, kinds, roles, roleNames }: Columns, { tree, records }: Outlined): boolean =>
  ids.every((id, at) => {
    const node = tree.nodes[at]
    const entry = records.entries[at]
    const role = roles[at] ?? -1
    return (
      node?.id === id &&
      node.parent === parents[at] &&
      entry?.kind === entryKinds[kinds[at] ?? -1] &&
      entry?.role === (role < 0 ? null : roleNames[role])
    )
  })

function labelsOf(nodes: readonly TreeNode[]): Outline['labels'] {
  const labels: { at: number; label: string }[] = []
  for (const [at, { label }] of nodes.entries()) if (label !== null) labels.push({ at, label })
  return labels
}

/** Leaves in file order, with the number of entries from the root to each. */
function leaves({ tree, records }: Outlined): Leaf[] {
  const depths = depthsOf(tree.nodes)
  return tree.leaves.map((at) => ({
    id: tree.nodes[at]?.id ?? '',
    depth: depths[at] ?? 0,
    time: isoTime(records.entries[at]?.time ?? tree.time?.(at))
  }))
}

/** Entries from the root to each entry, itself included; a parent may stand later in the file. */
function depthsOf(nodes: readonly TreeNode[]): Uint32Array {
  const depths = new Uint32Array(nodes.length)
  const way: number[] = []
  for (let start = 0; start < nodes.length; start++) {
    let at = start
    for (; at >= 0 && depths[at] === 0; at = nodes[at]?.parent ?? -1) way.push(at)
    let depth = at < 0 ? 0 : (depths[at] ?? 0)
    while (way.length > 0) depths[way.pop() ?? 0] = ++depth
  }
  return depths
}

/** An entry as the tree's row shows it. */
export function entryRow(session: Rowed, at: number): EntryRow {
  const { tree, records, onDefaultPath } = session
  const node = tree.nodes[at]
  const record = records.entries[at]
  if (node === undefined || record === undefined) throw new RangeError(`there is no entry ${at}`)
  const { kind, role, time, preview, bytes, frame, line, model, usage, synthetic } = record
  const row = tree.row(at)
  return {
    id: node.id,
    parent: tree.nodes[node.parent]?.id ?? null,
    kind,
    role,
    time: isoTime(time ?? tree.time?.(at)),
    preview,
    bytes: synthetic === undefined ? bytes : null,
    ...(frame && { frame }),
    line: synthetic === undefined ? line : null,
    label: node.label,
    model,
    usage,
    onDefaultPath: onDefaultPath(at),
    ...(synthetic && { synthetic: true as const }),
    ...tree.position?.(at),
    at,
    file: record.file,
    ...row,
    marks: [...(row.marks ?? [])]
  }
}

/** Whether an entry lies on the path to the default leaf; the path is followed when that is first asked. */
export function defaultPath({ nodes, defaultLeaf }: Pick<Assembled, 'nodes' | 'defaultLeaf'>): Rowed['onDefaultPath'] {
  let onPath: Uint8Array | undefined
  const follow = (): Uint8Array => {
    const found = new Uint8Array(nodes.length)
    // Nearly always the last entry: an index of all ids would cost more than all else that a row needs.
    let index = nodes.findLastIndex(({ id }) => id === defaultLeaf.id)
    for (; index >= 0; index = nodes[index]?.parent ?? -1) found[index] = 1
    return found
  }
  return (at) => (onPath ??= follow())[at] === 1
}

/** Milliseconds as ISO 8601 UTC; null where unknown or beyond what a date can be. */
export function isoTime(time: number | null | undefined): string | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.valueOf()) ? null : date.toISOString()
}
