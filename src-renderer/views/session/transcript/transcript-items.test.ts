import { expect, test } from 'vitest'
import { entryKinds, type EntryKind, type Outline } from '#shared/model/entry.ts'
import { isShown, transcriptItems } from './transcript-items.ts'

const roleNames = ['user', 'assistant', 'toolResult', 'custom', 'tool', 'system']

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
const seen = (outline: Outline) => itemsOf(outline).items.map(({ kind, at, parts }) => [kind, at, ...parts])

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

test('what was sent and what is only logged is put together, around the answer and the results that it called for', () => {
  const outline = outlineOf(
    ['message', 'user'],
    ['event', null],
    ['request', null],
    ['response', 'assistant'],
    ['event', null],
    ['event', 'assistant'],
    ['tool-result', 'tool'],
    ['event', null],
    ['request', null],
    ['response', 'assistant'],
    ['event', 'assistant']
  )
  expect(seen(outline)).toEqual([
    ['message', 0],
    ['log', 1, 1, 2],
    ['message', 3, 6],
    ['log', 4, 4, 5, 7, 8],
    ['message', 9],
    ['log', 10, 10]
  ])
  expect(itemsOf(outline).itemOf.get(7)).toBe(3)
})

test('calls that are entries of their own go with the answer, or are one where it has no other words', () => {
  expect(
    seen(
      outlineOf(
        ['message', 'user'],
        ['message', 'assistant'],
        ['tool-call', 'assistant'],
        ['tool-result', null],
        ['tool-call', 'assistant'],
        ['tool-result', null],
        ['usage', null],
        ['tool-call', 'assistant'],
        ['tool-result', null],
        ['message', 'user'],
        ['tool-call', null],
        ['tool-result', null]
      )
    )
  ).toEqual([
    ['message', 0],
    ['message', 1, 2, 3, 4, 5],
    ['log', 6, 6],
    ['message', 7, 8],
    ['message', 9],
    ['message', 10, 11]
  ])
})

test('results of a line in the person’s role go with the answer above', () => {
  expect(seen(outlineOf(['message', 'assistant'], ['tool-result', 'user'], ['message', 'assistant']))).toEqual([
    ['message', 0, 1],
    ['message', 2]
  ])
})

test('a rewritten result is a compaction, and no result', () => {
  expect(seen(outlineOf(['message', 'assistant'], ['compaction', 'tool']))).toEqual([
    ['message', 0],
    ['separator', 1]
  ])
})

test('an answer takes no more than so many parts', () => {
  const calls = Array.from({ length: 500 }, () => ['tool-call', null] as const)
  expect(seen(outlineOf(['message', 'assistant'], ...calls)).map((item) => item.length)).toEqual([202, 202, 100])
})

test('messages that are saved behind the answers they repeat are put together', () => {
  const run = [
    ['message', 'user'],
    ['request', null],
    ['response', 'assistant'],
    ['event', null]
  ] as const
  const copy = [
    ['message', 'system'],
    ['message', 'user'],
    ['message', 'assistant'],
    ['message', 'tool']
  ] as const
  expect(seen(outlineOf(...run, ...copy))).toEqual([
    ['message', 0],
    ['log', 1, 1],
    ['message', 2],
    ['log', 3, 3],
    ['saved', 4, 4, 5, 6, 7]
  ])
  expect(seen(outlineOf(...copy)).map(([kind]) => kind)).toEqual(['message', 'message', 'message'])
  expect(seen(outlineOf(...run, ['message', 'user'])).at(-1)).toEqual(['message', 4])
  expect(seen(outlineOf(...run, ['custom', 'user'], ...copy)).at(-1)).toEqual(['saved', 4, 4, 5, 6, 7, 8])
})

test('what is only logged is never asked for; what is not known yet is', () => {
  const outline = outlineOf(
    ['message', 'user'],
    ['request', null],
    ['event', null],
    ['custom', null],
    ['compaction', null]
  )
  expect([0, 1, 2, 3, 4, 5].map((at) => isShown(outline, at))).toEqual([true, false, false, true, true, true])
})
