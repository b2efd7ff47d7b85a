import { expect, test } from 'vitest'
import { projectOf, projectPathOf, shortId, titleOf } from './sessions.ts'

test('a project is named by the last segment of its folder, with either slash', () => {
  expect(projectOf({ cwd: '/home/a/my_proj.dev', file: '/s/x/a.jsonl', id: 'a' })).toBe('my_proj.dev')
  expect(projectOf({ cwd: 'C:\\work\\pay\\', file: 'C:\\s\\a.jsonl', id: 'a' })).toBe('pay')
})

test('an unknown folder is never guessed from an encoded name', () => {
  expect(projectOf({ cwd: null, file: '/s/--home-a-b--/a.jsonl', id: 'a' })).toBe('--home-a-b--')
})

test('a session that is a folder of its own belongs to the folder above', () => {
  const session = { cwd: null, file: '/p/-home-a-b/20260506-1234/conversation.jsonl', id: '20260506-1234' }
  expect(projectPathOf(session)).toBe('/p/-home-a-b')
  expect(projectOf(session)).toBe('-home-a-b')
})

test('a session without a title is named by its id', () => {
  expect(titleOf({ title: null, id: 'f2' })).toBe('Untitled f2')
})

test('an id is as short as tells it from others, and never shorter than 8 characters', () => {
  expect(shortId('0199f000-1111', [])).toBe('0199f000')
  expect(shortId('0199f000-1111', ['0199f000-1111', '0199f000-1211'])).toBe('0199f000-11')
  expect(shortId('tiny', ['tiny-two'])).toBe('tiny')
})
