import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoredSession } from '#main/index/types.ts'
import { entryKinds } from '#shared/model/entry.ts'
import { outline, type Outlined, storedRow } from './session-views.ts'

const entry = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  parent: fc.integer({ min: -1, max: 1 }),
  label: fc.constantFrom(null, 'here'),
  kind: fc.constantFrom(...entryKinds),
  role: fc.constantFrom(null, 'user', 'assistant', 'toolResult')
})

/** Of what a session is, only what an outline shows. */
function sessionOf(drafts: readonly (typeof entry extends fc.Arbitrary<infer T> ? T : never)[]): Outlined {
  const nodes = drafts.map(({ id, parent, label }, at) => ({ id, parent: parent < at ? parent : at - 1, label }))
  const tree = { nodes, leaves: nodes.map((_, at) => at), defaultLeaf: { id: null, reason: 'empty' } }
  const entries = drafts.map(({ kind, role }) => ({ kind, role, time: null }))
  return { stored: { revision: drafts.length }, tree, records: { entries }, format: {} } as unknown as Outlined
}

test('an outline is the same whatever earlier one it goes on with', () => {
  fc.assert(
    fc.property(fc.array(entry), fc.array(entry), fc.nat({ max: 12 }), (drafts, others, kept) => {
      const before = outline(sessionOf(drafts))
      const after = sessionOf([...drafts.slice(0, kept), ...others])
      expect(outline(after, before)).toEqual(outline(after))
    })
  )
})

test('depths are counted from the root, also where a parent stands further down', () => {
  const nodes = [
    { id: 'a', parent: 2, label: null },
    { id: 'b', parent: 0, label: null },
    { id: 'c', parent: -1, label: null }
  ]
  const session = {
    ...sessionOf([]),
    tree: { nodes, leaves: [1, 2], defaultLeaf: { id: 'b', reason: 'last-entry' } },
    records: { entries: nodes.map(() => ({ kind: 'message', role: null, time: null })) }
  } as unknown as Outlined
  expect(outline(session).leaves.map(({ id, depth }) => [id, depth])).toEqual([
    ['b', 3],
    ['c', 1]
  ])
})

test('a session is live for a minute, and not for years where a clock was wrong', () => {
  const now = Date.UTC(2026, 0, 1)
  const isLive = (modified: number) =>
    storedRow({ summary: {}, files: [{ modified: 0 }, { modified }] } as unknown as StoredSession, {}, now).live
  expect([0, 59, 61].map((seconds) => isLive(now - seconds * 1000))).toEqual([true, true, false])
  expect(isLive(now + 30_000)).toBe(true)
  expect(isLive(Date.UTC(2099, 0, 1))).toBe(false)
})
