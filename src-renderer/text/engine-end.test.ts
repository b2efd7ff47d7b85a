import { expect, test } from 'vitest'
import { causeOfEnd } from './engine-end.ts'

test('says which part has ended and why', () => {
  expect(causeOfEnd({ role: 'writer', why: { kind: 'memory' } })).toBe(
    'The part of Treeline that reads session files ran out of memory.'
  )
  expect(causeOfEnd({ role: 'reader', why: { kind: 'bug', id: 'bug-1f' } })).toBe(
    'The part of Treeline that answers this window ended by a mistake (bug-1f, see the log).'
  )
})
