import { get } from './column.ts'
import { type FoldKind, foldKinds, type Rows } from './rows.ts'

export const foldAt = (rows: Rows, row: number): FoldKind => foldKinds[rows.folds[row] ?? 0] ?? 'none'

/** The nearest row of the current path above (-1) or below (1); -1 where there is none. */
export function alongPath(rows: Rows, onPath: Uint8Array, row: number, step: 1 | -1): number {
  for (let next = row + step; next >= 0 && next < rows.count; next += step) if (onPath[next] === 1) return next
  return -1
}

/** The nearest branch point above or below; -1 where there is none. */
export function toBranchPoint(rows: Rows, row: number, step: 1 | -1): number {
  for (let next = row + step; next >= 0 && next < rows.count; next += step) {
    if (foldAt(rows, next) === 'branch') return next
  }
  return -1
}

/** First row of the branch that a row is in: a child of the nearest branch point above, or a root. */
export function branchStart(rows: Rows, row: number): number {
  const branch = get(rows.branches, row)
  let start = row
  while (start >= 0 && get(rows.parents, start) !== branch) start = get(rows.parents, start)
  return start
}

/** First row of the branch before (-1) or after (1) the one that a row is in; -1 where there is none. */
export function toSibling(rows: Rows, row: number, step: 1 | -1): number {
  const branch = get(rows.branches, row)
  for (let next = branchStart(rows, row) + step; next > branch && next < rows.count; next += step) {
    const parent = get(rows.parents, next)
    if (parent === branch) return next
    if (parent < branch) return -1
  }
  return -1
}

/** Where "left" goes from a row that it does not fold: the start of its linear part where that can be folded, else the branch point. */
export function outwards(rows: Rows, row: number): number {
  const start = branchStart(rows, row)
  if (start !== row && foldAt(rows, start) === 'linear') return start
  const branch = get(rows.branches, row)
  return branch >= 0 || start === row ? branch : start
}

/** Where "right" goes from a row that it does not unfold: its first child's row, -1 for none. */
export function inwards(rows: Rows, row: number): number {
  return row + 1 < rows.count && get(rows.parents, row + 1) === row ? row + 1 : -1
}
