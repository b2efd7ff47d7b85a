import { expect, test } from 'vitest'
import type { Message } from '#shared/model/message.ts'
import { fatesOf } from './fates-of.ts'

const message = (source: string, text: string, more: Partial<Message> = {}): Message => ({
  kind: 'message',
  role: 'user',
  text,
  blocks: [{ type: 'text', text }],
  stopReason: null,
  tokens: 1,
  tokensSource: 'estimated',
  sources: [source],
  ...more
})
const result = (source: string, callId: string, text: string) =>
  message(source, text, { role: 'toolResult', callId, isError: false })
const nothing = () => false

test('the same entry with the same content is kept, with other content rewritten, on both sides', () => {
  const before = [message('a', 'one'), message('b', 'two')]
  const after = [message('b', 'less'), message('a', 'one')]
  expect(fatesOf(before, after, nothing)).toMatchObject({ before: ['kept', 'rewritten'], after: ['rewritten', 'kept'] })
})

test('of an answer that is stored as several messages, each stands for itself', () => {
  const thought = message('a', '', { role: 'reasoning' })
  const answer = message('a', 'said', { role: 'assistant' })
  expect(fatesOf([thought, answer], [answer], () => true)).toMatchObject({
    before: ['summarised', 'kept'],
    after: ['kept']
  })
})

test('another result of the same call stands for it, rewritten even where it says the same', () => {
  const before = [result('a', 'call', 'long'), result('b', 'other', 'same')]
  const after = [result('pruned', 'call', 'short'), result('copy', 'other', 'same')]
  expect(fatesOf(before, after, nothing)).toMatchObject({
    before: ['rewritten', 'rewritten'],
    after: ['rewritten', 'rewritten']
  })
})

test('a result that is the one block of its message is another result of the same call', () => {
  const wrapped = (source: string, text: string): Message =>
    message(source, text, { blocks: [{ type: 'tool-result', callId: 'call', isError: false, text }] })
  const before = [message('a', 'hi'), wrapped('b', 'long')]
  expect(fatesOf(before, [message('a', 'hi'), wrapped('c', 'short')], nothing)).toEqual({
    before: ['kept', 'rewritten'],
    after: ['kept', 'rewritten'],
    partners: Int32Array.of(0, 1)
  })
})

test('an entry is found before a call is looked for', () => {
  const before = [result('a', 'call', 'one'), result('b', 'call', 'two')]
  expect(fatesOf(before, [result('b', 'call', 'two')], nothing)).toMatchObject({
    before: ['dropped', 'kept'],
    after: ['kept']
  })
})

test('what is gone is summarised inside the range of the summary and dropped outside of it', () => {
  const before = [message('a', 'one'), message('b', 'two')]
  const after = [message('k', 'so far', { kind: 'compaction-summary', role: 'compactionSummary' })]
  expect(fatesOf(before, after, (source) => source === 'a')).toMatchObject({
    before: ['summarised', 'dropped'],
    after: ['added']
  })
})

test('messages of one entry and one kind belong together in their order', () => {
  const before = [message('a', 'one'), message('a', 'two')]
  expect(fatesOf(before, [message('a', 'one')], nothing)).toMatchObject({
    before: ['kept', 'dropped'],
    after: ['kept']
  })
})

test('a message that is no longer sent counts as rewritten', () => {
  expect(fatesOf([message('a', 'one')], [message('a', 'one', { sent: false })], nothing).before).toEqual(['rewritten'])
})
