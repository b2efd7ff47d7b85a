import { expect, test } from 'vitest'
import { NameIndex } from './name-index.ts'

test('each state knows the names that were there when it was made', () => {
  const none = new NameIndex(new Map(), 0)
  const one = none.grown([['a', 0]], 1)
  const two = one.grown([['b', 1]], 2)
  expect([none.has('a'), one.has('a'), one.has('b'), two.get('b')]).toEqual([false, true, false, 1])
  expect([none.size, one.size, two.size]).toEqual([0, 1, 2])
})

test('of a name that comes again the last place counts, and an earlier state keeps its own', () => {
  const one = new NameIndex(new Map([['a', 0]]), 1)
  const two = one.grown(
    [
      ['b', 1],
      ['a', 2]
    ],
    3
  )
  expect([one.get('a'), two.get('a'), one.has('b'), two.size]).toEqual([0, 2, false, 2])
})
