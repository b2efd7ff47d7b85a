import { useMemo } from 'react'
import type { Outline } from '#shared/model/entry.ts'
import { shownBy, type TreeFilter } from '#shared/tree/filter.ts'
import { type Lanes, lanesOf } from '#shared/tree/lanes.ts'
import { type Rows, rowsOf } from '#shared/tree/rows.ts'
import { pathTo, type Tree } from '#shared/tree/tree.ts'
import { positionsOf, rowsOfAll, treeOfOutline } from '#renderer/state/outline-path.ts'

export interface TreeLayout {
  readonly tree: Tree
  readonly rows: Rows
  readonly lanes: Lanes
  /** Entries of the current path, whether they are shown or not. */
  readonly pathLength: number
}

/** Lays the outline out; each step is done again only where something it depends on has changed. */
export function useTreeLayout(
  outline: Outline,
  filter: TreeFilter,
  folds: ReadonlySet<string>,
  leaf: number
): TreeLayout {
  const tree = treeOfOutline(outline)
  const rows = useMemo(
    () =>
      filter === 'all' && folds.size === 0
        ? rowsOfAll(outline)
        : rowsOf(treeOfOutline(outline), shownBy(filter, outline), foldedEntries(outline, folds)),
    [outline, filter, folds]
  )
  const path = useMemo(() => pathTo(tree, leaf), [tree, leaf])
  const lanes = useMemo(() => {
    const isOnPath = new Uint8Array(tree.size)
    for (const at of path) isOnPath[at] = 1
    const onPath = new Uint8Array(rows.count)
    for (let row = 0; row < rows.count; row++) onPath[row] = isOnPath[rows.entries[row] ?? -1] ?? 0
    return lanesOf(rows.parents, onPath)
  }, [tree, rows, path])
  return { tree, rows, lanes, pathLength: path.length }
}

function foldedEntries(outline: Outline, folds: ReadonlySet<string>): Uint8Array {
  const folded = new Uint8Array(outline.ids.length)
  const positions = positionsOf(outline)
  for (const id of folds) {
    const at = positions.get(id)
    if (at !== undefined) folded[at] = 1
  }
  return folded
}
