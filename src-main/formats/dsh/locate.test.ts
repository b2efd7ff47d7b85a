import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Listing } from '../format.ts'
import { readSession } from '../testing.ts'
import { dsh } from './index.ts'
import { claimDsh, generationsIn, locateDsh, versionOfName } from './locate.ts'
import * as log from './log-testing.ts'

const folder = '/home/me/.dsh/sessions/--home-user-project--/made'

const listing = (files: Readonly<Record<string, string | Buffer>>): Listing => ({
  path: folder,
  files: Object.keys(files),
  folders: [],
  below: () => ({ files: [], folders: [] }),
  head: (name) => (files[name] === undefined ? undefined : Buffer.from(files[name]).subarray(0, 65_536))
})

const claimed = (files: Readonly<Record<string, string | Buffer>>) =>
  claimDsh(listing(files)).map(({ files: [main], beside }) => [
    main.path.slice(folder.length + 1),
    main.framing,
    beside
  ])

const header = (version = 0) => log.logText(log.headerOf(version), [])

test('sessions are kept below the home of dsh, wherever that is', () => {
  expect(locateDsh({}, '/home/me').map(({ path }) => path)).toEqual(['/home/me/.dsh/sessions'])
  expect(locateDsh({ DSH_HOME: '~/d' }, '/home/me').map(({ path }) => path)).toEqual(['/home/me/d/sessions'])
})

test.each([
  ['session.jsonl', 0],
  ['session.jsonl.zstd', 0],
  ['session.v3.jsonl', 3],
  ['session.v12.jsonl.zstd', 12],
  ['session.v0.jsonl', null],
  ['session.v03.jsonl', null],
  ['session.V3.jsonl', null],
  ['session.jsonl.tmp', null],
  ['session.v99999999999.jsonl', 99_999_999_999],
  ['my-session.jsonl', null]
])('%s is of version %s', (name, version) => {
  expect(versionOfName(name)).toBe(version)
})

test('generations are in the order of their numbers, not of their letters', () => {
  expect(generationsIn(['session.v9.jsonl', 'session.jsonl', 'session.v10.jsonl', 'other.jsonl'])).toEqual([
    'session.v10.jsonl',
    'session.v9.jsonl',
    'session.jsonl'
  ])
})

describe('a folder', () => {
  test('is one session, of its highest generation', () => {
    expect(claimed({ 'session.jsonl': header() })).toEqual([['session.jsonl', 'lines', undefined]])
    expect(claimed({ 'session.jsonl': header(), 'session.v2.jsonl': header(2) })).toEqual([
      ['session.v2.jsonl', 'lines', { others: ['session.jsonl'] }]
    ])
  })

  test('does not fall back to an older generation where the highest is damaged or too new', () => {
    expect(claimed({ 'session.jsonl': header(), 'session.v9.jsonl': 'broken' })).toMatchObject([
      ['session.v9.jsonl', 'lines', {}]
    ])
  })

  test('of a generation that is far too new is one still', () => {
    const name = 'session.v99999999999.jsonl'
    expect(claimed({ [name]: header(99_999_999_999) })).toEqual([[name, 'lines', undefined]])
  })

  test('with a compressed log is known by its first frame, or by its mark where that is damaged', () => {
    const frame = zstdCompressSync(header())
    expect(claimed({ 'session.jsonl.zstd': frame })).toEqual([['session.jsonl.zstd', 'frames', undefined]])
    expect(claimed({ 'session.jsonl.zstd': Buffer.concat([frame.subarray(0, 8), Buffer.alloc(90)]) })).toHaveLength(1)
    expect(claimed({ 'session.jsonl.zstd': zstdCompressSync('{"level":"info"}\n') })).toEqual([])
    expect(claimed({ 'session.jsonl.zstd': 'plain' })).toEqual([])
  })

  test('with a damaged header is known by its events', () => {
    const text = log.logText(log.headerOf(0), [log.turnStart(1)])
    expect(claimed({ 'session.jsonl': `broken${text.slice(text.indexOf('\n'))}` })).toHaveLength(1)
  })

  test('of other programs is none', () => {
    const pi = '{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n'
    expect(claimed({ 'session.jsonl': pi })).toEqual([])
    expect(claimed({ 'a.jsonl': header() })).toEqual([])
    expect(claimed({})).toEqual([])
  })
})

test.each([
  ['session.jsonl.zstd', ['session.jsonl'], []],
  ['session.v3.jsonl', ['session.jsonl.zstd'], ['session.jsonl.zstd']],
  ['session.v3.jsonl', [], ['session.jsonl']]
])('beside %s, %j of another encoding are named as what dsh refuses, %j as older', async (shown, other, older) => {
  const files = Object.fromEntries([shown, ...other, ...older].map((name) => [name, contentOf(name)]))
  const [set] = claimDsh(listing(files))
  expect(set!.files[0].path).toBe(`${folder}/${shown}`)
  const { notes } = (await readSession(dsh, set!, [contentOf(shown)])).tree
  const refusal = { tone: 'warning', text: expect.stringContaining('Both'), detail: other.join('\n') }
  const named = { tone: 'info', text: expect.stringContaining('Older'), detail: older.join('\n') }
  expect(notes).toMatchObject([...(other.length > 0 ? [refusal] : []), ...(older.length > 0 ? [named] : [])])
})

function contentOf(name: string): Buffer {
  const text = Buffer.from(header(versionOfName(name)!))
  return name.endsWith('.zstd') ? zstdCompressSync(text) : text
}
