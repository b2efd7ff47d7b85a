import { expect, test } from 'vitest'
import type { MessageDraft } from '#main/formats/format.ts'
import { buildContext, contextTokens } from './build-context.ts'
import { tokenEstimate } from './estimate-tokens.ts'

const message = (more: Partial<MessageDraft>): MessageDraft => ({
  kind: 'message',
  role: 'user',
  text: '',
  blocks: [],
  stopReason: null,
  recordedTokens: null,
  sources: ['a'],
  ...more
})

const build = (messages: MessageDraft[]) =>
  buildContext(
    { entry: 'a', model: null, thinking: null, messages, omitted: [], faults: [] },
    [{ path: '/s/a.jsonl' }],
    tokenEstimate()
  )

test('a recorded figure is kept and said to be recorded', async () => {
  const { messages } = await build([
    message({ recordedTokens: 7 }),
    message({ blocks: [{ type: 'text', text: 'hello world' }] })
  ])
  expect(messages.map(({ tokens, tokensSource }) => [tokens, tokensSource])).toEqual([
    [7, 'recorded'],
    [2, 'estimated']
  ])
})

test('texts and compact arguments are counted, images are not', async () => {
  const { messages } = await build([
    message({
      blocks: [
        { type: 'thinking', text: 'hello world' },
        { type: 'tool-call', id: '1', name: 'read', arguments: { path: 'a' } },
        { type: 'image', mimeType: 'image/png', bytes: 5000 }
      ]
    })
  ])
  // {"path":"a"} is 5 tokens: {" path ":" a "}
  expect(messages[0]?.tokens).toBe(2 + 5)
})

test('the sum leaves out what is not sent', async () => {
  const context = await build([message({ recordedTokens: 7 }), message({ recordedTokens: 9, sent: false })])
  expect(contextTokens(context)).toBe(7)
})

test('arguments nested beyond all reason do not end the request', async () => {
  const nested: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  const context = await build([message({ blocks: [{ type: 'tool-call', id: '1', name: 'x', arguments: nested }] })])
  expect(context.messages[0]?.blocks[0]).toMatchObject({ arguments: '[nested more than 500 levels deep]' })
  expect(() => structuredClone(context)).not.toThrow()
})
