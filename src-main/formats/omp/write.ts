import { dirname, join } from 'node:path'
import { Refusal } from '#shared/contract/refusal.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { BranchPlan, BranchRequest, SessionView } from '../format.ts'
import { asObject, asString } from '../json.ts'
import { shellQuote } from '../shell-quote.ts'
import { uuidV7 } from '../uuid-v7.ts'
import { linksOf } from './links.ts'
import { ompBranchPoint } from './branch.ts'
import { dialectOf, stateOf, versionOf } from './dialect.ts'
import { migratedRole } from './entry.ts'
import { labelOf, lineOf, sessionFileName, unusedId } from './lines.ts'
import { opening } from './opening.ts'
import { Pieces } from './pieces.ts'
import { type Dialect, type Facts, newestVersion } from './schema.ts'
import { pathTo } from './tree.ts'

/**
 * A new file with the path to an entry, as the agents' own branching writes it (docs/formats/omp.md, "Branching").
 * Lines are copied byte by byte; only those whose parent, id or first kept entry changes are written anew.
 * Refuses with `not-resumable` where `branchPoint` does, with `stale` where the file no longer holds what was read.
 */
export async function planOmpBranch(view: SessionView, request: BranchRequest): Promise<BranchPlan> {
  const point = ompBranchPoint(view, request.at)
  const source = view.records.files[0].path
  const end = view.tree.nodes[request.at]?.id ?? null
  if (point.kind === 'refused')
    throw new Refusal('not-resumable', point.reason, { file: source, entry: end, nearest: point.nearest })

  const dialect = dialectOf(view.records)
  const sessionId = uuidV7(request.now)
  const time = request.now.toISOString()
  const path = join(request.into ?? dirname(source), sessionFileName(time, sessionId))
  const whole = pathTo(view.tree.nodes, request.at)
  const kept = whole.filter((at) => !isLabel(view, at))
  const freshId = freshIds(view)
  const ids = newIds(view, kept, freshId)
  const changed = changes(view, kept, ids, newReferences(view, whole, ids))
  const labels = labelsOn(view, kept)
  const objects = await readObjects(view, [...changed.keys(), ...labels.map(([, label]) => label)])
  const pieces = new Pieces()
  pieces.text(opening(view, dialect, { sessionId, time }, { parentSession: source }))
  for (const at of kept) {
    const change = changed.get(at)
    if (change === undefined) pieces.copy(view, at)
    else pieces.text(lineOf(change(objects.get(at) ?? {})))
  }
  let parent = ids.get(kept.at(-1) ?? -1) ?? null
  for (const [target, label] of labels) {
    const stored = objects.get(label) ?? {}
    const id = freshId()
    const place = { id, parentId: parent, timestamp: asString(stored['timestamp']) ?? time }
    pieces.text(lineOf(labelOf(place, ids.get(target) ?? '', asString(stored['label']) ?? '')))
    parent = id
  }
  return {
    sessionId,
    files: [{ path, pieces: pieces.list() }],
    entries: kept.length + labels.length,
    resume: resumeCommand(dialect, stateOf(view.records).header?.cwd ?? null, path)
  }
}

/** One line for a POSIX shell. pi takes a session's file by `--session`, omp by `--resume`. */
export function resumeCommand(dialect: Dialect, cwd: string | null, path: string): string {
  const resume = `${dialect === 'omp' ? 'omp --resume' : 'pi --session'} ${shellQuote(path)}`
  return cwd === null ? resume : `cd ${shellQuote(cwd)} && ${resume}`
}

function isLabel(view: SessionView, at: number): boolean {
  return view.records.entries[at]?.kind === 'label'
}

/** Ids in a new file: the stored ones, new ones where there are none or where two entries of the path share one. */
export function newIds(view: SessionView, path: readonly number[], freshId: () => string): ReadonlyMap<number, string> {
  const ids = new Map<number, string>()
  const taken = new Set<string>()
  const isFirstVersion = versionOf(view.records) === 1
  for (const at of path) {
    const stored = view.records.entries[at]?.storedId ?? ''
    const id = isFirstVersion || stored === '' || taken.has(stored) ? freshId() : stored
    taken.add(id)
    ids.set(at, id)
  }
  return ids
}

/** Ids as the agents make them, none of which the source has. */
export function freshIds(view: SessionView): () => string {
  const { byStoredId } = linksOf(view.tree)
  const made = new Set<string>()
  return () => {
    const id = unusedId((taken) => byStoredId.has(taken) || made.has(taken))
    made.add(id)
    return id
  }
}

