import { expect, test } from 'vitest'
import { plainFileName, proposedName } from './file-name.ts'

test.each(['a.jsonl', 'Session of today (2).jsonl', '.hidden', 'naïve 漢字.jsonl'])('%s is a file name', (name) => {
  expect(plainFileName(name)).toBe(name)
})

test.each([
  '',
  '.',
  '..',
  '../a',
  'a/b',
  '/etc/passwd',
  'a\\b',
  'a\0b',
  'a\nb',
  'c:d',
  'end.',
  'end ',
  'x'.repeat(256)
])('%j is refused', (name) => {
  expect(() => plainFileName(name)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
})

test('the proposed name is the source’s, with the entry where only a path is exported', () => {
  expect(proposedName('/s/2026.jsonl', null)).toBe('2026.jsonl')
  expect(proposedName('/s/2026.jsonl', 'a1')).toBe('2026-a1.jsonl')
  expect(plainFileName(proposedName(`/s/${'x'.repeat(250)}`, '../../etc\0/passwd'))).toBeTruthy()
})
