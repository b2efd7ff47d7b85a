import { join } from 'node:path'
import { expect, test } from 'vitest'
import { branchBytes, readPath, readSession } from '../testing.ts'
import { readFileSync } from 'node:fs'
import { shellAgent } from './index.ts'

const now = new Date('2026-12-01T10:20:30.456Z')
const folder = join(import.meta.dirname, 'fixtures')
const path = (name: string) => join(folder, name, 'conversation.jsonl')
const names = ['20260203-101500-aa01', '20260203-120000-bb02', '20260203-130000-dd04', 'sub_20260203-120500-cc03']

test.each(names)('a branch of %s at any turn reads back as a fork of it, with the same context', async (name) => {
  const session = await readPath(shellAgent, path(name))
  const bytes = session.records.files.map((file) => readFileSync(file.path))
  const ends = [...session.tree.nodes.keys()].filter((at) => shellAgent.branchPoint(session, at).kind === 'allowed')
  const found = []
  for (const at of ends) {
    const { files, directory, entries, sessionId, resume } = await shellAgent.planBranch(session, {
      at,
      now,
      into: null
    })
    expect(directory).toBe(join(folder, sessionId))
    expect(resume).toBe(`bash-agent --session ${sessionId}`)
    expect(files.map((file) => file.path)).toEqual(
      ['conversation.jsonl', 'events.jsonl', 'summary.txt', 'plan.md', 'plan.draft', 'stats.json'].map((one) =>
        join(directory!, one)
      )
    )
    const written = files.map(({ pieces }) => branchBytes(pieces, bytes))
    const sources = files.map((file, index) => ({
      path: file.path,
      role: (['messages', 'events'] as const)[index] ?? ('snapshot' as const),
      framing: index < 2 ? ('lines' as const) : ('document' as const)
    }))
    const [main, ...others] = sources
    const branch = await readSession(shellAgent, { files: [main!, ...others], agent: null }, written)
    expect(branch.tree.session).toMatchObject({
      id: sessionId,
      origin: 'fork',
      parent: { id: session.tree.session.id }
    })
    expect(branch.tree.leaves).toEqual([entries - 1])
    const withoutIds = async (of: typeof session, end: number | null) =>
      (await shellAgent.context(of, end)).messages.map((message) => ({ ...message, sources: [] }))
    expect(await withoutIds(branch, null)).toEqual(await withoutIds(session, at))
    expect(branch.records.entries.slice(entries).map(({ facts }) => facts['type'])).toEqual([
      'session_start',
      'session_fork'
    ])
    expect(written.slice(4).every((own) => own.length === 0)).toBe(true)
    found.push(session.tree.nodes[at]!.id)
  }
  expect(found.length).toBeGreaterThan(0)
})

test('a branch ends at a turn, never between a call and its result, and not at an event', async () => {
  const session = await readPath(shellAgent, path('20260203-120000-bb02'))
  const point = (id: string) =>
    shellAgent.branchPoint(
      session,
      session.tree.nodes.findIndex((node) => node.id === id)
    )
  const allowed = session.tree.nodes.filter((_, at) => shellAgent.branchPoint(session, at).kind === 'allowed')
  expect(allowed.map(({ id }) => id)).toEqual(['c2', 'c4', 'c5', 'c9', 'c10'])
  expect(point('c7')).toMatchObject({ kind: 'refused', nearest: ['c5', 'c9', 'c10'] })
  expect(point('c8')).toMatchObject({ kind: 'refused', nearest: ['c5', 'c9', 'c10'] })
  expect(point('e24')).toMatchObject({ kind: 'refused', nearest: ['c2', 'c4', 'c5', 'c9'] })
  expect(point('e1').kind).toBe('refused')
})
