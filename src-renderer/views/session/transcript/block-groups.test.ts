import { expect, test } from 'vitest'
import { blockGroups } from './block-groups.ts'

test('neighbours of other types go together, every other block stands by itself', () => {
  const types = ['other', 'text', 'text', 'other', 'other', 'other', 'tool-call', 'other'] as const
  expect(blockGroups(types.map((type) => ({ type })))).toEqual([[0], [1], [2], [3, 4, 5], [6], [7]])
  expect(blockGroups([])).toEqual([])
})
