import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endAfterLastWindow } from './last-window.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('the app ends when no window has been there for the time of grace', () => {
  const end = vi.fn<() => void>()
  const windows = endAfterLastWindow(10_000, end)
  windows(1)
  windows(0)
  vi.advanceTimersByTime(9999)
  expect(end).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(end).toHaveBeenCalledOnce()
})

test('a reload and a second window keep it', () => {
  const end = vi.fn<() => void>()
  const windows = endAfterLastWindow(10_000, end)
  for (const count of [1, 0, 1, 2, 1]) {
    windows(count)
    vi.advanceTimersByTime(9000)
  }
  vi.advanceTimersByTime(60_000)
  expect(end).not.toHaveBeenCalled()
})
