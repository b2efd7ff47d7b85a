import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ReadSession, readPath, readText } from '../testing.ts'
import { omp } from './index.ts'
import { pathTo } from './tree.ts'

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name)
const shape = ({ tree }: ReadSession) => tree.nodes.map((node) => `${node.id}<${tree.nodes[node.parent]?.id ?? ''}`)

interface Made {
  readonly id?: string
  readonly parentId?: string | null
  readonly [name: string]: unknown
}

function sessionOf(entries: readonly Made[], header: Made = { version: 3 }): Promise<ReadSession> {
  const first = { type: 'session', id: 's', timestamp: '2026-01-01T00:00:00.000Z', ...header }
  const body = entries.map((entry) => ({
    type: 'custom',
    customType: 'x',
    timestamp: '2026-01-01T00:00:01.000Z',
    ...entry
  }))
  return readText(omp, [first, ...body].map((object) => `${JSON.stringify(object)}\n`).join(''))
}

describe('ids and parents', () => {
  test('an id that occurs twice stays with the last, the earlier one is named with its line', async () => {
    const session = await sessionOf([
      { id: 'a', parentId: null },
      { id: 'b', parentId: 'a' },
      { id: 'b', parentId: 'a' },
      { id: 'c', parentId: 'b' }
    ])
    expect(shape(session)).toEqual(['a<', 'b@3<a', 'b<a', 'c<b'])
    expect(session.tree.faults).toMatchObject([{ kind: 'duplicate-id', entry: 'b@3', line: 3 }])
  })

  test('an entry without an id is named by its line, even where another has that very name', async () => {
    const session = await sessionOf([{ parentId: null }, { id: 'L2', parentId: null }, { id: '', parentId: 'L2' }])
    expect(shape(session)).toEqual(['L2+<', 'L2<', 'L4<L2'])
  })

  test('an unknown parent makes a root, and so do null, an empty one and none at all', async () => {
    const session = await sessionOf([
      { id: 'a', parentId: 'gone' },
      { id: 'b', parentId: null },
      { id: 'c', parentId: '' },
      { id: 'd' }
    ])
    expect(shape(session)).toEqual(['a<', 'b<', 'c<', 'd<'])
    expect(session.tree.faults.filter((fault) => fault.kind !== 'stale-leaf')).toMatchObject([
      { kind: 'orphan-parent', entry: 'a' }
    ])
  })

  test('a cycle is cut at its first line, one of a single entry too', async () => {
    const session = await sessionOf([
      { id: 'tail', parentId: 'z' },
      { id: 'y', parentId: 'z' },
      { id: 'z', parentId: 'w' },
      { id: 'w', parentId: 'y' },
      { id: 'self', parentId: 'self' }
    ])
    expect(shape(session)).toEqual(['tail<z', 'y<', 'z<w', 'w<y', 'self<'])
    expect(session.tree.faults.filter((fault) => fault.kind !== 'stale-leaf')).toMatchObject([
      { kind: 'cycle', entry: 'y' },
      { kind: 'cycle', entry: 'self' }
    ])
  })

  test('entries of the first version hang on the one before, two of one line too', async () => {
    expect(shape(await readPath(omp, fixture('first-version.jsonl')))).toEqual([
      'L2<',
      'L3<L2',
      'L4<L3',
      'L5<L4',
      'L5.2<L5',
      'L6<L5.2'
    ])
  })

  test('a chain of 100,000 entries is put together without recursion', async () => {
    const entries = Array.from({ length: 100_000 }, (_, at) => ({
      id: `e${at}`,
      parentId: at === 0 ? null : `e${at - 1}`
    }))
    const session = await sessionOf([
      ...entries,
      { type: 'compaction', id: 'k', parentId: 'e99999', summary: 'S', firstKeptEntryId: 'e5' }
    ])
    expect(session.tree.leaves).toEqual([100_000])
    expect(pathTo(session.tree.nodes, 100_000)).toHaveLength(100_001)
    expect(session.tree.faults).toEqual([])
  })
})

