import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UsageGroup, UsageStats } from '#shared/contract/usage.ts'
import type { Session } from '#shared/model/session.ts'
import { answer, entryLine, fileOf, header, usage, user } from './testing/lines.ts'
import { makeWorkplace } from './testing/treeline.ts'

const workplace = makeWorkplace()
const { treeline, write } = workplace
afterAll(workplace.remove)

const statsOf = async (path: string, ...more: string[]) =>
  (await treeline('stats', path, '--json', ...more)).json<UsageStats>()
const groupsBy = async (path: string, by: string) =>
  (await statsOf(path, '--by', by)).groups.map(({ key, requests, total, inherited }) => [
    key,
    requests,
    total,
    inherited
  ])

const none = { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0, total: 0, cost: 0 }
const onTime = (id: string, parent: string | null, time: string, more: object = {}) =>
  answer(id, parent, 'yes', more).replace(/"timestamp":"[^"]*"/, `"timestamp":"${time}"`)

describe('the totals of a file', () => {
  test('are those of its session', async () => {
    const file = write(
      'plain.jsonl',
      fileOf(header(), user('a', null, 'x'), answer('b', 'a', 'y'), answer('c', 'b', 'z'))
    )
    const { totals, groups } = await statsOf(file)
    const { session } = (await treeline('show', file, '--json')).json<{ session: Session }>()
    expect(totals).toEqual(session.usage)
    expect(totals).toMatchObject({ requests: 2, input: 20, cacheRead: 200, cacheWrite: 40, output: 10, total: 270 })
    expect(groups).toEqual([])
  })

  test('say unknown where nothing was recorded, and 0 where there was no request', async () => {
    const silent = write('silent.jsonl', fileOf(header(), answer('a', null, 'y', { usage: undefined })))
    expect((await statsOf(silent)).totals).toMatchObject({ requests: 1, unknown: 1, total: null, cost: null })
    const empty = write('empty.jsonl', fileOf(header(), user('a', null, 'x')))
    expect((await statsOf(empty)).totals).toEqual({ ...none, inherited: 0, unknown: 0 })
  })

  test('leave a member out of no sum because one request lacks it', async () => {
    const half = { ...usage, cacheRead: undefined, cacheWrite: undefined }
    const file = write('half.jsonl', fileOf(header(), answer('a', null, 'y', { usage: half }), answer('b', 'a', 'z')))
    expect((await statsOf(file)).totals).toMatchObject({ input: 20, cacheRead: 100, cacheWrite: 20, unknown: 0 })
  })
})

describe('a folder', () => {
  let folder: string

  beforeAll(() => {
    const own = [onTime('b', 'a', '2026-01-01T10:00:00.000Z'), onTime('c', 'b', '2026-01-02T10:00:00.000Z')]
    const parent = fileOf(header({ id: 'parent' }), user('a', null, 'x'), ...own)
    const path = write('tree/parent.jsonl', parent)
    const fork = header({ id: 'fork', timestamp: '2026-01-03T00:00:00.000Z', parentSession: path, cwd: '/other' })
    const other = onTime('d', 'c', '2026-01-03T10:00:00.000Z', { model: 'm2' })
    write('tree/fork.jsonl', fileOf(fork, user('a', null, 'x'), ...own, other))
    const copy = header({ id: 'copy', timestamp: '2026-01-04T00:00:00.000Z' })
    write('tree/copy.jsonl', fileOf(copy, user('a', null, 'x'), ...own))
    folder = workplace.folder + '/tree'
  })

  test('counts what forks and copies repeat once, and tells it apart', async () => {
    expect((await statsOf(folder)).totals).toMatchObject({ requests: 3, total: 405, inherited: 540 })
    const bySession = await groupsBy(folder, 'session')
    expect(bySession).toEqual([
      ['parent', 2, 270, 0],
      ['fork', 1, 135, 270],
      ['copy', 0, 0, 270]
    ])
  })

  test('two lines of one file are two requests, however alike', async () => {
    const twice = onTime('b', 'a', '2026-01-01T10:00:00.000Z')
    const file = write('twice/one.jsonl', fileOf(header(), user('a', null, 'x'), twice, twice))
    expect((await statsOf(file)).totals.requests).toBe(2)
    expect((await statsOf(`${workplace.folder}/twice`)).totals.requests).toBe(2)
  })

  test('is told by model, project, agent and day, and every grouping adds up to the totals', async () => {
    expect(await groupsBy(folder, 'model')).toEqual([
      ['pv/m1', 2, 270, 540],
      ['pv/m2', 1, 135, 0]
    ])
    expect(await groupsBy(folder, 'project')).toEqual([
      ['/home/user/p', 2, 270, 270],
      ['/other', 1, 135, 270]
    ])
    expect(await groupsBy(folder, 'agent')).toEqual([['pi', 3, 405, 540]])
    const days = ['2026-01-01T10:00', '2026-01-02T10:00', '2026-01-03T10:00'].map((time) =>
      new Date(`${time}:00Z`).toLocaleDateString('sv-SE')
    )
    expect(await groupsBy(folder, 'day')).toEqual(days.map((day, at) => [day, 1, 135, at < 2 ? 270 : 0]))
    for (const by of ['session', 'day', 'model', 'project', 'agent']) {
      const { totals, groups } = await statsOf(folder, '--by', by)
      const sum = (member: keyof UsageGroup) => groups.reduce((all, group) => all + Number(group[member]), 0)
      for (const member of ['requests', 'input', 'cacheRead', 'cacheWrite', 'output', 'total', 'inherited'] as const) {
        expect(sum(member)).toBe(totals[member])
      }
      expect(sum('cost')).toBeCloseTo(totals.cost ?? Number.NaN, 9)
    }
  })
})

