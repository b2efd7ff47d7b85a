import { expect, test } from 'vitest'
import { dateGroup, formatTime, formatWhen, startOfDay } from './times.ts'

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

test('by date the last days have groups of their own, and all before them their months', () => {
  const group = (time: string | null) => dateGroup(time, startOfDay(now))
  expect(group(at(2026, 10, 30, 18, 0))).toBe('Today')
  expect(group(at(2026, 10, 29, 0, 0))).toBe('Yesterday')
  expect(group(at(2026, 10, 28, 23, 59))).toBe('Last 7 days')
  expect(group(at(2026, 10, 24, 0, 0))).toBe('Last 7 days')
  expect(group(at(2026, 10, 23, 23, 59))).toBe('November 2026')
  expect(group(at(2025, 10, 30, 12, 0))).toBe('November 2025')
  expect([group(null), group('soon')]).toEqual(['Unknown date', 'Unknown date'])
})
