import { expect, test } from 'vitest'
import { readText } from '../testing.ts'
import { codelia } from './index.ts'
import {
  assistant,
  atOf,
  readFiles,
  readFixture,
  readRun,
  request,
  response,
  runIds,
  runText,
  sessionId,
  sessionsFixture,
  user
} from './testing.ts'

test('a session is its runs by their start and then its messages, one behind the other', async () => {
  const { tree, records } = await readFixture()
  expect(tree.nodes.map(({ id }) => id.replace(/^a1b2c3d4-(\d+)[^:]*/, '$1'))).toEqual([
    ...Array.from({ length: 18 }, (_, line) => `0001:${line + 2}`),
    ...Array.from({ length: 20 }, (_, line) => `0002:${line + 2}`),
    ...Array.from({ length: 5 }, (_, line) => `0003:${line + 2}`),
    ...Array.from({ length: 7 }, (_, line) => `m${line + 1}`)
  ])
  expect(tree.nodes.map(({ parent }) => parent)).toEqual([...records.entries.keys()].map((at) => at - 1))
  expect(tree.defaultLeaf).toEqual({ id: 'm7', reason: 'only-leaf' })
  expect(tree.session).toMatchObject({
    id: sessionId,
    title: 'Why does the queue stall?',
    cwd: '/home/dev/queue',
    createdAt: '2026-02-03T09:00:00.000Z',
    updatedAt: '2026-02-04T10:00:02.000Z',
    compactions: 1,
    models: ['openai/gpt-5-mini', 'anthropic/claude-sonnet'],
    origin: 'user',
    runs: [
      { id: runIds[0], outcome: 'completed' },
      { id: runIds[1], outcome: 'completed' },
      { id: runIds[2], outcome: null }
    ],
    usage: { requests: 5, unknown: 1, input: 180, cacheRead: 490, cacheWrite: 90, output: 75, total: 835 }
  })
})

test('an entry says its run, its turn, its invocation and its step', async () => {
  const session = await readFixture()
  const at = (id: string) => session.tree.position!(atOf(session, id))
  expect(at(`${runIds[0]}:2`)).toEqual({ turn: 1, run: runIds[0], invocation: null, step: null })
  expect(at(`${runIds[0]}:11`)).toEqual({ turn: 1, run: runIds[0], invocation: 1, step: 1 })
  expect(at(`${runIds[0]}:15`)).toEqual({ turn: 1, run: runIds[0], invocation: 2, step: null })
  expect(at(`${runIds[1]}:20`)).toEqual({ turn: 2, run: runIds[1], invocation: 4, step: null })
  expect(at('m2')).toEqual({ turn: null, run: null, invocation: null, step: null })
})

test('what a run was set up with otherwise is said where it begins', async () => {
  const session = await readFixture()
  const first = atOf(session, `${runIds[1]}:2`)
  expect(session.tree.row(first).summary).toBe(
    'Fix it as in this picture. · changed: model, folder, system prompt, tools'
  )
  expect(session.tree.row(first).marks).toMatchObject([{ text: 'changed' }])
  const { facts } = await codelia.blocks(session, first)
  expect(facts.filter(([name]) => name.startsWith('Changed'))).toEqual([
    ['Changed: model', 'openai/gpt-5-mini → openai/gpt-5'],
    ['Changed: folder', '/home/dev/queue → /home/dev/queue/lib'],
    ['Changed: system prompt', '21 characters → 31 characters'],
    ['Changed: tools', 'added: edit']
  ])
  const last = session.tree.row(atOf(session, `${runIds[2]}:2`))
  expect(last).toMatchObject({ summary: 'And now the last test.', marks: [{ text: 'no end', tone: 'warning' }] })
})

test('rows say what happened', async () => {
  const session = await readFixture()
  const row = (id: string) => {
    const { tool, summary, failed } = session.tree.row(atOf(session, id))
    return [tool, summary, failed]
  }
  expect(row(`${runIds[0]}:4`)).toEqual([null, '2 messages to openai/gpt-5-mini', false])
  expect(row(`${runIds[0]}:5`)).toEqual([null, 'shell grep -n lock queue.ts', false])
  expect(row(`${runIds[0]}:11`)).toEqual(['shell', 'grep -n lock queue.ts · 2 lines', false])
  expect(row(`${runIds[1]}:5`)).toEqual([null, 'Retry: attempt 2 of 5, overloaded, status 529, after 500 ms', true])
  expect(row(`${runIds[1]}:12`)).toEqual(['shell', 'npm test · failed', true])
  expect(row(`${runIds[1]}:14`)).toEqual([null, 'Unknown type “x.example.metric”', false])
  expect(row(`${runIds[1]}:16`)).toEqual([null, 'The history was compacted', false])
})

