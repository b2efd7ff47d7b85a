import type { Outline } from '#shared/model/entry.ts'
import { type Tree, treeOf } from '#shared/tree/tree.ts'

const trees = new WeakMap<Outline, Tree>()

/** The outline's tree; built once for each outline. */
export function treeOfOutline(outline: Outline): Tree {
  const found = trees.get(outline)
  if (found !== undefined) return found
  const tree = treeOf(outline.parents)
  trees.set(outline, tree)
  return tree
}

/** Builds what every view asks of an outline, each part in a task of its own: 100,000 entries must not freeze the window. */
export async function prepareOutline(outline: Outline): Promise<void> {
  await nextTask()
  positionsOf(outline)
  await nextTask()
  treeOfOutline(outline)
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

const known = new WeakMap<Outline, ReadonlyMap<string, number>>()

/** Position of each id in the outline; computed once for each outline. */
export function positionsOf(outline: Outline): ReadonlyMap<string, number> {
  const found = known.get(outline)
  if (found !== undefined) return found
  const positions = new Map<string, number>()
  for (const [at, id] of outline.ids.entries()) positions.set(id, at)
  known.set(outline, positions)
  return positions
}

/**
 * For each leaf the position of the entry that tells it from the others: the person's first message after the last
 * branch point of its path, else their last one on it, else the leaf itself.
 */
export function headlinesOf(outline: Outline): ReadonlyMap<string, number> {
  const children = new Int32Array(outline.ids.length)
  for (const parent of outline.parents) if (parent >= 0) children[parent] = (children[parent] ?? 0) + 1
  const user = outline.roleNames.indexOf('user')
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
        if (user >= 0 && outline.roles[here] === user) {
          own = here
          if (forked) break
        }
        here = outline.parents[here] ?? -1
      }
      return [id, own >= 0 ? own : leaf]
    })
  )
}
