import { expect, test } from 'vitest'
import { placeOf } from './faults.ts'

test('a fault says its place as far as it has one', () => {
  expect([
    placeOf({ line: 12, offset: 204_811, length: 2330 }),
    placeOf({ line: 12, offset: 204_811, length: null }),
    placeOf({ line: 1200, offset: null, length: null }),
    placeOf({ line: null, offset: null, length: null })
  ]).toEqual(['line 12, 204,811 + 2,330 bytes', 'line 12, at byte 204,811', 'line 1,200', 'the whole file'])
})