test('a row of the database has the workspace and the last change', async () => {
  const session = await readFixture()
  const row = {
    schema_version: 1,
    updated_at: '2026-02-04T11:00:00.000Z',
    workspace_root: '/from/row',
    meta_json: '{"x.forked_from":"older"}',
    parent_file: '/store/messages/older.jsonl'
  }
  const { session: told, notes, faults } = codelia.assemble({ ...session.records, beside: row })
  expect(told).toMatchObject({
    cwd: '/from/row',
    updatedAt: '2026-02-04T11:00:00.000Z',
    origin: 'fork',
    parent: { id: 'older', file: '/store/messages/older.jsonl' }
  })
  expect(notes?.at(-1)?.detail).toContain('workspace_root: /from/row')
  expect(faults).toEqual([])
  const newer = codelia.assemble({ ...session.records, beside: { ...row, schema_version: 2 } })
  expect(newer.faults).toMatchObject([{ kind: 'unknown-version', file: 0 }])
})

test('a further file of a run is a copy: it has entries of its own, and its requests count once', async () => {
  const whole = runText(request(1, user('a')), response(1, assistant('b')))
  const part = runText(request(1, user('a')))
  const files = ['/s/a.jsonl', '/s/b.jsonl'].map((path) => ({ path, role: 'log', framing: 'lines' }) as const)
  const set = { files: [files[0]!, files[1]!], agent: null } as const
  const { readSession } = await import('../testing.ts')
  const { tree, records } = await readSession(codelia, set, [Buffer.from(part), Buffer.from(whole)])
  expect(tree.nodes.map(({ id }) => id)).toEqual(['r:2', 'r:2@2', 'r:3@2'])
  expect(tree.session.usage).toMatchObject({ requests: 1, unknown: 0, total: 12, inherited: 0 })
  expect(codelia.requests(records, tree)).toMatchObject([
    { at: 0, inherited: true },
    { at: 2, inherited: false }
  ])
})

test('a request or an answer that was written twice counts once', async () => {
  const asked = request(1, user('a'))
  const said = response(1, assistant('b'))
  const repeats: readonly (readonly object[])[] = [
    [asked, said, said],
    [asked, said, asked, said],
    [asked, said, asked]
  ]
  for (const records of repeats) {
    const { tree } = await readRun(...records)
    expect(tree.session.usage).toMatchObject({ requests: 1, unknown: 0, total: 12 })
  }
  const { tree } = await readRun(asked, asked, said)
  expect(tree.session.usage).toMatchObject({ requests: 2, unknown: 1, total: 12 })
})

test('a request without an answer counts with unknown figures', async () => {
  const { tree, records } = await readRun(request(1, user('a')), response(1, assistant('b')), request(2, user('c')))
  expect(tree.session.usage).toMatchObject({ requests: 2, unknown: 1, total: 12 })
  expect(codelia.requests(records, tree)).toMatchObject([{ at: 1 }, { at: 2, usage: { requests: 1, unknown: 1 } }])
})

test('of 50,000 requests without an answer all are said but the last, which may still be answered', async () => {
  const asked = Array.from({ length: 50_000 }, (_, seq) => request(seq))
  const { tree } = await readRun(...asked)
  expect(tree.faults.filter(({ kind }) => kind === 'request-response-mismatch')).toHaveLength(49_999)
  expect(tree.faults.at(-1)?.line).toBe(50_000)
  expect(tree.session.usage).toMatchObject({ requests: 50_000, unknown: 50_000 })
})

test('a run without a header or a session is named after itself', async () => {
  const record = '{"type":"run.status","run_id":"q","ts":"2026-01-01T00:00:00Z","status":"running"}\n'
  expect((await readText(codelia, record)).tree.session).toMatchObject({ id: 'q', runs: [{ id: 'q' }] })
  expect((await readText(codelia, '')).tree).toMatchObject({
    session: { id: 'made', title: null },
    defaultLeaf: { id: null, reason: 'empty' },
    defaultEntry: null
  })
})

test('a snapshot is its messages', async () => {
  const { claim } = codelia
  const { listFolder } = await import('../listing-testing.ts')
  const set = claim(listFolder(sessionsFixture)).find(({ files }) => files[0].role === 'snapshot')!
  const session = await readFiles(set)
  expect(session.tree.nodes.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
  expect(session.tree.session).toMatchObject({
    id: '5b7e1c22-1111-4222-8333-444455556666',
    title: 'Why does the queue stall?',
    cwd: '/home/dev/queue',
    origin: 'fork',
    parent: { id: sessionId }
  })
  expect(session.lines).toMatchObject([{ class: 'entry', end: 0 }])
})
