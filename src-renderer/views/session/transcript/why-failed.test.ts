import { expect, test } from 'vitest'
import { whyFailed } from './why-failed.ts'

test('an error says more than how an answer ended', () => {
  const ended = ['Stop reason', 'error'] as const
  expect(whyFailed([ended, ['Error', '429 rate_limit_error']])).toBe('429 rate_limit_error')
  expect(whyFailed([ended])).toBe('error')
})

test('a command failed by its exit code, which is more than a number', () => {
  expect(whyFailed([['Exit code', '1']])).toBe('exit 1')
})

test('nothing is said where nothing is known', () => {
  expect(whyFailed([['Time', '30 Nov 2026']])).toBeUndefined()
})
