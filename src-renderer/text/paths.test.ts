import { expect, test } from 'vitest'
import { shortPaths } from './paths.ts'

test('paths are shown without the folders that they share', () => {
  expect(shortPaths(['/home/me/s/messages/a.jsonl', '/home/me/s/runs/b.jsonl', '/home/me/s/state.db'])).toEqual([
    'messages/a.jsonl',
    'runs/b.jsonl',
    'state.db'
  ])
  expect(shortPaths(['C:\\s\\a.jsonl', 'C:\\s\\ab.jsonl'])).toEqual(['a.jsonl', 'ab.jsonl'])
  expect(shortPaths([])).toEqual([])
  expect(shortPaths(['/home/me/a.jsonl'])).toEqual(['a.jsonl'])
})
