import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '#shared/model/records.ts'
import { Display } from './display.ts'

function shown(...events: JsonObject[]): Display['messages'] {
  const display = new Display()
  events.forEach((event, at) => display.push(event, at * 100))
  return display.messages
}
const words = (...events: JsonObject[]) => shown(...events).map(({ turn, kind, text }) => [turn, kind, text])
const text = (content: string) => ({ type: 'text', content })
const thinking = (content: string) => ({ type: 'thinking', content })
const prompt = (content: string) => ({ type: 'user_input', content })
const call = { type: 'tool_call', name: 'Bash', id: 'c', input: { command: 'ls' } }
const result = { type: 'tool_result', tool_use_id: 'c', name: 'Bash', content: 'a.ts' }
const stop = { type: 'stop', reason: 'end_turn' }

test('token events run together, and what stands between them unseen does not part them', () => {
  expect(
    words(
      prompt('go'),
      thinking('Let '),
      thinking('me.'),
      text('Yes'),
      { type: 'sub_agent_start' },
      text(', sir.'),
      stop
    )
  ).toEqual([
    [1, 'user', 'go'],
    [1, 'thinking', 'Let me.'],
    [1, 'text', 'Yes, sir.']
  ])
  expect(words(text('one'), call, text('two'), stop, text('three'))).toEqual([
    [0, 'text', 'one'],
    [0, 'tool-call', '{\n  "command": "ls"\n}'],
    [0, 'text', 'two'],
    [0, 'text', 'three']
  ])
})

test('a message lies where its first event does', () => {
  expect(shown(prompt('go'), text('a'), text('b'), call).map(({ offset }) => offset)).toEqual([0, 100, 300])
})

test('calls and results name their tool, and a long result is cut to 200 characters', () => {
  const long = { ...result, content: `${'x'.repeat(200)}y` }
  expect(shown(call, result, long).map((message) => [message.kind, message.tool, message.text.length])).toEqual([
    ['tool-call', 'Bash', 21],
    ['tool-result', 'Bash', 4],
    ['tool-result', 'Bash', 203]
  ])
  expect(shown(long)[0]?.text).toBe(`${'x'.repeat(200)}...`)
})

test('a retry takes back what its call of the model showed, with calls and results, and nothing before', () => {
  const retry = { type: 'retry' }
  expect(words(prompt('go'), thinking('hm'), text('part'), call, result, retry, text('whole'), stop)).toEqual([
    [1, 'user', 'go'],
    [1, 'text', 'whole']
  ])
  expect(words(text('one'), stop, text('two'), retry)).toEqual([[0, 'text', 'one']])
  expect(words(text('one'), { type: 'usage', kind: 'compact' }, text('two'), retry)).toEqual([[0, 'text', 'one']])
  expect(words(text('one'), { type: 'context_update', kind: 'compact' }, retry)).toEqual([[0, 'text', 'one']])
  expect(words(text('one'), { type: 'usage', kind: 'agent' }, retry)).toEqual([])
  expect(words(text('a'), { type: 'error', message: 'overloaded' }, retry, text('b'))).toEqual([
    [0, 'error', 'overloaded'],
    [0, 'text', 'b']
  ])
})

test('results of sub-agents and errors are shown; all other types are passed over', () => {
  const subAgent = { type: 'sub_agent_result', session_id: 'sub_1', status: 'ok', input_tokens: 7, output_tokens: 9 }
  expect(
    words(
      { type: 'session_start', session_id: 's' },
      { ...subAgent, thinking: '', text: 'scanned' },
      { type: 'sub_agent_end', session_id: 'sub_1' },
      { type: 'image_describe', images: '[Image #1]', content: 'A square.' },
      { type: 'brand_new', content: 'x' },
      { type: 'error', message: 'overloaded' }
    )
  ).toEqual([
    [0, 'custom', '[sub-agent sub_1] ok (in=7, out=9)\nText: scanned'],
    [0, 'error', 'overloaded']
  ])
})

test('answers of older agents are one event each', () => {
  const calls = [{ name: 'Bash', id: 't1', input: {} }, 'x']
  expect(
    words({ type: 'user_message', content: 'old' }, { type: 'assistant_message', text: 'reply', tool_calls: calls })
  ).toEqual([
    [1, 'user', 'old'],
    [1, 'text', 'reply'],
    [1, 'tool-call', '{}']
  ])
})

test('no event makes it throw, and what is shown while events come is what is shown at the end', () => {
  const types = ['text', 'thinking', 'tool_call', 'tool_result', 'stop', 'retry', 'error', 'user_input', 'usage', 'x']
  const event = fc.record(
    {
      type: fc.constantFrom(...types, 'assistant_message', 'sub_agent_result'),
      content: fc.anything({ maxDepth: 1 }),
      text: fc.anything({ maxDepth: 1 }),
      input: fc.json().map((json) => JSON.parse(json) as never),
      tool_calls: fc.anything()
    },
    { requiredKeys: ['type'] }
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      const live = new Display()
      events.forEach((one, at) => {
        live.push(one as JsonObject, at * 100)
        expect(live.messages).toEqual(shown(...(events.slice(0, at + 1) as JsonObject[])))
      })
    })
  )
})
