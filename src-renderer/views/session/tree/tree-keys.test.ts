import { describe, expect, test } from 'vitest'
import { rowsOf } from '#shared/tree/rows.ts'
import { treeOf } from '#shared/tree/tree.ts'
import { type KeyStroke, moveFor } from './tree-keys.ts'

/*
 *  0 ── 1 ── 2 ── 3 (path)
 *        └── 4 ── … ── 14
 */
const tree = treeOf([-1, 0, 1, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
const onPath = Uint8Array.from(tree.parents, (_, at) => (at <= 3 ? 1 : 0))
const shown = new Uint8Array(tree.size).fill(1)
const move = (key: string, row: number, folded: readonly number[] = [], held: Partial<KeyStroke> = {}) => {
  const folds = new Uint8Array(tree.size)
  for (const at of folded) folds[at] = 1
  const stroke = { key, altKey: false, ctrlKey: false, metaKey: false, ...held }
  return moveFor(stroke, { rows: rowsOf(tree, shown, folds), onPath, row, page: 10 })
}
const select = (row: number) => ({ kind: 'select', row })
const toggle = (row: number) => ({ kind: 'toggle', row })

describe('keys of the tree', () => {
  test('step by row, by page and to the ends', () => {
    expect(move('ArrowDown', 0)).toEqual(select(1))
    expect(move('ArrowDown', 14)).toEqual(select(14))
    expect(move('ArrowUp', 0)).toEqual(select(0))
    expect(move('PageDown', 0)).toEqual(select(10))
    expect(move('PageDown', 10)).toEqual(select(14))
    expect(move('PageUp', 4)).toEqual(select(0))
    expect(move('End', 0)).toEqual(select(14))
    expect(move('Home', 9)).toEqual(select(0))
  })

  test('begin at an end where nothing is selected', () => {
    expect(move('ArrowDown', -1)).toEqual(select(0))
    expect(move('ArrowUp', -1)).toEqual(select(14))
    expect(move('ArrowLeft', -1)).toEqual(select(-1))
  })

  test('left folds, then goes out', () => {
    expect(move('ArrowLeft', 9)).toEqual(select(4))
    expect(move('ArrowLeft', 4)).toEqual(toggle(4))
    expect(move('ArrowLeft', 4, [4])).toEqual(select(1))
    expect(move('ArrowLeft', 1)).toEqual(toggle(1))
    expect(move('ArrowLeft', 1, [1])).toEqual(select(0))
  })

  test('right unfolds, then goes in', () => {
    expect(move('ArrowRight', 1, [1])).toEqual(toggle(1))
    expect(move('ArrowRight', 1)).toEqual(select(2))
    expect(move('ArrowRight', 4, [4])).toEqual(toggle(4))
    expect(move('ArrowRight', 5, [4])).toEqual(toggle(5))
    expect(move('ArrowRight', 3)).toEqual(select(-1))
  })

  test('with Alt follow the path and step between siblings', () => {
    expect(move('ArrowDown', 1, [], { altKey: true })).toEqual(select(2))
    expect(move('ArrowUp', 4, [], { altKey: true })).toEqual(select(3))
    expect(move('ArrowRight', 3, [], { altKey: true })).toEqual(select(4))
    expect(move('ArrowLeft', 9, [], { altKey: true })).toEqual(select(2))
  })

  test('brackets step between branch points, however a keyboard writes them', () => {
    expect(move(']', 0)).toEqual(select(1))
    expect(move('[', 9, [], { altKey: true, ctrlKey: true })).toEqual(select(1))
    expect(move(']', 9)).toEqual(select(-1))
  })

  test('Enter opens an entry and unfolds a linear part', () => {
    expect(move('Enter', 2)).toEqual({ kind: 'open' })
    expect(move('Enter', 5, [4])).toEqual(toggle(5))
  })

  test('leave all other keys alone', () => {
    expect(move('ArrowDown', 0, [], { ctrlKey: true })).toBe(null)
    expect(move('Home', 3, [], { altKey: true })).toBe(null)
    expect(move('a', 3)).toBe(null)
  })
})
