import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assistantLine, eventLine, newSessionId, toolResultsLine, userLine } from './write.ts'

test('events have their members in the order of the bash writer, whatever order they are given in', () => {
  expect(eventLine({ input: { b: 1, a: 'x' }, id: 'c1', name: 'Read', type: 'tool_call' })).toBe(
    '{"type":"tool_call","name":"Read","id":"c1","input":{"b":1,"a":"x"}}\n'
  )
  expect(
    eventLine({
      type: 'usage',
      kind: 'agent',
      cache_creation_input_tokens: 4,
      cache_read_input_tokens: 3,
      output_tokens: 2,
      input_tokens: 1
    })
  ).toBe(
    '{"type":"usage","input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":4,"kind":"agent"}\n'
  )
  expect(eventLine({ type: 'retry' })).toBe('{"type":"retry"}\n')
})

test('an answer has its thinking and its text first, also where they are empty', () => {
  expect(
    assistantLine({ thinking: '', text: 'Hi.', calls: [{ id: 'c1', name: 'Bash', input: { command: 'ls' } }] })
  ).toBe(
    '{"role":"assistant","content":[{"type":"thinking","thinking":""},{"type":"text","text":"Hi."},{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"ls"}}]}\n'
  )
})

test('prompts and results are lines of the user', () => {
  expect(userLine('one\ntwo')).toBe('{"role":"user","content":"one\\ntwo"}\n')
  expect(toolResultsLine([{ id: 'c1', content: 'ok' }])).toBe(
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"ok"}]}\n'
  )
})

test('only what must be is escaped, other control characters by number', () => {
  expect(userLine('\\ " \n \r \t \b \f \u001b[31m \u0000 / \u007f é 日本 \u2028')).toBe(
    '{"role":"user","content":"\\\\ \\" \\n \\r \\t \\b \\f \\u001b[31m \\u0000 / \u007f é 日本 \u2028"}\n'
  )
})

test('any text is one line and comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = eventLine({ type: 'text', content: text })
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(JSON.parse(line)).toEqual({ type: 'text', content: text })
    })
  )
})

test('a session is named by its local time and four hex digits', () => {
  expect(newSessionId(new Date(2026, 4, 6, 1, 2, 3))).toMatch(/^20260506-010203-[\da-f]{4}$/)
})
