import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Context, Message } from '#shared/model/message.ts'
import { compareContexts, prefixLength } from './compare-contexts.ts'

const message = (source: string, text: string, role = 'user'): Message => ({
  kind: 'message',
  role,
  text,
  blocks: [{ type: 'text', text }],
  stopReason: null,
  tokens: text.length,
  tokensSource: 'estimated',
  sources: [source]
})
const context = (...messages: Message[]): Context => ({
  entry: null,
  model: null,
  thinking: null,
  messages,
  omitted: [],
  faults: []
})

test('what both begin with is common, and each end stands for itself', () => {
  const one = context(message('a', 'hello'), message('b', 'left'))
  const other = context(message('a', 'hello'), message('c', 'right'), message('d', 'more'))
  const rows = compareContexts(one, other)
  expect(rows).toEqual([
    { kind: 'common', left: 0, right: 0 },
    { kind: 'left', left: 1 },
    { kind: 'right', right: 1 },
    { kind: 'right', right: 2 }
  ])
  expect(prefixLength(rows)).toBe(1)
})

test('the same entry with other content is changed, and what follows it can still be common', () => {
  const rows = compareContexts(
    context(message('a', 'whole'), message('b', 'same')),
    context(message('a', 'cut'), message('b', 'same'))
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['changed', 'common'])
  expect(prefixLength(rows)).toBe(0)
})

test('the system message and the summary of one compaction are two messages', () => {
  const compacted = context(message('c', 'be brief', 'system'), message('c', 'it was long', 'compactionSummary'))
  expect(compareContexts(compacted, compacted).map(({ kind }) => kind)).toEqual(['common', 'common'])
  expect(compareContexts(compacted, context(compacted.messages[1]!))).toEqual([
    { kind: 'left', left: 0 },
    { kind: 'common', left: 1, right: 0 }
  ])
})

test('contexts that share no entry are compared by what the messages say', () => {
  const saved = [message('m1', 'hello'), message('m2', 'yes?', 'assistant'), message('m3', 'go on')]
  const rows = compareContexts(
    context(message('r:1', 'be brief', 'system'), message('r:2', 'hello'), message('r:3', 'yes?', 'assistant')),
    context(...saved)
  )
  expect(rows).toEqual([
    { kind: 'left', left: 0 },
    { kind: 'common', left: 1, right: 0 },
    { kind: 'common', left: 2, right: 1 },
    { kind: 'right', right: 2 }
  ])
  const other = context(message('a', 'hello'), message('b', 'hello'))
  expect(compareContexts(context(message('a', 'hello'), message('c', 'hello')), other).map(({ kind }) => kind)).toEqual(
    ['common', 'left', 'right']
  )
})

test('messages in another order keep the order of both sides', () => {
  const [a, b, c] = [message('a', '1'), message('b', '2'), message('c', '3')]
  expect(compareContexts(context(a, b, c), context(b, c, a)).map(({ kind }) => kind)).toEqual([
    'left',
    'common',
    'common',
    'right'
  ])
})

describe('for any two contexts', () => {
  const anyContext = fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.constantFrom('one', 'two')), { maxLength: 12 })
    .map((drafts) => context(...drafts.map(([source, text]) => message(source, text))))

  test('each message of a side is in exactly one row, in its order', () => {
    fc.assert(
      fc.property(anyContext, anyContext, (left, right) => {
        const rows = compareContexts(left, right)
        expect(rows.flatMap((row) => (row.kind === 'right' ? [] : [row.left]))).toEqual([...left.messages.keys()])
        expect(rows.flatMap((row) => (row.kind === 'left' ? [] : [row.right]))).toEqual([...right.messages.keys()])
      })
    )
  })

  test('common rows are of the same entry and text, changed ones of the same entry only; without a shared entry rows are common by text', () => {
    const isOfSameEntry = (one: Message, other: Message) =>
      one.kind === other.kind && one.role === other.role && one.sources[0] === other.sources[0]
    fc.assert(
      fc.property(anyContext, anyContext, (left, right) => {
        const share = left.messages.some((one) => right.messages.some((other) => isOfSameEntry(one, other)))
        for (const row of compareContexts(left, right)) {
          if (row.kind === 'left' || row.kind === 'right') continue
          const [one, other] = [left.messages[row.left]!, right.messages[row.right]!]
          expect(isOfSameEntry(one, other)).toBe(share)
          expect(one.text === other.text).toBe(row.kind === 'common')
        }
      })
    )
  })

  test('as many messages belong together from the left as from the right', () => {
    const together = (one: Context, other: Context) =>
      compareContexts(one, other).filter(({ kind }) => kind === 'common' || kind === 'changed').length
    fc.assert(fc.property(anyContext, anyContext, (left, right) => together(left, right) === together(right, left)))
  })

  test('a context is its own prefix', () => {
    fc.assert(
      fc.property(anyContext, (one) => {
        expect(prefixLength(compareContexts(one, one))).toBe(one.messages.length)
      })
    )
  })
})
