import { expect, test } from 'vitest'
import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { sessionRow } from '#shared/model/testing/session-row.ts'
import { type LibraryChoice, libraryRows, projectAmong, wayTo } from './library-rows.ts'

const session = (id: string, part: Partial<SessionRow> = {}): SessionRow =>
  sessionRow(id, { title: id, cwd: '/srv/app', ...part })

const unfolded = (sessions: readonly SessionRow[]) => new Set<string>(sessions.map(({ key }) => key))

const plain: LibraryChoice = {
  filter: '',
  sort: 'date',
  group: 'project',
  today: new Date(2026, 10, 30).valueOf(),
  project: null,
  toggled: new Set()
}

const drawn = (sessions: readonly SessionRow[], part: Partial<LibraryChoice> = {}) =>
  libraryRows(sessions, { ...plain, toggled: unfolded(sessions), ...part }).map((row) =>
    row.kind === 'group' ? row.name : `${'-'.repeat(row.level - 1)}${row.session.id} ${row.position}/${row.setSize}`
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
  const rows = libraryRows(
    [...family, session('helper', { parent: { id: 'root', file: null }, origin: 'subagent' })],
    plain
  )
  const root = rows.find(({ id }) => id === 'key-root')
  expect(root).toMatchObject({ expanded: false, below: { forks: 1, continuations: 0, subagents: 1 } })
  expect(rows.map(({ id }) => id)).not.toContain('key-fork')
})

test('the way to a session leads by its project and all that it comes from', () => {
  expect(wayTo(family, 'key-grandchild' as SessionKey, plain)).toEqual({
    group: 'project:/srv/app',
    parents: ['key-fork', 'key-root']
  })
  expect(wayTo(family, 'key-lost' as SessionKey, plain)).toBeNull()
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
  const rows = libraryRows(sessions, plain)
  expect(rows.flatMap((row) => (row.kind === 'group' ? [row.isAmbiguous] : []))).toEqual([true, true, false])
})

test('by name both projects and sessions are sorted', () => {
  const sessions = [session('z'), session('a'), session('m', { cwd: '/srv/abc' })]
  expect(drawn(sessions, { sort: 'name' })).toEqual(['abc', '-m 1/1', 'app', '-a 1/2', '-z 2/2'])
})

test('ten thousand sessions, one the parent of the next, do not overflow the stack', () => {
  const chain = Array.from({ length: 10_000 }, (_, i) =>
    session(String(i), { parent: i === 0 ? null : { id: String(i - 1), file: null } })
  )
  expect(libraryRows(chain, { ...plain, toggled: unfolded(chain) })).toHaveLength(10_001)
})

test('limited to a project only its sessions are listed, with what comes from them, wherever that worked', () => {
  expect(drawn(family, { project: '/srv/app' })).toEqual(['app', '-root 1/1', '--fork 1/1', '---grandchild 1/1'])
  expect(drawn(family, { project: '/elsewhere' })).toEqual([])
  expect(drawn(family, { project: '/srv/docs', filter: 'root' })).toEqual([])
  expect(projectAmong(family, 'key-grandchild' as SessionKey)).toBe('/srv/app')
  expect(projectAmong(family, 'key-lost' as SessionKey)).toBeNull()
})

test('each session says its project, for all that come from one session that one’s', () => {
  const rows = libraryRows(family, { ...plain, group: 'agent', toggled: unfolded(family) })
  expect(rows.flatMap((row) => (row.kind === 'session' ? [[row.session.id, row.project]] : []))).toEqual([
    ['other', '/srv/docs'],
    ['root', '/srv/app'],
    ['fork', '/srv/app'],
    ['grandchild', '/srv/app']
  ])
})

test('by agent each has a group under its name, the latest first or by name', () => {
  const sessions = [session('a', { agent: 'shell-agent' }), session('b', { agent: 'dsh' }), session('c')]
  expect(drawn(sessions, { group: 'agent' })).toEqual(['shell agent', '-a 1/1', 'dsh', '-b 1/1', 'pi', '-c 1/1'])
  expect(drawn(sessions, { group: 'agent', sort: 'name' })).toEqual([
    'dsh',
    '-b 1/1',
    'pi',
    '-c 1/1',
    'shell agent',
    '-a 1/1'
  ])
})

test('by date a session is listed at the time of the latest that comes from it, the latest group first', () => {
  const at = (month: number, day: number) => new Date(2026, month, day, 12).toISOString()
  const sessions = [
    session('fork', { updatedAt: at(10, 30), parent: { id: 'root', file: null } }),
    session('z', { updatedAt: at(10, 29) }),
    session('a', { updatedAt: at(10, 29) }),
    session('root', { updatedAt: at(8, 1) }),
    session('old', { updatedAt: at(7, 1) }),
    session('undated')
  ]
  const groups = { group: 'date' } as const
  const listed = (...yesterday: string[]) => [
    'Today',
    '-root 1/1',
    '--fork 1/1',
    'Yesterday',
    ...yesterday,
    'August 2026',
    '-old 1/1',
    'Unknown date',
    '-undated 1/1'
  ]
  expect(drawn(sessions, groups)).toEqual(listed('-z 1/2', '-a 2/2'))
  expect(drawn(sessions, { ...groups, sort: 'name' })).toEqual(listed('-a 1/2', '-z 2/2'))
  expect(wayTo(sessions, 'key-fork' as SessionKey, { ...plain, ...groups })?.group).toBe('date:Today')
})

test('an id names a parent of the same store only, and omp and pi are one', () => {
  const sessions = [
    session('x', { agent: 'dsh' }),
    session('child', { agent: 'dsh', parent: { id: 'x', file: null } }),
    session('stranger', { agent: 'codelia', parent: { id: 'x', file: null } }),
    session('y', { agent: 'omp' }),
    session('cousin', { agent: 'pi', parent: { id: 'y', file: null } })
  ]
  expect(drawn(sessions)).toEqual(['app', '-x 1/3', '--child 1/1', '-stranger 2/3', '-y 3/3', '--cousin 1/1'])
})
