import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPath, readText } from '../testing.ts'
import { codelia } from './index.ts'
import {
  assistant,
  atOf,
  end,
  fixtures,
  output,
  prompt,
  readFixture,
  readRun,
  request,
  response,
  result,
  runIds,
  user
} from './testing.ts'

const faultsOf = async (...records: readonly object[]) => {
  const { lines, tree } = await readRun(...records)
  return [...lines.flatMap((line) => line.faults), ...tree.faults].map(({ kind, line }) => [kind, line])
}

test('a damaged run says what is wrong where, and shows all that is whole', async () => {
  const session = await readPath(codelia, join(fixtures, 'damaged.jsonl'))
  const said = session.lines.map((line) => [line.class, ...line.faults.map(({ kind }) => kind)])
  expect(said).toEqual([
    ['fault', 'malformed-line'],
    ['entry'],
    ['blank'],
    ['fault', 'not-an-object'],
    ['entry'],
    ['entry', 'fused-lines'],
    ['entry', 'lone-surrogate'],
    ['entry'],
    ['entry', 'bom'],
    ['fault', 'torn-tail']
  ])
  expect(session.tree.faults.map(({ kind }) => kind)).toEqual([
    'missing-header',
    'request-response-mismatch',
    'unpaired-tool-result'
  ])
  expect(session.lines.reduce((sum, line) => sum + line.length, 0)).toBe(
    readFileSync(join(fixtures, 'damaged.jsonl')).length
  )
  expect(session.tree.session).toMatchObject({ id: 'a1b2c3d4-0004-4000-8000-000000000004', title: null })
  expect(session.tree.row(2)).toMatchObject({ summary: 'Status: paused_for_lunch' })
})

test('a run of another schema version is read and never branched from', async () => {
  const text = '{"type":"header","schema_version":2,"run_id":"r","started_at":"2026-01-01T00:00:00.000Z"}\n'
  const session = await readText(
    codelia,
    `${text}${JSON.stringify({ ...prompt('hello'), ts: '2026-01-01T00:00:00Z' })}\n`
  )
  expect(session.lines[0]).toMatchObject({ class: 'header', faults: [{ kind: 'unknown-version' }] })
  expect(session.tree.notes).toMatchObject([{ tone: 'warning' }, { tone: 'info' }])
  expect(codelia.branchPoint(session, 0)).toMatchObject({ kind: 'refused', nearest: [] })
})

test('unknown types, members and values are entries without a fault', async () => {
  const session = await readRun(
    { type: 'x.acme.note', value: 1 },
    { type: 'later.record', ts: undefined },
    { type: 'run.status', status: 'dreaming', more: {} },
    { type: 'agent.event', seq: 0, event: { type: 'later.event', text: 'hi' } },
    { type: 'run.end', outcome: 'evaporated' }
  )
  expect(session.records.entries.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'event', 'event', 'event'])
  expect([...session.lines.flatMap((line) => line.faults), ...session.tree.faults]).toEqual([])
  expect(session.tree.session.runs).toMatchObject([{ outcome: 'evaporated' }])
  expect((await codelia.blocks(session, 3)).blocks).toMatchObject([])
})

test('a request that was written after its answer is shown without it', async () => {
  const session = await readFixture()
  const asked = atOf(session, `${runIds[1]}:4`)
  const { messages } = await codelia.context(session, asked)
  expect(messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'reasoning',
    'assistant',
    'tool',
    'assistant',
    'user'
  ])
  const line = session.lines.find((one) => one.faults.length > 0)
  expect(line).toMatchObject({ number: 6, faults: [{ kind: 'request-response-mismatch' }] })
})

test('the reasoning of an answer goes with it, and only an equal end is cut without calls', async () => {
  const thought = { role: 'reasoning', content: 'hm' }
  const earlier = { role: 'reasoning', content: 'of another answer' }
  const session = await readRun(
    request(1, user('go'), earlier, thought, assistant(null, 'c'), result('c'), assistant('done.')),
    response(1, thought, assistant(null, 'c')),
    output('c'),
    request(2, user('again'), assistant('done.'), user('and again'), assistant('done.')),
    response(2, assistant('done.')),
    request(3, user('again'), assistant('done.'), user('last')),
    response(3, assistant('done.'))
  )
  const roles = async (at: number) => (await codelia.context(session, at)).messages.map(({ role }) => role)
  expect(await roles(0)).toEqual(['user', 'reasoning'])
  expect(await roles(3)).toEqual(['user', 'assistant', 'user'])
  expect(await roles(5)).toEqual(['user', 'assistant', 'user'])
})

test('requests and answers are paired by their number', async () => {
  expect(await faultsOf(request(1, user('a')), response(2, assistant('b')), end('completed'))).toEqual([
    ['request-response-mismatch', 2],
    ['request-response-mismatch', 3]
  ])
  expect(await faultsOf(request(1, user('a')), request(2, user('a')), response(2, assistant('b')))).toEqual([
    ['request-response-mismatch', 2]
  ])
  expect(await faultsOf(request(1, user('a')), end('error'))).toEqual([])
  expect(await faultsOf(request(1, user('a')), response(1, assistant('b')), response(1, assistant('b')))).toEqual([
    ['request-response-mismatch', 4]
  ])
})

test('a call without an output is a fault once its run went on without it', async () => {
  const asks = [request(1, user('a')), response(1, assistant(null, 'c'))]
  expect(await faultsOf(...asks)).toEqual([])
  expect(await faultsOf(...asks, end('cancelled'))).toEqual([])
  expect(await faultsOf(...asks, end('completed'))).toEqual([['unpaired-tool-call', 3]])
  expect(await faultsOf(...asks, request(2, user('a')), end('error'))).toEqual([['unpaired-tool-call', 3]])
  expect(await faultsOf(output('z'))).toEqual([['unpaired-tool-result', 2]])
})

test('a line of 3 MB is read as one of three bytes is', async () => {
  const long = 'x'.repeat(3_000_000)
  const session = await readRun(
    prompt('go'),
    request(1, user('go'), user(long), assistant(null, 'c')),
    response(1, assistant(null, 'c')),
    output('c', long),
    request(2, user('go'), user(long), assistant(null, 'c'), result('c', long)),
    response(2, assistant('done'))
  )
  const { messages } = await codelia.context(session, 1)
  expect(messages.map(({ text }) => text.length)).toEqual([2, 3_000_000])
  expect((await codelia.context(session, 4)).messages.map(({ sources }) => sources)).toEqual([
    ['r:2'],
    ['r:6'],
    ['r:4'],
    ['r:5']
  ])
  expect((await codelia.blocks(session, 3)).blocks[0]!.text).toHaveLength(3_000_000)
})

test('what a compaction wrote was typed by nobody, so it is no message of the person', async () => {
  const stored = [
    '[codelia.compaction.retain]\nx',
    '[codelia.compaction.summary]\ny',
    'go',
    'is [codelia.compaction.summary]'
  ]
  const text = stored.map((one) => `${JSON.stringify(user(one))}\n`).join('')
  const { records } = await readText(codelia, text, null, '/s/messages/s.jsonl')
  expect(records.entries.map(({ kind, role }) => `${kind} ${role}`)).toEqual([
    'custom user',
    'custom user',
    'message user',
    'message user'
  ])
})
