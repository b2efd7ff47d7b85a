import { expect, test } from 'vitest'
import { speakerOf } from './speakers.ts'

test('in messages, requests and answers the one speaks who has the role', () => {
  expect(speakerOf('message', 'user', null).name).toBe('You')
  expect(speakerOf('response', 'assistant', null)).toEqual({ name: 'Assistant', tone: 'assistant' })
  expect(speakerOf('message', 'system', null)).toEqual({ name: 'System', tone: 'plain' })
  expect(speakerOf('message', 'developer', null)).toEqual({ name: 'developer', tone: 'plain' })
  expect(speakerOf('request', null, null).name).toBe('Request')
})

test('a tool speaks under its name, and as a tool until that is known, whoever is said to bring the result', () => {
  expect(speakerOf('tool-result', 'user', 'bash')).toEqual({ name: 'bash', tone: 'tool' })
  expect(speakerOf('tool-result', 'user', null)).toEqual({ name: 'Tool', tone: 'tool' })
  expect(speakerOf('message', 'toolResult', null)).toEqual({ name: 'Tool', tone: 'tool' })
})

test('what is only logged or put in by a program is nobody’s word, and a compaction is one whatever it rewrites', () => {
  expect(speakerOf('event', 'assistant', null).name).toBe('Event')
  expect(speakerOf('custom', 'user', null).name).toBe('Custom')
  expect(speakerOf('compaction', 'tool', 'bash')).toEqual({ name: 'Compaction', tone: 'compaction' })
})
