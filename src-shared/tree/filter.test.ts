import { expect, test } from 'vitest'
import { type EntryKind, entryKinds, type Outline } from '#shared/model/entry.ts'
import { shownBy, type TreeFilter } from './filter.ts'

const roleNames = ['user', 'assistant', 'toolResult']
const entries: readonly (readonly [EntryKind, string | null])[] = [
  ['model-change', null],
  ['message', 'user'],
  ['message', 'assistant'],
  ['message', 'toolResult'],
  ['custom', 'user'],
  ['tool-result', null],
  ['event', null],
  ['request', 'user'],
  ['response', 'assistant'],
  ['tool-call', 'assistant'],
  ['compaction', 'toolResult'],
  ['custom', null],
  ['boundary', null],
  ['event', 'assistant']
]
const outline: Outline = {
  revision: 1,
  ids: entries.map((_, at) => `e${at}`),
  parents: entries.map((_, at) => at - 1),
  kinds: entries.map(([kind]) => entryKinds.indexOf(kind)),
  roles: entries.map(([, role]) => (role === null ? -1 : roleNames.indexOf(role))),
  roleNames,
  labels: [{ at: 2, label: 'checkpoint' }],
  leaves: [{ id: 'e5', depth: 6, time: null }],
  defaultLeaf: { id: 'e5', reason: 'only-leaf' },
  notes: []
}

test.each<[TreeFilter, number[]]>([
  ['all', [...entries.keys()]],
  ['conversation', [1, 2, 3, 4, 5, 8, 9, 10]],
  ['without-tools', [0, 1, 2, 4, 8, 11, 12]],
  ['only-mine', [1, 7]],
  ['labelled', [2]]
])('%s shows its entries', (filter, expected) => {
  expect([...shownBy(filter, outline)].flatMap((shown, at) => (shown === 1 ? [at] : []))).toEqual(expected)
})
