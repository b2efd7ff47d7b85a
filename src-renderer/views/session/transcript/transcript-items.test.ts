import { expect, test } from 'vitest'
import { entryKinds, type EntryKind, type Outline } from '#shared/model/entry.ts'
import { transcriptItems } from './transcript-items.ts'

const roleNames = ['user', 'assistant', 'toolResult', 'custom']

function outlineOf(...entries: readonly (readonly [EntryKind, string | null])[]): Outline {
  return {
    revision: 1,
    ids: entries.map((_, at) => `e${at}`),
    parents: entries.map((_, at) => at - 1),
    kinds: entries.map(([kind]) => entryKinds.indexOf(kind)),
    roles: entries.map(([, role]) => (role === null ? -1 : roleNames.indexOf(role))),
    roleNames,
    labels: [],
    leaves: [],
    defaultLeaf: { id: null, reason: 'empty' },
    notes: []
  }
}

const itemsOf = (outline: Outline) => transcriptItems(outline, [...outline.ids.keys()])
const seen = (outline: Outline) => itemsOf(outline).items.map(({ kind, at, results }) => [kind, at, ...results])

test('results go with the answer that called, also where something else stands between', () => {
  const outline = outlineOf(
    ['message', 'user'],
    ['message', 'assistant'],
    ['message', 'toolResult'],
    ['label', null],
    ['message', 'user'],
    ['message', 'toolResult'],
    ['message', 'assistant']
  )
  expect(seen(outline)).toEqual([
    ['message', 0],
    ['message', 1, 2, 5],
    ['quiet', 3],
    ['message', 4],
    ['message', 6]
  ])
  expect([...itemsOf(outline).itemOf.entries()].toSorted(([one], [other]) => one - other)).toEqual([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 1],
    [6, 4]
  ])
})

test('a result that no answer stands before is shown by itself', () => {
  expect(seen(outlineOf(['message', 'toolResult'], ['compaction', null], ['message', 'toolResult']))).toEqual([
    ['message', 0],
    ['separator', 1],
    ['message', 2]
  ])
})

test('a compaction parts the conversation: what comes after it does not belong to an answer before it', () => {
  expect(seen(outlineOf(['message', 'assistant'], ['compaction', null], ['message', 'toolResult']))).toEqual([
    ['message', 0],
    ['separator', 1],
    ['message', 2]
  ])
})

test('a custom entry with a role is a message, one without is a quiet line', () => {
  expect(seen(outlineOf(['custom', 'custom'], ['custom', null], ['model-change', null]))).toEqual([
    ['message', 0],
    ['quiet', 1],
    ['quiet', 2]
  ])
})
