import { add, type Column, get } from './column.ts'
import type { Tree } from './tree.ts'

/** Inner entries that a linear part needs before it can be folded to one row. */
export const shortestFold = 8

/** `linear`: the first entry of a long linear part. `branch`: a branch point. `rest`: the row that stands for a folded linear part. */
export const foldKinds = ['none', 'linear', 'branch', 'rest'] as const
export type FoldKind = (typeof foldKinds)[number]
const [noFold, linearFold, branchFold, restFold] = foldKinds.map((_, index) => index) as [
  number,
  number,
  number,
  number
]

/** What is drawn, top to bottom. A row is named by its position, an entry by its position in the file. */
export interface Rows {
  readonly count: number
  /** Entry of each row; in the row of a folded linear part, the part's first hidden entry. */
  readonly entries: Column
  /** Row above that the row hangs on, -1 for none. */
  readonly parents: Column
  /** Entries behind a row that are not drawn: of a folded linear part in its own row, or all below a folded branch point. */
  readonly hidden: Column
  /** Index into `foldKinds`. */
  readonly folds: Uint8Array
  /** 1 where the linear part or branch that begins here is folded. */
  readonly folded: Uint8Array
  /** Row of the nearest branch point above, -1 for none. */
  readonly branches: Column
  /** Number of branch points above, plus 1. */
  readonly levels: Column
  /** Place among the rows with the same nearest branch point, from 1. */
  readonly places: Column
  /** How many rows share the nearest branch point, by its row + 1. */
  readonly sharing: Column
  /** Row of each entry; of one in a folded linear part, that part's row; -1 where a filter or a folded branch point hides it. */
  readonly rowOf: Column
}

/**
 * Rows of the entries that are `shown` (1), in the tree's order. An entry whose parent is not shown hangs on its nearest
 * shown ancestor. `folded` (1) folds the long linear part or the branch point that begins at an entry, and nothing elsewhere.
 */
export function rowsOf(tree: Tree, shown: Uint8Array, folded: Uint8Array): Rows {
  const visible = visibleTree(tree, shown)
  const rows = emptyRows(tree.size)
  let count = 0
  const put = (at: number, parent: number, fold: number, hidden: number, isFolded: boolean): number => {
    rows.entries[count] = at
    rows.parents[count] = parent
    rows.folds[count] = fold
    rows.hidden[count] = hidden
    rows.folded[count] = isFolded ? 1 : 0
    return count++
  }
  for (let index = 0; index < visible.order.length; index++) {
    const at = get(visible.order, index)
    const above = get(visible.parents, at)
    const parent = above < 0 ? -1 : get(rows.rowOf, above)
    const head = get(visible.heads, at)
    const inner = get(visible.lengths, head) - 2
    const isLong = inner >= shortestFold
    const isBranchPoint = get(visible.children, at) > 1
    if (isLong && folded[head] === 1 && at !== head && !isBranchPoint && get(visible.children, at) === 1) {
      const row = put(at, parent, restFold, inner, true)
      for (let rest = 0; rest < inner; rest++) rows.rowOf[get(visible.order, index + rest)] = row
      index += inner - 1
    } else if (isBranchPoint) {
      const isFolded = folded[at] === 1
      const below = get(visible.below, at)
      rows.rowOf[at] = put(at, parent, branchFold, isFolded ? below : 0, isFolded)
      if (isFolded) index += below
    } else {
      const isLinear = isLong && at === head
      rows.rowOf[at] = put(at, parent, isLinear ? linearFold : noFold, 0, isLinear && folded[at] === 1)
    }
  }
  return withLevels(rows, count)
}

/** The tree of the shown entries alone. */
interface VisibleTree {
  readonly order: Column
  readonly parents: Column
  /** How many shown children each entry has. */
  readonly children: Column
  /** How many shown entries lie below each. */
  readonly below: Column
  /** First entry of the linear part that each entry is part of, and the part's length by its first entry. */
  readonly heads: Column
  readonly lengths: Column
}

function visibleTree(tree: Tree, shown: Uint8Array): VisibleTree {
  const nearest = new Int32Array(tree.size).fill(-1)
  const parents = new Int32Array(tree.size).fill(-1)
  const children = new Int32Array(tree.size)
  const order = new Int32Array(tree.size)
  let count = 0
  for (let index = 0; index < tree.size; index++) {
    const at = get(tree.order, index)
    const parent = get(tree.parents, at)
    const above = parent < 0 ? -1 : get(nearest, parent)
    nearest[at] = shown[at] === 1 ? at : above
    if (shown[at] !== 1) continue
    parents[at] = above
    if (above >= 0) add(children, above, 1)
    order[count++] = at
  }
  const below = new Int32Array(tree.size)
  for (let index = count - 1; index >= 0; index--) {
    const at = get(order, index)
    const parent = get(parents, at)
    if (parent >= 0) add(below, parent, get(below, at) + 1)
  }
  const heads = new Int32Array(tree.size)
  const lengths = new Int32Array(tree.size)
  for (let index = 0; index < count; index++) {
    const at = get(order, index)
    const parent = get(parents, at)
    const head = parent >= 0 && get(children, parent) === 1 ? get(heads, parent) : at
    heads[at] = head
    add(lengths, head, 1)
  }
  return { order: order.subarray(0, count), parents, children, below, heads, lengths }
}

type RowsDraft = { [K in Exclude<keyof Rows, 'count'>]: Rows[K] }

const emptyRows = (size: number): RowsDraft => ({
  entries: new Int32Array(size),
  parents: new Int32Array(size),
  hidden: new Int32Array(size),
  folds: new Uint8Array(size),
  folded: new Uint8Array(size),
  branches: new Int32Array(size),
  levels: new Int32Array(size),
  places: new Int32Array(size),
  sharing: new Int32Array(size + 1),
  rowOf: new Int32Array(size).fill(-1)
})

function withLevels(rows: RowsDraft, count: number): Rows {
  const forks = new Int32Array(count)
  for (let row = 0; row < count; row++) {
    const parent = get(rows.parents, row)
    if (parent >= 0) add(forks, parent, 1)
  }
  for (let row = 0; row < count; row++) {
    const parent = get(rows.parents, row)
    const branch = parent < 0 ? -1 : get(forks, parent) > 1 ? parent : get(rows.branches, parent)
    rows.branches[row] = branch
    rows.levels[row] = branch < 0 ? 1 : get(rows.levels, branch) + 1
    rows.places[row] = add(rows.sharing, branch + 1, 1)
  }
  return {
    count,
    entries: rows.entries.subarray(0, count),
    parents: rows.parents.subarray(0, count),
    hidden: rows.hidden.subarray(0, count),
    folds: rows.folds.subarray(0, count),
    folded: rows.folded.subarray(0, count),
    branches: rows.branches.subarray(0, count),
    levels: rows.levels.subarray(0, count),
    places: rows.places.subarray(0, count),
    sharing: rows.sharing.subarray(0, count + 1),
    rowOf: rows.rowOf
  }
}
