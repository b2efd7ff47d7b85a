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
  expect(proposedName('/s/2026.jsonl', null, 'jsonl', false)).toBe('2026.jsonl')
  expect(proposedName('/s/2026.jsonl', 'a1', 'jsonl', false)).toBe('2026-a1.jsonl')
  const longest = proposedName(`/s/${'x'.repeat(250)}`, `../../etc\0/passwd${'x'.repeat(90)}`, 'normalized', true)
  expect(plainFileName(longest)).toBeTruthy()
})

test('the proposed name says what is no copy of the source', () => {
  expect(proposedName('/s/2026.jsonl', null, 'jsonl', true)).toBe('2026.redacted.jsonl')
  expect(proposedName('/s/2026.jsonl', 'a1', 'normalized', false)).toBe('2026-a1.normalized.jsonl')
  expect(proposedName('/s/2026.jsonl', null, 'markdown', false)).toBe('2026.md')
  expect(proposedName('/s/2026.jsonl', null, 'html', true)).toBe('2026.redacted.html')
})

test('lines that were compressed, or stood in one document, have the ending of lines', () => {
  expect(proposedName('/s/session.v3.jsonl.zstd', null, 'jsonl', false)).toBe('session.v3.jsonl')
  expect(proposedName('/s/session.jsonl.zstd', '22', 'jsonl', false)).toBe('session-22.jsonl')
  expect(proposedName('/s/session.jsonl.zstd', '22', 'markdown', false)).toBe('session-22.md')
  expect(proposedName('/s/state.json', null, 'jsonl', false)).toBe('state.json')
  expect(proposedName('/s/state.json', 'm4', 'jsonl', false)).toBe('state-m4.jsonl')
})