describe('leaves', () => {
  test('are who is nobody’s parent, and the default is the last entry, whatever it is', async () => {
    const session = await readPath(omp, fixture('pi-branches.jsonl'))
    expect(session.tree.leaves.map((at) => session.tree.nodes[at]?.id)).toEqual(['a3', 'a5', 'w1'])
    expect(session.tree.defaultLeaf).toEqual({ id: 'w1', reason: 'last-entry' })
  })

  test('one is the only one, none is empty', async () => {
    expect((await sessionOf([{ id: 'a', parentId: null }])).tree.defaultLeaf).toEqual({ id: 'a', reason: 'only-leaf' })
    expect((await readText(omp, '')).tree.defaultLeaf).toEqual({ id: null, reason: 'empty' })
  })

  test('a last entry that is no message and hangs elsewhere is said to be stale', async () => {
    const message = { type: 'message', message: { role: 'user', content: 'hi' } }
    const stale = await sessionOf([
      { id: 'a', parentId: null, ...message },
      { id: 'b', parentId: 'a', ...message },
      { id: 'x', parentId: 'a' }
    ])
    expect(stale.tree.faults).toMatchObject([{ kind: 'stale-leaf', entry: 'x', line: 4 }])
    const asked = await sessionOf([
      { id: 'a', parentId: null },
      { id: 'b', parentId: 'a' },
      { id: 'x', parentId: 'a', ...message }
    ])
    expect(asked.tree.faults).toEqual([])
  })
})

test('labels are folded in file order, whatever the branch, and an empty one clears', async () => {
  const label = (id: string, targetId: string, text?: string) => ({
    id,
    parentId: 'a',
    type: 'label',
    targetId,
    label: text
  })
  const session = await sessionOf([
    { id: 'a', parentId: null },
    { id: 'b', parentId: 'a' },
    label('l1', 'a', 'one'),
    label('l2', 'a', 'two'),
    label('l3', 'b', 'gone'),
    label('l4', 'b'),
    label('l5', 'nobody', 'x')
  ])
  expect(session.tree.nodes.map((node) => node.label)).toEqual(['two', null, null, null, null, null, null])
})

describe('titles', () => {
  const message = { type: 'message', message: { role: 'user', content: '\n  First line\nsecond' } }
  const named = (name: string) => ({ id: name || 'cleared', parentId: null, type: 'session_info', name })

  test.each([
    ['the first line of the first own message', {}, [message], 'First line'],
    ['the header', { title: 'From the header' }, [message], 'From the header'],
    ['the last name', { title: 'From the header' }, [message, named('One'), named('Two')], 'Two'],
    ['the message again where the name was cleared', {}, [message, named('One'), named('')], 'First line'],
    ['nothing', {}, [], null]
  ])('come from %s', async (_, header, entries, title) => {
    expect((await sessionOf(entries, { version: 3, ...header })).tree.session.title).toBe(title)
  })

  test('come from the title line before anything else', async () => {
    expect((await readPath(omp, fixture('omp-modes.jsonl'))).tree.session.title).toBe('Parser rewrite')
  })
})

describe('usage', () => {
  test('pi counts answers, its own usage entries, compactions and branch summaries', async () => {
    const { usage } = (await readPath(omp, fixture('pi-branches.jsonl'))).tree.session
    expect(usage).toMatchObject({
      requests: 7,
      input: 36,
      cacheRead: 2230,
      cacheWrite: 1030,
      output: 89,
      unknown: 0,
      inherited: 0
    })
    expect(usage.total).toBe(36 + 2230 + 1030 + 89)
  })

  test("omp counts answers, its model_usage and its tasks' details", async () => {
    const { usage } = (await readPath(omp, fixture('omp-modes.jsonl'))).tree.session
    expect(usage).toMatchObject({ requests: 6, input: 136, cacheRead: 60, output: 67 })
  })

  test('what is older than the header of a fork is inherited', async () => {
    const answer = (id: string, timestamp: string) => ({
      id,
      parentId: null,
      timestamp,
      type: 'message',
      message: { role: 'assistant', content: [], usage: { input: 10, output: 5 } }
    })
    const entries = [answer('a', '2025-12-31T23:59:59.999Z'), answer('b', '2026-01-01T00:00:00.000Z')]
    const fork = await sessionOf(entries, { version: 3, parentSession: '/p.jsonl' })
    expect(fork.tree.session.usage).toMatchObject({ requests: 1, total: 15, inherited: 15 })
    expect((await sessionOf(entries)).tree.session.usage).toMatchObject({ requests: 2, total: 30, inherited: 0 })
  })

  test('an answer without usage is unknown, and what nobody recorded is null, not 0', async () => {
    const answer = (id: string, usage?: object) => ({
      id,
      parentId: null,
      type: 'message',
      message: { role: 'assistant', content: [], usage }
    })
    const none = await sessionOf([answer('a')])
    expect(none.tree.session.usage).toMatchObject({ requests: 1, unknown: 1, input: null, total: null, cost: null })
    const some = await sessionOf([answer('a'), answer('b', { input: 3, output: 4 })])
    expect(some.tree.session.usage).toMatchObject({
      requests: 2,
      unknown: 1,
      input: 3,
      cacheRead: null,
      total: 7,
      cost: null
    })
    const odd = await sessionOf([answer('a', { input: 0.5, output: 1e300, cacheRead: -1, cost: { total: 0.5 } })])
    expect(odd.tree.session.usage).toMatchObject({ requests: 1, unknown: 1, input: null, output: null })
    expect((await sessionOf([])).tree.session.usage).toMatchObject({ requests: 0, input: 0, cost: 0 })
  })
})

