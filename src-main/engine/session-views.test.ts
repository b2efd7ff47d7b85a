import { expect, test } from 'vitest'
import type { StoredSession } from '#main/index/types.ts'
import { storedRow } from './session-views.ts'

test('a session is live for a minute, and not for years where a clock was wrong', () => {
  const now = Date.UTC(2026, 0, 1)
  const isLive = (modified: number) =>
    storedRow({ summary: {}, files: [{ modified: 0 }, { modified }] } as unknown as StoredSession, {}, now).live
  expect([0, 59, 61].map((seconds) => isLive(now - seconds * 1000))).toEqual([true, true, false])
  expect(isLive(now + 30_000)).toBe(true)
  expect(isLive(Date.UTC(2099, 0, 1))).toBe(false)
})
