import { add, type Column, get, raise } from './column.ts'

/** The shape of a session in flat columns. Entries are named by their position in file order. */
export interface Tree {
  readonly size: number
  /** Parent of each entry, -1 for a root. Following parents always ends. */
  readonly parents: Column
  /** Children of entry i in file order: `children[starts[i]]` to before `children[starts[i + 1]]`; those of `size` are the roots. */
  readonly starts: Column
  readonly children: Column
  /** Every entry once, depth first: parents before children, siblings in file order, each subtree in one piece. */
  readonly order: Column
  /** The leaf below each entry that stands last in the file; the entry itself where it is a leaf. */
  readonly newest: Column
}

/** Builds the tree of a parents column. A parent outside of the column makes a root; a cycle is cut at its first entry. */
export function treeOf(column: ArrayLike<number>): Tree {
  const parents = withoutCycles(column)
  const size = parents.length
  const starts = new Int32Array(size + 2)
  for (let at = 0; at < size; at++) add(starts, slot(get(parents, at), size) + 1, 1)
  for (let at = 0; at <= size; at++) add(starts, at + 1, get(starts, at))
  const next = starts.slice()
  const children = new Int32Array(size)
  for (let at = 0; at < size; at++) children[add(next, slot(get(parents, at), size), 1) - 1] = at
  const order = depthFirst(size, starts, children)
  return { size, parents, starts, children, order, newest: newestLeaves(parents, order) }
}

export function childrenOf(tree: Tree, at: number): Column {
  return tree.children.subarray(get(tree.starts, at), get(tree.starts, at + 1))
}

export function rootsOf(tree: Tree): Column {
  return childrenOf(tree, tree.size)
}

/** Entries from the root to `at`, both with it; none for -1. */
export function pathTo(tree: Tree, at: number): Column {
  let length = 0
  for (let here = at; here >= 0; here = get(tree.parents, here)) length++
  const path = new Int32Array(length)
  for (let here = at; here >= 0; here = get(tree.parents, here)) path[--length] = here
  return path
}

/** The leaf whose path goes through `at`: `current` where that one does, else the last of them in the file. */
export function leafThrough(tree: Tree, at: number, current: number): number {
  for (let here = current; here >= 0; here = get(tree.parents, here)) if (here === at) return current
  return get(tree.newest, at)
}

const slot = (parent: number, size: number): number => (parent < 0 ? size : parent)

function withoutCycles(column: ArrayLike<number>): Column {
  const size = column.length
  const parents = new Int32Array(size).fill(-1)
  for (let at = 0; at < size; at++) {
    const parent = column[at] ?? -1
    if (parent >= 0 && parent < size) parents[at] = parent
  }
  const walkOf = new Int32Array(size)
  for (let walk = 1; walk <= size; walk++) {
    let here = walk - 1
    while (here >= 0 && walkOf[here] === 0) {
      walkOf[here] = walk
      here = get(parents, here)
    }
    if (here >= 0 && walkOf[here] === walk) parents[firstOfCycle(parents, here)] = -1
  }
  return parents
}

function firstOfCycle(parents: Column, inside: number): number {
  let first = inside
  for (let here = get(parents, inside); here !== inside; here = get(parents, here)) first = Math.min(first, here)
  return first
}

function depthFirst(size: number, starts: Column, children: Column): Column {
  const order = new Int32Array(size)
  const waiting = new Int32Array(size)
  let depth = 0
  let done = 0
  const push = (at: number): void => {
    for (let child = get(starts, at + 1) - 1; child >= get(starts, at); child--) waiting[depth++] = get(children, child)
  }
  push(size)
  while (depth > 0) {
    const at = get(waiting, --depth)
    order[done++] = at
    push(at)
  }
  return order
}

function newestLeaves(parents: Column, order: Column): Column {
  const newest = new Int32Array(order.length).fill(-1)
  for (let index = order.length - 1; index >= 0; index--) {
    const at = get(order, index)
    if (get(newest, at) < 0) newest[at] = at
    const parent = get(parents, at)
    if (parent >= 0) raise(newest, parent, get(newest, at))
  }
  return newest
}