describe('dialect', () => {
  test.each([
    ['omp', 'a title line', '/s/x.jsonl', '{"type":"title","v":1,"title":""}\n'],
    ['omp', 'its place', '/home/me/.omp/agent/sessions/-p/x.jsonl', ''],
    ['pi', 'nothing', '/s/x.jsonl', '']
  ])('is %s by %s', async (agent, _, path, text) => {
    expect((await readText(omp, text, null, path)).tree.agent).toBe(agent)
  })

  test.each(['reset_boundary', 'model_usage', 'title_change'])('is omp by an entry of type %s', async (type) => {
    expect((await sessionOf([{ id: 'a', parentId: null, type }])).tree.agent).toBe('omp')
  })

  test('is what the person named, against all of these', async () => {
    expect((await readPath(omp, fixture('omp-modes.jsonl'), 'pi')).tree.agent).toBe('pi')
  })
})

test('calls and results without their other half, and what a compaction does not find, are said', async () => {
  const session = await readPath(omp, fixture('damaged.jsonl'))
  expect(session.tree.faults.map((fault) => `${fault.kind} ${fault.entry}`)).toEqual([
    'duplicate-id u2@10',
    'orphan-parent o1',
    'cycle u3',
    'cycle y1',
    'cycle s1',
    'unpaired-tool-call p1',
    'unpaired-tool-result p2',
    'kept-entry-not-ancestor k1'
  ])
})

test('rows say what an entry is about on one line', async () => {
  const session = await readPath(omp, fixture('pi-branches.jsonl'))
  const row = (id: string) => session.tree.row(session.tree.nodes.findIndex((node) => node.id === id))
  expect(row('u1')).toEqual({
    tool: null,
    summary: 'Why does the worker stall after a retry?',
    contextTokens: null,
    failed: false
  })
  expect(row('a1')).toMatchObject({ summary: 'I will read the worker.', contextTokens: 952 })
  expect(row('a4').summary).toBe('edit test/worker.test.ts')
  expect(row('r1')).toMatchObject({ tool: 'read', summary: 'src/queue/worker.ts · 3 lines' })
  expect(row('r2')).toMatchObject({ tool: 'bash', summary: 'npm test -- queue · exit 1', failed: true })
  expect(row('a3')).toMatchObject({ summary: 'partial', failed: true })
  expect(row('k9').summary).toBe('5 messages summarised, 4 kept · from 31.8k tokens')
  expect(row('x1').summary).toBe('todo: 1. test 2. fix')
  expect(row('e1')).toMatchObject({ tool: 'bash', summary: 'git status' })
  expect(row('d1').summary).toBe('Rewrote u1 in the context')
  expect(row('l1').summary).toBe('Label “found it”')
  expect(row('m1').summary).toBe('Model anthropic/claude-opus-4-5')
})

test('the row of a huge result says its size, that of an answer without tokens nothing of them', async () => {
  const session = await sessionOf([
    {
      type: 'message',
      id: 'a',
      parentId: null,
      message: {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'cat big.log' } }],
        stopReason: 'error',
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 }
      }
    },
    {
      type: 'message',
      id: 'r',
      parentId: 'a',
      message: {
        role: 'toolResult',
        toolCallId: 'c',
        toolName: 'bash',
        content: [{ type: 'text', text: 'line\n'.repeat(400_000) }]
      }
    }
  ])
  expect(session.tree.row(0).contextTokens).toBe(null)
  expect(session.tree.row(1).summary).toBe('cat big.log · 2.4 MB')
})
