import { expect, test } from 'vitest'
import { parseStats, titleLine, updatedStats } from './stats.ts'

const now = new Date('2026-05-06T12:34:56.789Z')

const written =
  '{"current_turn_count":3,"agent_request_count":1234,"compact_request_count":1,"total_input_tokens":1000,"total_output_tokens":56789,"total_cache_read_tokens":7000,"total_cache_creation_tokens":20,"current_context_tokens":1234567,"sub_agent_request_count":2,"last_updated":"2026-05-06T12:34:56Z"}\n'

test('reads what the agent writes', () => {
  expect(parseStats(written)).toEqual({
    current_turn_count: 3,
    agent_request_count: 1234,
    compact_request_count: 1,
    total_input_tokens: 1000,
    total_output_tokens: 56789,
    total_cache_read_tokens: 7000,
    total_cache_creation_tokens: 20,
    current_context_tokens: 1234567,
    sub_agent_request_count: 2,
    last_call_speed_tok_per_sec: null,
    last_updated: '2026-05-06T12:34:56Z'
  })
})

test('every counter may be missing or a string, and what is no count is unknown', () => {
  expect(parseStats('{"total_input_tokens":"12","total_output_tokens":-1,"current_turn_count":"x"}')).toMatchObject({
    total_input_tokens: 12,
    total_output_tokens: null,
    current_turn_count: null,
    agent_request_count: null,
    last_updated: null
  })
})

test('an empty file says nothing, and what is no object is none', () => {
  expect(Object.values(parseStats('\n') ?? { missing: true }).every((value) => value === null)).toBe(true)
  for (const text of ['[]', '{"current_turn_count":', 'null', '12']) expect(parseStats(text)).toBeNull()
})

test('key=+n adds to a counter, and what is not named stays', () => {
  const after = updatedStats(written, ['agent_request_count=+1', 'total_input_tokens=+500'], now)
  expect(after).toBe(written.replace('1234,', '1235,').replace(':1000,', ':1500,'))
})

test('key=value replaces', () => {
  const after = updatedStats(written, ['current_context_tokens=42', 'note=so far'], now)
  expect(JSON.parse(after)).toMatchObject({ current_context_tokens: 42, note: 'so far', agent_request_count: 1234 })
})

test('a counter that is named twice takes both changes, and one stored as a string is added to as a number', () => {
  const after = updatedStats('{"current_turn_count":"4"}', ['current_turn_count=+1', 'current_turn_count=+2'], now)
  expect(after).toBe('{"current_turn_count":7,"last_updated":"2026-05-06T12:34:56Z"}\n')
})

test('an empty file gets every counter in the order of the agent', () => {
  expect(updatedStats('', ['total_output_tokens=+5'], now)).toBe(
    '{"current_turn_count":0,"agent_request_count":0,"compact_request_count":0,"total_input_tokens":0,"total_output_tokens":5,"total_cache_read_tokens":0,"total_cache_creation_tokens":0,"current_context_tokens":0,"sub_agent_request_count":0,"last_updated":"2026-05-06T12:34:56Z"}\n'
  )
})

test('a change of another form is refused, and so is a text that is no object', () => {
  for (const change of ['total_input_tokens', '=1', 'a b=1', 'total_input_tokens=+x', 'total_input_tokens=+-1']) {
    expect(() => updatedStats(written, [change], now)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
  }
  expect(() => updatedStats('[', ['a=+1'], now)).toThrow(expect.objectContaining({ code: 'unsupported' }))
})

test('the title shows turns, requests, input with its share from the cache, output, context and speed', () => {
  const stats = parseStats(written.replace('{', '{"last_call_speed_tok_per_sec":87,'))!
  expect(titleLine(stats, 'large-1', true)).toBe('large-1 T:3 R:1,234 I:8,000(88%) O:56,789 C:1,234,567 S:87tok/s')
  expect(titleLine(stats, 'large-1', false)).toMatch(/^⏳ large-1 T:3 /)
})

test('the share is rounded as printf does, and is a dash where nothing was sent', () => {
  const share = (input: number, read: number) =>
    titleLine(parseStats(`{"total_input_tokens":${input},"total_cache_read_tokens":${read}}`)!, 'm', true)
  expect(share(7, 1)).toContain('(12%)')
  expect(share(5, 3)).toContain('(38%)')
  expect(share(0, 3)).toContain('(100%)')
  expect(share(0, 0)).toBe('m T:0 R:0 I:0(—) O:0 C:0 S:0tok/s')
})
