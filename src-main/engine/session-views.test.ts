import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryKinds } from '#shared/model/entry.ts'
import { outline, type Outlined } from './session-views.ts'

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