type Change = (object: JsonObject) => JsonObject

/** The entries that cannot be copied as they are, and what becomes of them. */
function changes(
  view: SessionView,
  path: readonly number[],
  ids: ReadonlyMap<number, string>,
  references: ReadonlyMap<number, JsonObject>
): ReadonlyMap<number, Change> {
  const version = versionOf(view.records)
  const { byStoredId } = linksOf(view.tree)
  const changed = new Map<number, Change>()
  path.forEach((at, position) => {
    const record = view.records.entries[at]
    if (record === undefined) return
    const id = ids.get(at) ?? ''
    const parent = position === 0 ? null : (ids.get(path[position - 1] ?? -1) ?? null)
    const stored = record.storedParent ?? null
    const isRoot = parent === null && (stored === null || !byStoredId.has(stored))
    const isHook = version === 2 && record.kind === 'message' && record.role === 'custom'
    const own = references.get(at)
    if (version > 1 && id === record.storedId && (isRoot || parent === stored) && !isHook && own === undefined) return
    changed.set(at, (object) => ({ ...migrated({ ...object, ...own }, version), id, parentId: parent }))
  })
  return changed
}

/** One entry of an older version as the newest writes it. */
export function migrated(object: JsonObject, version: number): JsonObject {
  if (version >= newestVersion) return object
  const { firstKeptEntryIndex: _, ...rest } = object
  const message = asObject(rest['message'])
  if (message === null || message['role'] !== 'hookMessage') return rest
  return { ...rest, message: { ...message, role: migratedRole('hookMessage', version) } }
}

/** What a compaction's references become: those by number, and those that name a label, which the branch leaves out. */
function newReferences(
  view: SessionView,
  whole: readonly number[],
  ids: ReadonlyMap<number, string>
): ReadonlyMap<number, JsonObject> {
  const { kept, byStoredId } = linksOf(view.tree)
  const isFirstVersion = versionOf(view.records) === 1
  const positions = new Map(whole.map((at, position) => [at, position]))
  const nearestKept = (at: number, step: 1 | -1): string | undefined => {
    let position = positions.get(at) ?? -1
    while (position >= 0 && position < whole.length && isLabel(view, whole[position] ?? -1)) position += step
    return ids.get(whole[position] ?? -1)
  }
  const references = new Map<number, JsonObject>()
  for (const at of whole) {
    const record = view.records.entries[at]
    if (record?.kind !== 'compaction') continue
    const first = kept.get(at)
    if (first !== undefined && (isFirstVersion || isLabel(view, first))) {
      references.set(at, { firstKeptEntryId: nearestKept(first, 1) ?? '' })
    }
    const replay = byStoredId.get((record.facts as Facts).replay ?? '')
    const before = replay !== undefined && isLabel(view, replay) ? nearestKept(replay, -1) : undefined
    if (before !== undefined) references.set(at, { ...references.get(at), providerReplayThroughEntryId: before })
  }
  return references
}

/** The labelled entries of a path, each with the entry that set its label. */
function labelsOn(view: SessionView, path: readonly number[]): readonly (readonly [target: number, label: number])[] {
  const { byStoredId } = linksOf(view.tree)
  const setBy = new Map<number, number>()
  view.records.entries.forEach((entry, at) => {
    const target = entry.kind === 'label' ? byStoredId.get((entry.facts as Facts).target ?? '') : undefined
    if (target !== undefined) setBy.set(target, at)
  })
  return path.flatMap((at) => {
    const label = view.tree.nodes[at]?.label === null ? undefined : setBy.get(at)
    return label === undefined ? [] : [[at, label] as const]
  })
}

/** Objects of the source by their index. Refused as `stale` where its bytes no longer hold them. */
export async function readObjects(
  view: SessionView,
  wanted: readonly number[]
): Promise<ReadonlyMap<number, JsonObject>> {
  const objects = new Map<number, JsonObject>()
  let position = 0
  for await (const object of view.content.objects(wanted)) {
    const at = wanted[position++] ?? -1
    if (object === null) {
      throw new Refusal('stale', 'The file was changed since it was read; open it again.', {
        file: view.records.files[0].path,
        entry: view.tree.nodes[at]?.id ?? null
      })
    }
    objects.set(at, object)
  }
  return objects
}
