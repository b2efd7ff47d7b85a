import { describe, expect, test } from 'vitest'
import { alongPath, branchStart, inwards, outwards, toBranchPoint, toSibling } from './moves.ts'
import { rowsOf } from './rows.ts'
import { treeOf } from './tree.ts'

/*
 *  0 ── 1 ── 2 ── 3
 *        ├── 4 ── 5
 *        │    └── 6
 *        └── 7
 *  8
 */
const tree = treeOf([-1, 0, 1, 2, 1, 4, 4, 1, -1])
const rows = rowsOf(tree, new Uint8Array(9).fill(1), new Uint8Array(9))

describe('moves', () => {
  test('steps along the path over what stands between', () => {
    const onPath = Uint8Array.from([1, 1, 0, 0, 1, 0, 1, 0, 0])
    expect(alongPath(rows, onPath, 1, 1)).toBe(4)
    expect(alongPath(rows, onPath, 6, -1)).toBe(4)
    expect(alongPath(rows, onPath, 6, 1)).toBe(-1)
  })

  test('steps between branch points', () => {
    expect(toBranchPoint(rows, 0, 1)).toBe(1)
    expect(toBranchPoint(rows, 1, 1)).toBe(4)
    expect(toBranchPoint(rows, 8, -1)).toBe(4)
    expect(toBranchPoint(rows, 1, -1)).toBe(-1)
  })

  test('steps between siblings from anywhere in a branch', () => {
    expect(toSibling(rows, 2, 1)).toBe(4)
    expect(toSibling(rows, 3, 1)).toBe(4)
    expect(toSibling(rows, 4, 1)).toBe(7)
    expect(toSibling(rows, 7, -1)).toBe(4)
    expect(toSibling(rows, 5, 1)).toBe(6)
    expect(toSibling(rows, 6, 1)).toBe(-1)
    expect(toSibling(rows, 2, -1)).toBe(-1)
    expect(toSibling(rows, 1, 1)).toBe(8)
  })

  test('goes out to the branch point, or to the first row where there is none', () => {
    expect(outwards(rows, 6)).toBe(4)
    expect(outwards(rows, 3)).toBe(1)
    expect(outwards(rows, 1)).toBe(0)
    expect(outwards(rows, 0)).toBe(-1)
    expect(branchStart(rows, 3)).toBe(2)
  })

  test('stops at the start of a linear part that can be folded on the way out', () => {
    const linear = rowsOf(
      treeOf([-1, ...Array.from({ length: 20 }, (_, at) => at), 0]),
      new Uint8Array(22).fill(1),
      new Uint8Array(22)
    )
    expect(outwards(linear, 9)).toBe(1)
    expect(outwards(linear, 1)).toBe(0)
  })

  test('goes in to the first child', () => {
    expect(inwards(rows, 1)).toBe(2)
    expect(inwards(rows, 3)).toBe(-1)
  })
})
