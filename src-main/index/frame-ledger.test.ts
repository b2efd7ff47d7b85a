import { expect, test } from 'vitest'
import { frameLedger } from './frame-ledger.ts'

const line = (offset: number, length: number, isFault: 0 | 1 = 0) => ({ offset, length, isFault })

test('frames of good lines are entries, those with a bad one faults', () => {
  expect(frameLedger([line(0, 10), line(10, 20, 0), line(10, 20, 1), line(30, 5)], 35)).toEqual({
    entry: 15,
    fault: 20,
    blank: 0
  })
})

test('frames that a line runs through count once, together', () => {
  expect(frameLedger([line(0, 10), line(0, 30, 1), line(20, 10), line(30, 2)], 32)).toEqual({
    entry: 2,
    fault: 30,
    blank: 0
  })
})

test('what holds no line is blank', () => {
  expect(frameLedger([line(8, 10)], 20)).toEqual({ entry: 10, fault: 0, blank: 10 })
  expect(frameLedger([], 6)).toEqual({ entry: 0, fault: 0, blank: 6 })
})