test('what a sub-agent spent counts once: in the parent where its task says so, else in its own file', async () => {
  const task = (id: string, parent: string, details: object) =>
    entryLine('message', id, parent, {
      message: { role: 'toolResult', toolCallId: id, toolName: 'task', content: [], isError: false, details }
    })
  const mode = entryLine('mode_change', 'o', null, { mode: 'plan' })
  const spent = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }
  write(
    'omp/main.jsonl',
    fileOf(
      header(),
      mode,
      answer('a', 'o', 'x'),
      task('t1', 'a', { usage: spent, results: [{ id: 'One' }] }),
      task('t2', 't1', {})
    )
  )
  write('omp/main/One.jsonl', fileOf(header({ id: 'one' }), mode, answer('s1', 'o', 'y')))
  write('omp/main/Two.jsonl', fileOf(header({ id: 'two' }), mode, answer('s2', 'o', 'z')))
  const folder = `${workplace.folder}/omp`
  expect((await statsOf(folder)).totals).toMatchObject({ requests: 3, total: 135 + 10 + 135, inherited: 135 })
  const groups = await groupsBy(folder, 'session')
  expect(Object.fromEntries(groups.map(([key, ...rest]) => [key, rest]))).toEqual({
    made: [2, 145, 0],
    one: [0, 0, 135],
    two: [1, 135, 0]
  })
})

test('what is asked for wrongly or too early is said so', async () => {
  const file = write('wrong.jsonl', fileOf(header()))
  expect((await treeline('stats', file, '--by', 'moon')).exitCode).toBe(2)
  expect((await treeline('stats', file, '--proof')).exitCode).toBe(2)
  expect((await treeline('stats', `${file}.gone`)).exitCode).toBe(1)
})

test('for people there is a table', async () => {
  const { stdout } = await treeline('stats', `${workplace.folder}/tree`, '--by', 'model')
  expect(stdout).toMatch(/^requests +3$/m)
  expect(stdout).toMatch(/hit rate +76\.9 %/)
  expect(stdout).toMatch(/135 +\$0\.33 +76\.9 % +0 +0 +pv\/m2$/m)
})

test('a folder written down in two ways is one project', async () => {
  for (const [name, cwd] of Object.entries({ one: 'C:\\a', two: 'c:/a/', three: 'C:\\b' })) {
    write(`windows/${name}.jsonl`, fileOf(header({ id: name, cwd }), answer(name, null, 'y')))
  }
  expect(await groupsBy(workplace.folder + '/windows', 'project')).toEqual([
    ['C:\\a', 2, 270, 0],
    ['C:\\b', 1, 135, 0]
  ])
})
