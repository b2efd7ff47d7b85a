import type { Format, TreeNode } from '#main/formats/format.ts'
import type { StoredSession } from '#main/index/types.ts'
import { entryKinds, type EntryRow, type Leaf, type Outline } from '#shared/model/entry.ts'
import type { SessionRow } from '#shared/model/session.ts'
import type { ReadFile } from '#shared/model/records.ts'
import type { ReadSession } from './read-session.ts'

const liveFor = 60_000

/** Written to within the last 60 seconds, or shown to be running by what stands beside the files. */
const isLive = (files: readonly ReadFile[], { isRunning }: Pick<Format, 'isRunning'>, now: number): boolean =>
  files.some(({ modified }) => now - modified < liveFor) || isRunning?.(files) === true

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

/** The whole tree in columns. */
export function outline(session: ReadSession): Outline {
  const { stored, tree, records } = session
  const roleNames: string[] = []
  const roleIndex = new Map<string, number>()
  const indexOfRole = (role: string | null): number => {
    if (role === null) return -1
    const known = roleIndex.get(role)
    if (known !== undefined) return known
    roleIndex.set(role, roleNames.length)
    return roleNames.push(role) - 1
  }
  return {
    revision: stored.revision,
    ids: tree.nodes.map(({ id }) => id),
    parents: tree.nodes.map(({ parent }) => parent),
    kinds: records.entries.map(({ kind }) => entryKinds.indexOf(kind)),
    roles: records.entries.map(({ role }) => indexOfRole(role)),
    roleNames,
    labels: tree.nodes.flatMap(({ label }, at) => (label === null ? [] : [{ at, label }])),
    leaves: leaves(session),
    defaultLeaf: tree.defaultLeaf,
    canFork: session.format.planFork !== undefined,
    notes: [...(tree.notes ?? [])]
  }
}

/** Leaves in file order, with the number of entries from the root to each. */
function leaves({ tree, records }: ReadSession): Leaf[] {
  const depths = depthsOf(tree.nodes)
  return tree.leaves.map((at) => ({
    id: tree.nodes[at]?.id ?? '',
    depth: depths[at] ?? 0,
    time: isoTime(records.entries[at]?.time)
  }))
}

/** Entries from the root to each entry, itself included; a parent may stand later in the file. */
function depthsOf(nodes: readonly TreeNode[]): Uint32Array {
  const depths = new Uint32Array(nodes.length)
  for (let start = 0; start < nodes.length; start++) {
    const way: number[] = []
    let at = start
    for (; at >= 0 && depths[at] === 0; at = nodes[at]?.parent ?? -1) way.push(at)
    let depth = at < 0 ? 0 : (depths[at] ?? 0)
    while (way.length > 0) depths[way.pop() ?? 0] = ++depth
  }
  return depths
}

/** An entry as the tree's row shows it. */
export function entryRow(session: ReadSession, at: number): EntryRow {
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
    time: isoTime(time),
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

/** Milliseconds as ISO 8601 UTC; null where unknown or beyond what a date can be. */
export function isoTime(time: number | null | undefined): string | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.valueOf()) ? null : date.toISOString()
}
