import { describe, expect, test } from 'vitest'
import type { Listing } from '../format.ts'
import { omp } from './index.ts'

const listing = (files: Readonly<Record<string, string>>): Listing => ({
  path: '/s',
  files: Object.keys(files),
  folders: [],
  below: () => ({ files: [], folders: [] }),
  head: (name) => (files[name] === undefined ? undefined : Buffer.from(files[name]).subarray(0, 65_536))
})
const header = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z"}\n'
const entry =
  '{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"hi"}}\n'

describe('a file is claimed', () => {
  test.each([
    ['with a header', header],
    ['behind a byte order mark', `\ufeff${header}`],
    ["behind omp's title line", `{"type":"title","v":1,"title":"t"}\n${header}`],
    ['behind broken and blank lines', `\n{"type":"sess\n${header}`],
    ['that has a title line alone', '{"type":"title","v":1,"title":"t"}\n'],
    ['behind values that are nothing', `null\n0\n${header}`],
    ['whose header has an id of a wrong kind', header.replace('"s"', '7')],
    ['of the first version', '{"type":"session","id":"s","timestamp":"2025-01-01T00:00:00Z","cwd":"/p"}\n'],
    ['whose header is longer than what is looked at', header.replace('}\n', `,"x":"${'x'.repeat(70_000)}"}\n`)],
    ['whose writer did not come to the end of its header', header.slice(0, 60)],
    ['without a header', entry],
    ['without a header, its first line longer than what is looked at', entry.replace('"hi"', `"${'x'.repeat(70_000)}"`)]
  ])('%s', (_, text) => {
    expect(omp.claim(listing({ 'x.jsonl': text }))).toEqual([
      { files: [{ path: '/s/x.jsonl', role: 'log', framing: 'lines' }], agent: null }
    ])
  })
})

describe('a file is left alone', () => {
  test.each([
    ['of another name', { 'x.log': header }],
    ['of dsh', { 'session.jsonl': '{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}\n' }],
    ['of dsh, its header torn', { 'session.jsonl': '{"type":"session","version":0,"id":"s","createdAt":1' }],
    [
      'of Claude Code',
      { 'x.jsonl': '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}\n' }
    ],
    ['of Codex', { 'x.jsonl': '{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}\n' }],
    ['that begins with a value of another kind', { 'x.jsonl': `[]\n${header}` }],
    ['that is empty', { 'x.jsonl': '' }],
    ['that cannot be read', { 'x.jsonl': '\n' }]
  ])('%s', (_, files) => {
    expect(omp.claim(listing(files as unknown as Record<string, string>))).toEqual([])
  })
})

test('sessions are offered below the home folder, and where the environment says', () => {
  const home = ['/home/me/.pi/agent/sessions', '/home/me/.omp/agent/sessions']
  const places = (env: Record<string, string>) => omp.locate(env, '/home/me').map((place) => place.path)
  expect(places({})).toEqual(home)
  expect(places({ PI_CODING_AGENT_DIR: '~/agents' })).toEqual(['/home/me/agents/sessions', ...home])
})

test('a named agent is kept, one of another format is not', () => {
  expect(omp.force('/x', 'pi').agent).toBe('pi')
  expect(omp.force('/x', 'codex').agent).toBeNull()
})
