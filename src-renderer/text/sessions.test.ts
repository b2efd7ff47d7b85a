import { expect, test } from 'vitest'
import { projectOf, titleOf } from './sessions.ts'

test('a project is named by the last segment of its folder, with either slash', () => {
  expect(projectOf({ cwd: '/home/a/my_proj.dev', file: '/s/x/a.jsonl' })).toBe('my_proj.dev')
  expect(projectOf({ cwd: 'C:\\work\\pay\\', file: 'C:\\s\\a.jsonl' })).toBe('pay')
})

test('an unknown folder is never guessed from an encoded name', () => {
  expect(projectOf({ cwd: null, file: '/s/--home-a-b--/a.jsonl' })).toBe('--home-a-b--')
})

test('a session without a title is named by its id', () => {
  expect(titleOf({ title: null, id: 'f2' })).toBe('Untitled f2')
})
