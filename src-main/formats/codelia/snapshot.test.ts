import { expect, test } from 'vitest'
import { snapshotText } from './snapshot.ts'

test('a snapshot is one JSON object on a line, with members in the order in which they are given', () => {
  expect(
    snapshotText({
      schema_version: 1,
      session_id: '11111111-2222-4333-8444-555555555555',
      updated_at: '2026-11-30T01:00:00.000Z',
      messages: [{ role: 'user', content: 'Hello\nthere' }]
    })
  ).toBe(
    '{"schema_version":1,"session_id":"11111111-2222-4333-8444-555555555555","updated_at":"2026-11-30T01:00:00.000Z","messages":[{"role":"user","content":"Hello\\nthere"}]}\n'
  )
})
