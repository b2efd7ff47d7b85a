import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldAt } from './moves.ts'
import { type Rows, rowsOf, shortestFold } from './rows.ts'
import { treeOf } from './tree.ts'

const rowsOfColumn = (column: readonly number[], hide: readonly number[] = [], fold: readonly number[] = []): Rows => {
  const shown = new Uint8Array(column.length).fill(1)
  const folded = new Uint8Array(column.length)
  for (const at of hide) shown[at] = 0
  for (const at of fold) folded[at] = 1
  return rowsOf(treeOf(column), shown, folded)
}
const chain = (length: number): number[] => Array.from({ length }, (_, at) => at - 1)

describe('rowsOf', () => {
  /*
   *  0 ── 1 ── 2 ── 3
   *        └── 4 ── 5
   *             └── 6
   */
  const forked = [-1, 0, 1, 2, 1, 4, 4]

  test('hangs each row on its parent and counts the branch points above', () => {
    const rows = rowsOfColumn(forked)
    expect([...rows.entries]).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect([...rows.parents]).toEqual([-1, 0, 1, 2, 1, 4, 4])
    expect([...rows.levels]).toEqual([1, 1, 2, 2, 2, 3, 3])
    expect([...rows.places]).toEqual([1, 2, 1, 2, 3, 1, 2])
    expect([...rows.branches].map((branch) => rows.sharing[branch + 1])).toEqual([2, 2, 3, 3, 3, 2, 2])
  })

  test('hangs rows on the nearest ancestor that a filter shows', () => {
    const rows = rowsOfColumn(forked, [1, 4])
    expect([...rows.entries]).toEqual([0, 2, 3, 5, 6])
    expect([...rows.parents]).toEqual([-1, 0, 1, 0, 0])
    expect(rows.rowOf[4]).toBe(-1)
  })

  test('makes roots of rows whose ancestors are all hidden', () => {
    expect([...rowsOfColumn(forked, [0, 1]).parents]).toEqual([-1, 0, -1, 2, 2])
  })

  test('folds all below a branch point', () => {
    const rows = rowsOfColumn(forked, [], [4])
    expect([...rows.entries]).toEqual([0, 1, 2, 3, 4])
    expect(rows.hidden[4]).toBe(2)
    expect(rows.rowOf[6]).toBe(-1)
    expect(foldAt(rows, 4)).toBe('branch')
  })

  test('folds the inside of a long linear part to one row, its first and last entry stay', () => {
    const length = shortestFold + 2
    const rows = rowsOfColumn(chain(length), [], [0])
    expect([...rows.entries]).toEqual([0, 1, length - 1])
    expect([...rows.hidden]).toEqual([0, shortestFold, 0])
    expect([0, 1, 2].map((row) => foldAt(rows, row))).toEqual(['linear', 'rest', 'none'])
    expect(rows.rowOf[3]).toBe(1)
  })

  test('does not fold a short linear part', () => {
    expect(rowsOfColumn(chain(shortestFold + 1), [], [0]).count).toBe(shortestFold + 1)
  })

  const anySession = fc
    .array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 5 }), fc.boolean()), { maxLength: 80 })
    .map((picks) => ({
      // Mostly the entry before, so that long linear parts occur.
      column: picks.map(([pick], at) => (pick % 4 > 0 ? at - 1 : (pick % (at + 1)) - 1)),
      hide: picks.flatMap(([, pick], at) => (pick === 0 ? [at] : [])),
      fold: picks.flatMap(([, , isFolded], at) => (isFolded ? [at] : []))
    }))

  test('shows or hides each shown entry exactly once, parents first', () => {
    fc.assert(
      fc.property(anySession, ({ column, hide, fold }) => {
        const rows = rowsOfColumn(column, hide, fold)
        let entries = 0
        for (let row = 0; row < rows.count; row++) {
          expect(rows.parents[row]!).toBeLessThan(row)
          entries += foldAt(rows, row) === 'rest' ? rows.hidden[row]! : 1 + rows.hidden[row]!
        }
        expect(entries).toBe(column.length - hide.length)
        expect(new Set(rows.entries).size).toBe(rows.count)
        expect([...rows.entries].some((at) => hide.includes(at))).toBe(false)
      })
    )
  })

  test('gives the same rows again once all is unfolded', () => {
    fc.assert(
      fc.property(anySession, ({ column, hide, fold }) => {
        const unfolded = rowsOfColumn(column, hide)
        expect(unfolded.folded.includes(1)).toBe(false)
        const folded = rowsOfColumn(column, hide, fold)
        const order = [...unfolded.entries]
        // What is left stands in the same order.
        const places = [...folded.entries].map((at) => order.indexOf(at))
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      })
    )
  })

  test('takes a chain of 200,000 entries, folded or not', () => {
    expect(rowsOfColumn(chain(200_000)).count).toBe(200_000)
    expect(rowsOfColumn(chain(200_000), [], [0]).count).toBe(3)
  })
})
