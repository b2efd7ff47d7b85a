import { expect, test } from 'vitest'
import { entryKinds, type Outline } from '#shared/model/entry.ts'
import { currentLeafOf, headlinesOf, lanesAlong, prepareOutline, rowsOfAll, treeOfOutline } from './outline-path.ts'

/** Entries a, b, c, … in file order; each is [parent, role]. Leaves and the default one follow from the parents. */
function outline(...entries: readonly (readonly [parent: number, role: 'user' | 'assistant' | null])[]): Outline {
  const ids = entries.map((_, at) => String.fromCharCode(97 + at))
  const parents = entries.map(([parent]) => parent)
  const roleNames = ['assistant', 'user']
  const leaves = ids.filter((_, at) => !parents.includes(at)).map((id) => ({ id, depth: 0, time: null }))
  return {
    revision: 1,
    ids,
    parents,
    kinds: entries.map(() => 0),
    roles: entries.map(([, role]) => (role === null ? -1 : roleNames.indexOf(role))),
    roleNames,
    labels: [],
    leaves,
    defaultLeaf: { id: ids.at(-1) ?? null, reason: 'last-entry' },
    notes: []
  }
}

//  a user - b assistant - c user - d assistant
//                       \ e user - f assistant - g assistant
const forked = outline(
  [-1, 'user'],
  [0, 'assistant'],
  [1, 'user'],
  [2, 'assistant'],
  [1, 'user'],
  [4, 'assistant'],
  [5, 'assistant']
)

test('without a choice, or with one that is gone, the default leaf is the current one', () => {
  expect([currentLeafOf(forked, null), currentLeafOf(forked, 'lost')]).toEqual(['g', 'g'])
})

test('a chosen leaf stays the current one while another grows', () => {
  expect(currentLeafOf(forked, 'd')).toBe('d')
})

test('a chosen leaf that was appended to is followed to its new end', () => {
  expect([currentLeafOf(forked, 'f'), currentLeafOf(forked, 'c')]).toEqual(['g', 'd'])
})

test('an empty session has no current leaf', () => {
  const empty = { ...outline(), defaultLeaf: { id: null, reason: 'empty' as const } }
  expect(currentLeafOf(empty, null)).toBeNull()
})

test('a leaf is told by the person’s first message behind the last branch point', () => {
  expect(headlinesOf(forked)).toEqual(
    new Map([
      ['d', 2],
      ['g', 4]
    ])
  )
})

test('a result that stands in the person’s role is not their message', () => {
  const shape = outline([-1, 'user'], [0, 'assistant'], [0, 'user'])
  expect(headlinesOf({ ...shape, kinds: [0, 0, entryKinds.indexOf('tool-result')] }).get('c')).toBe(0)
})

test('a branch without a message of the person is told by the last one before it, else by itself', () => {
  const answers = outline([-1, 'user'], [0, 'assistant'], [0, 'assistant'])
  expect([...headlinesOf(answers).values()]).toEqual([0, 0])
  const none = outline([-1, null], [0, null], [0, null])
  expect([...headlinesOf(none).values()]).toEqual([1, 2])
})

test('lanes have the path to the leaf in front, and are laid out before they are drawn', async () => {
  const session = { ...forked }
  await prepareOutline(session, null, 'd')
  const rows = rowsOfAll(session)
  const toD = lanesAlong(treeOfOutline(session), rows, 3)
  expect([[...toD.lanes.onPath], toD.pathLength]).toEqual([[1, 1, 1, 1, 0, 0, 0], 4])
  expect(lanesAlong(treeOfOutline(session), rows, 3)).toBe(toD)
  const toG = lanesAlong(treeOfOutline(session), rows, 6)
  expect([[...toG.lanes.onPath], toG.pathLength]).toEqual([[1, 1, 0, 0, 1, 1, 1], 5])
  expect([...lanesAlong(treeOfOutline(session), rows, -1).lanes.onPath]).toEqual([0, 0, 0, 0, 0, 0, 0])
})
