import { expect, test } from 'vitest'
import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { sessionRow } from '#shared/model/testing/session-row.ts'
import { libraryRows, wayTo } from './library-rows.ts'

const session = (id: string, part: Partial<SessionRow> = {}): SessionRow =>
  sessionRow(id, { title: id, cwd: '/srv/app', ...part })

const unfolded = (sessions: readonly SessionRow[]) => new Set<string>(sessions.map(({ key }) => key))

const drawn = (sessions: readonly SessionRow[], part: Partial<Parameters<typeof libraryRows>[1]> = {}) =>
  libraryRows(sessions, { filter: '', sort: 'date', toggled: unfolded(sessions), ...part }).map((row) =>
    row.kind === 'project' ? row.name : `${'-'.repeat(row.level - 1)}${row.session.id} ${row.position}/${row.setSize}`
  )

const family = [
  session('fork', { parent: { id: null, file: '/s/root.jsonl' }, cwd: '/elsewhere' }),
  session('other', { cwd: '/srv/docs' }),
  session('root'),
  session('grandchild', { parent: { id: 'fork', file: null } })
]

test('forks and subagents stand under their parent, in the parent’s project', () => {
  expect(drawn(family)).toEqual(['app', '-root 1/1', '--fork 1/1', '---grandchild 1/1', 'docs', '-other 1/1'])
})

test('a parent that is not listed leaves the session on its own', () => {
  expect(drawn([session('a', { parent: { id: 'lost', file: '/gone.jsonl' } })])).toEqual(['app', '-a 1/1'])
})

test('sessions that name each other as parent are all listed once', () => {
  const ring = [
    session('a', { parent: { id: 'b', file: null } }),
    session('b', { parent: { id: 'c', file: null } }),
    session('c', { parent: { id: 'a', file: null } }),
    session('self', { parent: { id: 'self', file: null } })
  ]
  expect(drawn(ring).toSorted()).toEqual(['---a 1/1', '--b 1/1', '-c 1/2', '-self 2/2', 'app'])
})

test('a filter keeps the parents of what matches and opens what is folded', () => {
  expect(drawn(family, { filter: 'GRAND', toggled: new Set(['project:/srv/app']) })).toEqual([
    'app',
    '-root 1/1',
    '--fork 1/1',
    '---grandchild 1/1'
  ])
})

test('what comes from a session is folded under it at first, and counted', () => {
  const rows = libraryRows([...family, session('helper', { parent: { id: 'root', file: null }, origin: 'subagent' })], {
    filter: '',
    sort: 'date',
    toggled: new Set()
  })
  const root = rows.find(({ id }) => id === 'key-root')
  expect(root).toMatchObject({ expanded: false, below: { forks: 1, continuations: 0, subagents: 1 } })
  expect(rows.map(({ id }) => id)).not.toContain('key-fork')
})

test('the way to a session leads by its project and all that it comes from', () => {
  expect(wayTo(family, 'key-grandchild' as SessionKey)).toEqual({
    project: 'project:/srv/app',
    parents: ['key-fork', 'key-root']
  })
  expect(wayTo(family, 'key-lost' as SessionKey)).toBeNull()
})

test('a folded row hides what is below it', () => {
  expect(drawn(family, { toggled: new Set() })).toEqual(['app', '-root 1/1', 'docs', '-other 1/1'])
})

test('two projects of one name stay apart', () => {
  expect(drawn([session('a', { cwd: '/x/app' }), session('b', { cwd: '/y/app' })])).toEqual([
    'app',
    '-a 1/1',
    'app',
    '-b 1/1'
  ])
})

test('only projects of one name are told apart by their path', () => {
  const sessions = [session('a', { cwd: '/x/app' }), session('b', { cwd: '/y/app' }), session('c', { cwd: '/y/docs' })]
  const rows = libraryRows(sessions, { filter: '', sort: 'date', toggled: new Set() })
  expect(rows.flatMap((row) => (row.kind === 'project' ? [row.isAmbiguous] : []))).toEqual([true, true, false])
})

test('by name both projects and sessions are sorted', () => {
  const sessions = [session('z'), session('a'), session('m', { cwd: '/srv/abc' })]
  expect(drawn(sessions, { sort: 'name' })).toEqual(['abc', '-m 1/1', 'app', '-a 1/2', '-z 2/2'])
})

test('ten thousand sessions, one the parent of the next, do not overflow the stack', () => {
  const chain = Array.from({ length: 10_000 }, (_, i) =>
    session(String(i), { parent: i === 0 ? null : { id: String(i - 1), file: null } })
  )
  expect(libraryRows(chain, { filter: '', sort: 'date', toggled: unfolded(chain) })).toHaveLength(10_001)
})
