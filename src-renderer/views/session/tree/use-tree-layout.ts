import { useMemo } from 'react'
import type { Outline } from '#shared/model/entry.ts'
import { shownBy, type TreeFilter } from '#shared/tree/filter.ts'
import { type Rows, rowsOf } from '#shared/tree/rows.ts'
import type { Tree } from '#shared/tree/tree.ts'
import { lanesAlong, type PathLanes, positionsOf, rowsOfAll, treeOfOutline } from '#renderer/state/outline-path.ts'

export interface TreeLayout extends PathLanes {
  readonly tree: Tree
  readonly rows: Rows
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
  return { tree, rows, ...lanesAlong(tree, rows, leaf) }
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
