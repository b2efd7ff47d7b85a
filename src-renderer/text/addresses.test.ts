import { expect, test } from 'vitest'
import { mayOpen } from './addresses.ts'

test('secure pages may be opened', () => {
  expect(['https://example.org/a?b#c', 'HTTPS://example.org'].map(mayOpen)).toEqual([true, true])
})

test.each([
  'http://example.org',
  'https://me:secret@example.org',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'a.md',
  ''
])('%s may not', (address) => {
  expect(mayOpen(address)).toBe(false)
})
