import { expect, test } from 'vitest'
import { InternalError, Refusal } from '#shared/contract/refusal.ts'
import { failureOf } from './failures.ts'

test('a refusal keeps its words and its file under a title of ours', () => {
  const refusal = new Refusal('not-found', 'It was moved. Open its folder again.', { file: '/s/a.jsonl' })
  expect(failureOf(refusal)).toEqual({
    title: 'The file is gone',
    message: 'It was moved. Open its folder again.',
    file: '/s/a.jsonl'
  })
})

test('an entry that is gone is not told as a file that is gone', () => {
  const message = '/s/a.jsonl has no entry e9. Choose one that it has.'
  const refusal = new Refusal('not-found', message, { file: '/s/a.jsonl', entry: 'e9' })
  expect(failureOf(refusal)).toEqual({
    title: 'The entry is gone',
    message: 'It has no entry e9. Choose one that it has.',
    file: '/s/a.jsonl'
  })
})

test('a refusal does not tell twice which file it is about', () => {
  const refusal = new Refusal('read-only', '/s/a.jsonl cannot be written: no space is left.', { file: '/s/a.jsonl' })
  expect(failureOf(refusal).message).toBe('It cannot be written: no space is left.')
})

test('a bug shows the id under which the log has it', () => {
  expect(failureOf(new InternalError('b-17', 'Treeline made a mistake.')).title).toContain('b-17')
})

test('any other error is shown as it is', () => {
  expect(failureOf(new Error('odd'))).toEqual({ title: 'Something went wrong', message: 'odd', file: null })
})
