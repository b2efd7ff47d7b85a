import { type EntryKind, entryKinds, type Outline } from '#shared/model/entry.ts'
import { shownBy } from '#shared/tree/filter.ts'
import { type Lanes, lanesOf } from '#shared/tree/lanes.ts'
import { type Rows, rowsOf } from '#shared/tree/rows.ts'
import { pathTo, type Tree, treeOf } from '#shared/tree/tree.ts'

const trees = new WeakMap<Outline, Tree>()

/** The outline's tree; built once for each outline. */
export function treeOfOutline(outline: Outline): Tree {
  const found = trees.get(outline)
  if (found !== undefined) return found
  const tree = treeOf(outline.parents)
  trees.set(outline, tree)
  return tree
}

const allRows = new WeakMap<Outline, Rows>()

/** Rows of all entries, none of them folded; computed once for each outline. */
export function rowsOfAll(outline: Outline): Rows {
  const found = allRows.get(outline)
  if (found !== undefined) return found
  const rows = rowsOf(treeOfOutline(outline), shownBy('all', outline), new Uint8Array(outline.ids.length))
  allRows.set(outline, rows)
  return rows
}

export interface PathLanes {
  readonly leaf: number
  readonly lanes: Lanes
  /** Entries of the path, whether they are shown or not. */
  readonly pathLength: number
}

const pathLanes = new WeakMap<Rows, PathLanes>()

/** Lanes of a tree's rows with the path to an entry (-1 for none) in front; of the same rows only the latest are kept. */
export function lanesAlong(tree: Tree, rows: Rows, leaf: number): PathLanes {
  const found = pathLanes.get(rows)
  if (found?.leaf === leaf) return found
  const path = pathTo(tree, leaf)
  const isOnPath = new Uint8Array(tree.size)
  for (const at of path) isOnPath[at] = 1
  const onPath = Uint8Array.from(rows.entries, (at) => isOnPath[at] ?? 0)
  const made = { leaf, lanes: lanesOf(rows.parents, onPath), pathLength: path.length }
  pathLanes.set(rows, made)
  return made
}

const idsATask = 25_000

/**
 * Builds what every view asks of an outline, each part in a task of its own: 100,000 entries must not freeze the window.
 * Of one that goes on behind `before`, only what is new of the positions. `leaf` is the one that the person chose.
 */
export async function prepareOutline(outline: Outline, before: Outline | null, leaf: string | null): Promise<void> {
  const held = before === null ? undefined : known.get(before)
  const places = held ?? new Map<string, number>()
  for (let from = held === undefined ? 0 : (before?.ids.length ?? 0); from < outline.ids.length; from += idsATask) {
    await nextTask()
    addPlaces(places, outline.ids, from, from + idsATask)
  }
  known.set(outline, places)
  await nextTask()
  const tree = treeOfOutline(outline)
  await nextTask()
  const rows = rowsOfAll(outline)
  await nextTask()
  const current = currentLeafOf(outline, leaf)
  lanesAlong(tree, rows, current === null ? -1 : (positionsOf(outline).get(current) ?? -1))
  await nextTask()
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/**
 * The leaf that stands for the person's choice: the chosen one, or, where entries were appended behind it, the last leaf
 * that descends from it; the session's default leaf where nothing was chosen or the choice is gone.
 */
export function currentLeafOf(outline: Outline, chosen: string | null): string | null {
  const at = chosen === null ? undefined : positionsOf(outline).get(chosen)
  if (at === undefined) return outline.defaultLeaf.id
  return outline.ids[treeOfOutline(outline).newest[at] ?? at] ?? null
}

/** Outlines of which one goes on behind the other share their places: each may find some that it does not have. */
const known = new WeakMap<Outline, Map<string, number>>()

/** Position of each id in the outline; computed once for each outline. */
export function positionsOf(outline: Outline): Pick<ReadonlyMap<string, number>, 'get' | 'has'> {
  const places = known.get(outline) ?? new Map<string, number>()
  if (!known.has(outline)) {
    addPlaces(places, outline.ids, 0, outline.ids.length)
    known.set(outline, places)
  }
  const get = (id: string): number | undefined => {
    const place = places.get(id)
    return place !== undefined && outline.ids[place] === id ? place : undefined
  }
  return { get, has: (id) => get(id) !== undefined }
}

function addPlaces(places: Map<string, number>, ids: readonly string[], from: number, to: number): void {
  for (let at = from; at < Math.min(to, ids.length); at++) places.set(ids[at] ?? '', at)
}

/** Some stores have the results of tools in the person's role. */
const ownKinds: ReadonlySet<EntryKind> = new Set(['message', 'request'])

/**
 * For each leaf the position of the entry that tells it from the others: the person's first message after the last
 * branch point of its path, else their last one on it, else the leaf itself.
 */
export function headlinesOf(outline: Outline): ReadonlyMap<string, number> {
  const children = new Int32Array(outline.ids.length)
  for (const parent of outline.parents) if (parent >= 0) children[parent] = (children[parent] ?? 0) + 1
  const user = outline.roleNames.indexOf('user')
  const isOwn = (at: number): boolean =>
    user >= 0 && outline.roles[at] === user && ownKinds.has(entryKinds[outline.kinds[at] ?? -1] ?? 'unknown')
  const positions = positionsOf(outline)
  return new Map(
    outline.leaves.map(({ id }) => {
      const leaf = positions.get(id) ?? -1
      let own = -1
      let forked = false
      let here = leaf
      for (let steps = 0; here >= 0 && steps <= outline.ids.length; steps++) {
        if (here !== leaf && (children[here] ?? 0) > 1) {
          if (own >= 0) break
          forked = true
        }
        if (isOwn(here)) {
          own = here
          if (forked) break
        }
        here = outline.parents[here] ?? -1
      }
      return [id, own >= 0 ? own : leaf]
    })
  )
}
