import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ReadSession, readPath, readText } from '../testing.ts'
import { ompAppendRefusal, planOmpAppend } from './append.ts'
import { omp } from './index.ts'

const now = new Date('2026-12-01T10:20:30.456Z')
const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name)
const at = (session: ReadSession, id: string) => session.tree.nodes.findIndex((node) => node.id === id)

const timestamp = '2026-01-01T00:00:00.000Z'
const header = JSON.stringify({ type: 'session', version: 3, id: 's', timestamp, cwd: '/srv/it' })
const entry = (id: string | undefined, parentId: string | null) =>
  JSON.stringify({ type: 'message', id, parentId, timestamp, message: { role: 'user', content: id ?? '' } })
const session = (...lines: string[]) => readText(omp, [header, ...lines, ''].join('\n'))

test('a branch in place is a mark below the chosen entry that names the old leaf', async () => {
  const made = await session(entry('a', null), entry('b', 'a'))
  const plan = planOmpAppend(made, { kind: 'branch', at: 0, summary: null, now })
  expect(plan.text.endsWith('\n')).toBe(true)
  expect(JSON.parse(plan.text)).toEqual({
    type: 'custom',
    id: plan.end,
    parentId: 'a',
    timestamp: '2026-12-01T10:20:30.456Z',
    customType: 'treeline.branch',
    data: { from: 'b' }
  })
  expect(plan).toMatchObject({ sessionId: 's', entries: 1, resume: 'cd /srv/it && pi --session /sessions/made.jsonl' })
})

test.each([
  ['pi', 'b'],
  ['omp', 'a']
] as const)('with a summary it is a branch summary, as %s names what it comes from', async (agent, fromId) => {
  const made = await readText(omp, [header, entry('a', null), entry('b', 'a'), ''].join('\n'), agent)
  const plan = planOmpAppend(made, { kind: 'branch', at: 0, summary: 'It failed', now })
  expect(JSON.parse(plan.text)).toMatchObject({ type: 'branch_summary', parentId: 'a', fromId, summary: 'It failed' })
})

test('a label hangs below the leaf and names its entry; an empty one has no text', async () => {
  const made = await session(entry('a', null), entry('b', 'a'))
  const label = (text: string) => JSON.parse(planOmpAppend(made, { kind: 'label', at: 0, label: text, now }).text)
  expect(label('good')).toMatchObject({ type: 'label', parentId: 'b', targetId: 'a', label: 'good' })
  expect(label('')).not.toHaveProperty('label')
})

test('between a call and its result nothing begins', async () => {
  const made = await readPath(omp, fixture('pi-branches.jsonl'))
  const begin = () => planOmpAppend(made, { kind: 'branch', at: at(made, 'a1'), summary: null, now })
  expect(begin).toThrow(expect.objectContaining({ code: 'not-resumable' }))
  expect(ompAppendRefusal(made, at(made, 'a1'), 'label')).toBeNull()
})

describe('what cannot be named is not appended to', () => {
  test('entries of the first version', async () => {
    const made = await readPath(omp, fixture('first-version.jsonl'))
    expect(ompAppendRefusal(made, 0, 'branch')).toContain('first version')
    expect(ompAppendRefusal(made, 0, 'label')).toContain('first version')
    const begin = () => planOmpAppend(made, { kind: 'branch', at: 0, summary: null, now })
    expect(begin).toThrow(expect.objectContaining({ code: 'unsupported' }))
  })

  test('entries without an id, or whose id another one took', async () => {
    const made = await session(entry('a', null), entry('a', null), entry(undefined, 'a'))
    expect([0, 1, 2].map((index) => ompAppendRefusal(made, index, 'label') === null)).toEqual([false, true, false])
  })

  test('files without a header', async () => {
    const made = await readText(omp, `${entry('a', null)}\n`)
    expect(ompAppendRefusal(made, 0, 'label')).toContain('no session header')
  })

  test('a path of which the agent loses a part, for a branch', async () => {
    const glued = await session(entry('a', null), entry('b', 'a') + entry('c', 'b'), entry('d', 'c'))
    expect(ompAppendRefusal(glued, at(glued, 'a'), 'branch')).toBeNull()
    expect(ompAppendRefusal(glued, at(glued, 'd'), 'branch')).toContain('whole path')
    expect(ompAppendRefusal(glued, at(glued, 'd'), 'label')).toBeNull()
    const cycle = await session(entry('a', 'a'), entry('b', 'a'))
    expect(ompAppendRefusal(cycle, at(cycle, 'b'), 'branch')).toContain('whole path')
  })
})
