import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { childrenOf, leafThrough, pathTo, rootsOf, treeOf } from './tree.ts'

/** Any tree: each entry's parent is an earlier entry or none. */
const parentsColumn = fc
  .array(fc.nat(), { maxLength: 40 })
  .map((picks) => picks.map((pick, at) => (pick % (at + 1)) - 1))

describe('treeOf', () => {
  /*
   *  0 ── 1 ── 2
   *        └── 4 ── 5
   *  3
   */
  const tree = treeOf([-1, 0, 1, -1, 1, 4])

  test('orders entries depth first, siblings in file order, roots one after the other', () => {
    expect([...tree.order]).toEqual([0, 1, 2, 4, 5, 3])
    expect([...rootsOf(tree)]).toEqual([0, 3])
    expect([...childrenOf(tree, 1)]).toEqual([2, 4])
    expect([...childrenOf(tree, 5)]).toEqual([])
  })

  test('gives the path from the root', () => {
    expect([...pathTo(tree, 5)]).toEqual([0, 1, 4, 5])
    expect([...pathTo(tree, -1)]).toEqual([])
  })

  test('keeps the current leaf above which an entry stands, else takes the last one below the entry', () => {
    expect(leafThrough(tree, 1, 2)).toBe(2)
    expect(leafThrough(tree, 1, 3)).toBe(5)
    expect(leafThrough(tree, 4, 2)).toBe(5)
    expect(leafThrough(tree, 2, -1)).toBe(2)
  })

  test('takes a parent that stands later in the file', () => {
    expect([...treeOf([2, -1, 1]).order]).toEqual([1, 2, 0])
  })

  test('makes a root of an entry whose parent is not there', () => {
    expect([...treeOf([7, -3, 0]).parents]).toEqual([-1, -1, 0])
  })

  test('cuts a cycle at its first entry, and a parent that is the entry itself', () => {
    expect([...treeOf([-1, 3, 1, 2, 4, 3]).parents]).toEqual([-1, -1, 1, 2, -1, 3])
  })

  test('holds each entry once, parents first, whatever the column says', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 30 }), { maxLength: 28 }), (column) => {
        const any = treeOf(column)
        const seen = new Set<number>()
        for (const at of any.order) {
          const parent = any.parents[at]!
          expect(parent === -1 || seen.has(parent)).toBe(true)
          seen.add(at)
        }
        expect(seen.size).toBe(column.length)
      })
    )
  })

  test('keeps each subtree in one piece and finds its newest leaf', () => {
    fc.assert(
      fc.property(parentsColumn, (column) => {
        const any = treeOf(column)
        for (let at = 0; at < any.size; at++) {
          const inside = [...any.order].filter((below) => pathTo(any, below).includes(at))
          const start = any.order.indexOf(at)
          expect([...any.order.subarray(start, start + inside.length)]).toEqual(inside)
          const leaves = inside.filter((below) => childrenOf(any, below).length === 0)
          expect(any.newest[at]).toBe(Math.max(...leaves))
        }
      })
    )
  })

  test('takes a chain of 200,000 entries', () => {
    const chain = treeOf(Array.from({ length: 200_000 }, (_, at) => at - 1))
    expect(pathTo(chain, 199_999)).toHaveLength(200_000)
    expect(chain.newest[0]).toBe(199_999)
  })
})
