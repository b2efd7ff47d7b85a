import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Lanes, lanesOf, strokesAt } from './lanes.ts'
import { rowsOf } from './rows.ts'
import { pathTo, treeOf } from './tree.ts'

/** Lays out all entries of a tree without folds, with the path to `leaf` as the current one. */
function layOut(column: readonly number[], leaf: number): Lanes {
  const tree = treeOf(column)
  const rows = rowsOf(tree, new Uint8Array(tree.size).fill(1), new Uint8Array(tree.size))
  const path = new Set(pathTo(tree, leaf))
  return lanesOf(
    rows.parents,
    Uint8Array.from(rows.entries, (at) => (path.has(at) ? 1 : 0))
  )
}

/** The picture as text: `●` a row on the path, `○` another, `│` a line, `╮` and `├╴` where one turns off to the right. */
function draw(lanes: Lanes): string {
  const lines: string[] = []
  for (let row = 0; row < lanes.parents.length; row++) {
    const head = Array.from({ length: 2 * lanes.width }, () => ' ')
    const foot = [...head]
    for (const stroke of strokesAt(lanes, row)) {
      if (stroke.kind === 'through') head[2 * stroke.lane] = foot[2 * stroke.lane] = '│'
      else if (stroke.kind === 'out') foot[2 * stroke.lane] = '│'
      else if (stroke.kind === 'below') {
        for (let x = 2 * stroke.lane + 1; x < 2 * stroke.to; x++) if (foot[x] === ' ') foot[x] = '─'
        foot[2 * stroke.to] = '╮'
      }
    }
    for (const stroke of strokesAt(lanes, row)) {
      if (stroke.kind === 'above') for (let x = 2 * stroke.lane + 1; x < 2 * stroke.to; x++) head[x] = '╴'
      if (stroke.kind === 'below') foot[2 * stroke.lane] = '├'
    }
    head[2 * lanes.lanes[row]!] = lanes.onPath[row] === 1 ? '●' : '○'
    lines.push(head.join('').trimEnd())
    if (foot.some((mark) => mark === '╮')) lines.push(foot.join('').trimEnd())
  }
  return `\n${lines.join('\n')}\n`
}

describe('lanesOf', () => {
  test('draws a chain as one line', () => {
    expect(draw(layOut([-1, 0, 1], 2))).toBe(`
●
●
●
`)
  })

  test('leads the path past an earlier branch', () => {
    expect(draw(layOut([-1, 0, 1, 2, 1, 4], 5))).toBe(`
●
●
├─╮
│ ○
│ ○
●
●
`)
  })

  test('leads a later branch past the path', () => {
    expect(draw(layOut([-1, 0, 1, 2, 1, 4], 3))).toBe(`
●
●
├─╮
● │
● │
  ○
  ○
`)
  })

  test('hangs all retries on one line', () => {
    expect(draw(layOut([-1, 0, 0, 2, 0, 0], 5))).toBe(`
●
├─╮
│ ○
│╴○
│ ○
│╴○
●
`)
    expect(draw(layOut([-1, 0, 0, 2, 0, 0], 1))).toBe(`
●
├─╮
● │
  │╴○
  │ ○
  │╴○
  ○
`)
  })

  test('keeps a rail to the right of what lies between its ends', () => {
    // 0 ─ 1 ─ 2 (path), 1 ─ 3 ─ 4 and 3 ─ 5, 0 ─ 6
    expect(draw(layOut([-1, 0, 1, 1, 3, 3, 0], 2))).toBe(`
●
├─────╮
●     │
├─╮   │
● │   │
  ○   │
  ├─╮ │
  │ ○ │
  ○   │
      ○
`)
  })

  test('leaves lane 0 to the path where there are several roots', () => {
    expect(draw(layOut([-1, 0, -1, 2, -1], 3))).toBe(`
  ○
  ○
●
●
  ○
`)
  })

  const anyTree = fc.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), fc.nat()).map(([picks, pick]) => {
    const column = picks.map((parent, at) => (parent % (at + 1)) - 1)
    return { column, leaf: treeOf(column).newest[pick % column.length]! }
  })

  test('never puts two lines, or a line and a node, in one place', () => {
    fc.assert(
      fc.property(anyTree, ({ column, leaf }) => {
        const lanes = layOut(column, leaf)
        for (let row = 0; row < column.length; row++) {
          const owners = { head: new Map<number, number>(), foot: new Map<number, number>() }
          const take = (half: 'head' | 'foot', lane: number, owner: number): void => {
            expect(owners[half].get(lane) ?? owner).toBe(owner)
            owners[half].set(lane, owner)
          }
          for (const stroke of strokesAt(lanes, row)) {
            if (stroke.kind === 'through') {
              expect(stroke.lane).not.toBe(lanes.lanes[row])
              take('head', stroke.lane, stroke.from)
              take('foot', stroke.lane, stroke.from)
            } else if (stroke.kind === 'into') take('head', stroke.lane, stroke.from)
            else if (stroke.kind === 'out') take('foot', stroke.lane, stroke.from)
            else if ('to' in stroke) {
              const half = stroke.kind === 'above' ? 'head' : 'foot'
              for (let lane = stroke.lane; lane <= stroke.to; lane++) take(half, lane, stroke.from)
            }
          }
        }
      })
    )
  })

  test('leads an unbroken line from each row to its parent', () => {
    fc.assert(
      fc.property(anyTree, ({ column, leaf }) => {
        const lanes = layOut(column, leaf)
        for (let row = 0; row < column.length; row++) {
          const parent = lanes.parents[row]!
          if (parent < 0) continue
          const arrival = strokesAt(lanes, row).filter(
            (stroke) => stroke.from === parent && 'into above'.includes(stroke.kind)
          )
          expect(arrival).toHaveLength(1)
          const lane = arrival[0]!.lane
          for (let between = row - 1; between > parent; between--) {
            expect(strokesAt(lanes, between)).toContainEqual(
              expect.objectContaining({ kind: 'through', from: parent, lane })
            )
          }
          const leaves = strokesAt(lanes, parent).filter((stroke) => stroke.from === parent)
          expect(
            leaves.some((stroke) => (stroke.kind === 'out' ? stroke.lane : 'to' in stroke && stroke.to) === lane)
          ).toBe(true)
        }
      })
    )
  })

  test('keeps the whole path in lane 0 and all else out of it, the same each time', () => {
    fc.assert(
      fc.property(anyTree, ({ column, leaf }) => {
        const lanes = layOut(column, leaf)
        for (let row = 0; row < column.length; row++) expect(lanes.lanes[row] === 0).toBe(lanes.onPath[row] === 1)
        expect(Math.max(...lanes.lanes)).toBeLessThan(lanes.width)
        expect(layOut(column, leaf)).toEqual(lanes)
      })
    )
  })

  test('takes a chain of 200,000 rows, and one with a retry at each step', () => {
    const chain = layOut(
      Array.from({ length: 200_000 }, (_, at) => at - 1),
      199_999
    )
    expect(chain.width).toBe(1)
    expect(strokesAt(chain, 100_000)).toHaveLength(2)
    const retries = layOut([-1, ...Array.from({ length: 199_999 }, (_, at) => at - (at % 2))], 199_998)
    expect(retries.width).toBe(2)
  })
})
