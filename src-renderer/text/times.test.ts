import { expect, test } from 'vitest'
import { formatTime, formatWhen } from './times.ts'

const now = new Date(2026, 10, 30, 12, 0, 0).getTime()
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()

test('the last day is told in minutes and hours, older times by date', () => {
  expect(formatWhen(at(2026, 10, 30, 12, 0), now)).toBe('just now')
  expect(formatWhen(at(2026, 10, 30, 11, 58), now)).toBe('2 min ago')
  expect(formatWhen(at(2026, 10, 30, 9, 0), now)).toBe('3 h ago')
  expect(formatWhen(at(2026, 10, 29, 23, 0), now)).toBe('yesterday')
  expect(formatWhen(at(2026, 10, 26, 9, 0), now)).toBe('Nov 26')
  expect(formatWhen(at(2024, 10, 26, 9, 0), now)).toBe('Nov 26, 2024')
})

test('what is a little younger than the clock that it is held against is new', () => {
  expect(formatWhen(new Date(now + 20_000).toISOString(), now)).toBe('just now')
})

test('a time in the future is a date and not a negative age', () => {
  expect(formatWhen(at(2027, 0, 2, 9, 0), now)).toBe('Jan 2, 2027')
  expect(formatWhen(at(2026, 10, 30, 18, 0), now)).toBe('Nov 30')
})

test('no time and an unreadable one are unknown', () => {
  expect([formatWhen(null, now), formatWhen('soon', now), formatTime(null), formatTime('soon')]).toEqual(
    Array.from({ length: 4 }, () => 'unknown')
  )
})
