import { describe, expect, test } from 'vitest'
import type { Listing } from './format.ts'
import { unsupportedStore } from './unsupported.ts'

function listing(path: string, files: Readonly<Record<string, string | Buffer>>): Listing {
  return {
    path,
    files: Object.keys(files),
    folders: [],
    below: () => ({ files: [], folders: [] }),
    head: (name) => (files[name] === undefined ? undefined : Buffer.from(files[name]))
  }
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`

describe('a store that is known but cannot be read yet', () => {
  test.each([
    [
      'claude-code',
      '/p/-home-user',
      {
        'a.jsonl':
          line({ type: 'queue-operation' }) +
          line({ type: 'user', sessionId: 's', uuid: 'u', message: { role: 'user' } })
      }
    ],
    [
      'codex',
      '/sessions/2026/11/30',
      { 'rollout-1.jsonl': line({ timestamp: 't', type: 'session_meta', payload: { id: 'x' } }) }
    ],
    [
      'codex',
      '/old',
      { 'rollout-2.jsonl': line({ id: 'x', timestamp: 't', instructions: null }) + line({ record_type: 'state' }) }
    ],
    ['codex', '/sessions/2026/11/30', { 'rollout-3.jsonl.zst': Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04]) }]
  ] as const)('is seen as %s in %s', (agent, path, files) => {
    expect(unsupportedStore(listing(path, files as unknown as Record<string, string>))).toBe(agent)
  })

  test.each([
    ['a pi session', { 'a.jsonl': line({ type: 'session', id: 'x', timestamp: '2026-01-01T00:00:00Z' }) }],
    ['lines of some other program', { 'a.jsonl': line({ level: 'info', message: 'started' }) }],
    ['a message list in some other place', { 'a.jsonl': line({ role: 'user', content: 'hi' }) }],
    ['settings', { 'package.json': '{"name":"x"}', 'notes.txt': 'x' }],
    ['a file that cannot be read', { 'rollout-3.jsonl.zst': '' }],
    ['an empty folder', {}]
  ])('is not seen in %s', (_, files) => {
    expect(unsupportedStore(listing('/somewhere', files as unknown as Record<string, string>))).toBeNull()
  })
})
