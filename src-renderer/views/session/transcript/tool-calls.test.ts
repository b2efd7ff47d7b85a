import { expect, test } from 'vitest'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { EntryContent } from '#shared/contract/transcript.ts'
import type { EntryRow } from '#shared/model/entry.ts'
import { isFailed, type Part, toolCalls } from './tool-calls.ts'

const block = (type: DetailBlock['type'], callId: string | null = null, isError = false): DetailBlock => ({
  type,
  text: '',
  length: 0,
  name: null,
  callId,
  isError,
  bytes: null
})

const content = (id: string, blocks: DetailBlock[], facts: [string, string][] = []): EntryContent => ({
  id,
  at: 0,
  blocks,
  moreBlocks: 0,
  facts
})

const part = (id: string, blocks: DetailBlock[], facts?: [string, string][], failed = false): Part => ({
  row: { id, failed } as EntryRow,
  content: content(id, blocks, facts)
})

function paired(answer: EntryContent, parts: readonly Part[]) {
  const { others, results, unasked } = toolCalls(answer, parts)
  return {
    others: others.map(({ entry, index }) => `${entry} ${index}`),
    results: [...results].map(
      ([
        call,
        {
          content: { id },
          blocks
        }
      ]) => `${call}: ${id} ${blocks.join(' ')}`
    ),
    unasked: unasked.map(({ content: { id }, blocks }) => `${id} ${blocks.join(' ')}`)
  }
}

test('a call that is told again by an entry of its own is shown once', () => {
  const answer = content('a', [block('text'), block('tool-call', 'c1')])
  const parts = [part('call', [block('tool-call', 'c1')]), part('result', [block('tool-result', 'c1')])]
  expect(paired(answer, parts)).toEqual({ others: [], results: ['c1: result 0'], unasked: [] })
})

test('calls that only entries of their own tell of get their results all the same', () => {
  const parts = [
    part('one', [block('tool-call', 'c1')]),
    part('two', [block('tool-call', 'c2')]),
    part('second', [block('tool-result', 'c2')]),
    part('first', [block('tool-result', 'c1')])
  ]
  expect(paired(content('a', [block('text')]), parts)).toEqual({
    others: ['one 0', 'two 0'],
    results: ['c2: second 0', 'c1: first 0'],
    unasked: []
  })
})

test('an entry with the results of several calls is shared out; what names no call goes with what is before it', () => {
  const answer = content('a', [block('tool-call', 'c1'), block('tool-call', 'c2')])
  const results = [block('text'), block('tool-result', 'c1'), block('image'), block('tool-result', 'c2', true)]
  expect(paired(answer, [part('both', results)])).toEqual({
    others: [],
    results: ['c1: both 0 1 2', 'c2: both 3'],
    unasked: []
  })
  const found = toolCalls(answer, [part('both', results, [], true)]).results
  expect([...found.values()].map(isFailed)).toEqual([false, true])
})

test('a result without a block says its call in its facts, and failed where its entry did', () => {
  const answer = content('a', [block('tool-call', 'c1')])
  const { results } = toolCalls(answer, [part('empty', [], [['Call', 'c1']], true)])
  expect([...results.values()].map((result) => [result.blocks, isFailed(result)])).toEqual([[[], true]])
})

test('a second result of a call and one of an unknown call are shown for themselves; what has not arrived is passed over', () => {
  const answer = content('a', [block('tool-call', 'c1')])
  const parts = [
    { row: undefined, content: undefined },
    part('first', [block('tool-result', 'c1')]),
    part('again', [block('tool-result', 'c1')]),
    part('lost', [block('tool-result', 'c9')])
  ]
  expect(paired(answer, parts)).toEqual({ others: [], results: ['c1: first 0'], unasked: ['again 0', 'lost 0'] })
})
