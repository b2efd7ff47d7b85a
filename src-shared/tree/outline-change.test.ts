import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Outline } from '#shared/model/entry.ts'
import { changeBehind, changedOutline, keptIn, keptOverBoth } from './outline-change.ts'

const position = fc.integer({ min: -1, max: 5 })
const anyOutline: fc.Arbitrary<Outline> = fc
  .record({
    revision: fc.nat(),
    entries: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), position, position, position)),
    roleNames: fc.array(fc.constantFrom('user', 'assistant')),
    labels: fc.array(fc.record({ at: position, label: fc.constantFrom('x', 'y') })),
    leaves: fc.array(
      fc.record({ id: fc.constantFrom('a', 'b'), depth: position, time: fc.constantFrom(null, '2026-01-01') })
    ),
    defaultLeaf: fc.record({
      id: fc.constantFrom(null, 'a', 'b'),
      reason: fc.constantFrom('only-leaf', 'last-entry', 'empty')
    }),
    canFork: fc.boolean(),
    notes: fc.array(
      fc.record({
        tone: fc.constantFrom('info', 'warning'),
        text: fc.constantFrom('x', 'y'),
        detail: fc.constant(null)
      })
    )
  })
  .map(({ entries, ...rest }) => ({
    ...rest,
    ids: entries.map(([id]) => id),
    parents: entries.map(([, parent]) => parent),
    kinds: entries.map(([, , kind]) => kind),
    roles: entries.map(([, , , role]) => role)
  }))

/** Outlines of one session, each with a part of the one before: as it was, cut off, or gone on. */
const history = fc
  .tuple(anyOutline, fc.array(fc.tuple(anyOutline, fc.nat({ max: 8 })), { minLength: 1, maxLength: 4 }))
  .map(([first, later]) => {
    const outlines = [first]
    for (const [next, kept] of later) {
      const before = outlines.at(-1) ?? first
      const goOn = <T>(old: readonly T[], added: readonly T[]) => [...old.slice(0, kept), ...added]
      outlines.push({
        ...next,
        ids: goOn(before.ids, next.ids),
        parents: goOn(before.parents, next.parents),
        kinds: goOn(before.kinds, next.kinds),
        roles: goOn(before.roles, next.roles),
        labels: goOn(before.labels, next.labels),
        leaves: goOn(before.leaves, next.leaves)
      })
    }
    return outlines
  })

test('an outline and what is new since make the new outline, whatever has changed', () => {
  fc.assert(
    fc.property(history, (outlines) => {
      const [first, ...later] = outlines
      let [before, kept] = [first!, keptIn(first!, first!)]
      for (const after of later) {
        kept = keptOverBoth(kept, keptIn(before, after))
        before = after
        expect(changedOutline(first, changeBehind(after, kept))).toEqual(after)
      }
    })
  )
})

test('an entry appended to a chain is all that is sent', () => {
  const chain = (length: number): Outline => ({
    revision: length,
    ids: Array.from({ length }, (_, at) => `e${at}`),
    parents: Array.from({ length }, (_, at) => at - 1),
    kinds: Array.from({ length }, () => 0),
    roles: Array.from({ length }, () => 0),
    roleNames: ['user'],
    labels: [{ at: 1, label: 'here' }],
    leaves: [
      { id: 'e2', depth: 3, time: null },
      { id: `e${length - 1}`, depth: length, time: null }
    ],
    defaultLeaf: { id: `e${length - 1}`, reason: 'last-entry' },
    notes: []
  })
  const change = changeBehind(chain(5), keptIn(chain(4), chain(5)))
  expect(change).toEqual({
    revision: 5,
    kept: { entries: 4, roleNames: 1, labels: 1, leaves: 1 },
    ids: ['e4'],
    parents: [3],
    kinds: [0],
    roles: [0],
    roleNames: [],
    labels: [],
    leaves: [{ id: 'e4', depth: 5, time: null }],
    defaultLeaf: { id: 'e4', reason: 'last-entry' },
    notes: []
  })
})
