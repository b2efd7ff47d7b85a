import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#shared/model/records.ts'
import { readText } from '../testing.ts'
import { dsh } from './index.ts'
import * as log from './log-testing.ts'
import { eventOf } from './packed-row.ts'
import { factsOf } from './schema.ts'

const file = (version: number) => `/dsh/--home-user-project--/made/session${version === 0 ? '' : `.v${version}`}.jsonl`
const read = (text: string, version = 0) => readText(dsh, text, null, file(version))
const readLog = (events: readonly JsonObject[], version = 0, header: JsonObject = {}) =>
  read(log.logText(log.headerOf(version, header), events), version)

const faultsOf = ({ lines }: Awaited<ReturnType<typeof read>>) =>
  lines.flatMap((line) => line.faults.map(({ kind }) => `${line.number} ${kind}`))
const classesOf = ({ lines }: Awaited<ReturnType<typeof read>>) => lines.map((line) => line.class).join(' ')

describe('a header', () => {
  test('is of any generation that is known', async () => {
    for (const version of [0, 1, 2, 3, 4, 5]) {
      const session = await readLog([], version)
      expect(faultsOf(session)).toEqual([])
      expect(session.tree.session).toMatchObject({ id: 'made', cwd: '/home/user/project', origin: 'user' })
      expect(session.tree.preamble).toEqual([[0, session.records.files[0].length]])
    }
  })

  test('of a newer version is read as far as it goes, and said to be newer', async () => {
    const session = await readLog([log.turnStart(1), log.turnEnd(1)], 6)
    expect(faultsOf(session)).toEqual(['1 unknown-version'])
    expect(session.tree.nodes).toHaveLength(2)
  })

  test('that says another version than the file is a fault', async () => {
    expect(faultsOf(await read(log.logText(log.headerOf(1), []), 0))).toEqual(['1 unknown-version'])
  })

  test('with a member of another generation or of nobody is warned of', async () => {
    expect(faultsOf(await readLog([], 0, { sandboxMode: 'x' }))).toEqual(['1 unknown-type'])
    expect(faultsOf(await readLog([], 2, { seedLength: 4 }))).toEqual(['1 unknown-type'])
  })

  test('that is missing leaves the events', async () => {
    const text = log.logText(log.headerOf(0), [log.turnStart(1), log.turnEnd(1)])
    const session = await read(text.slice(text.indexOf('\n') + 1))
    expect(faultsOf(session)).toEqual(['1 missing-header'])
    expect(session.tree.nodes.map(({ id }) => id)).toEqual(['0', '1'])
    expect(session.tree.session.id).toBe('made')
  })

  test('of a fork or a sub-agent names its parent', async () => {
    const fork = await readLog([], 0, { parentSession: 'other', seedLength: 3 })
    expect(fork.tree.session).toMatchObject({ parent: { id: 'other', file: null }, origin: 'fork' })
    expect(fork.tree.faults).toMatchObject([{ kind: 'missing-parent-session' }])
    const child = await readLog([], 3, { parentSession: 'other', origin: 'subagent', delegationDepth: 1 })
    expect(child.tree.session.origin).toBe('subagent')
  })
})

describe('a packed row', () => {
  const row = {
    type: 'tool-call-chunks',
    data: { turn: 1, step: 2, index: 0, id: 'c', name: 'bash', dt: [5, 0], args: ['{', '"a"', '}'] }
  }

  test('is as many events, each with its number, its time and its delta', async () => {
    const { records, lines } = await readLog([log.turnStart(1), row, log.turnEnd(1)])
    expect(
      records.entries.map(({ storedId, part, time, preview }) => [storedId, part, (time ?? 0) - log.begun, preview])
    ).toEqual([
      ['0', 1, 0, ''],
      ['1', 1, 1000, '{'],
      ['2', 2, 1005, '"a"'],
      ['3', 3, 1005, '}'],
      ['4', 1, 4000, '']
    ])
    expect(new Set(lines[2]?.entries.map(({ bytes }) => bytes.join()))).toHaveProperty('size', 1)
    expect(factsOf(records.entries[2]!)).toMatchObject({
      type: 'assistant/chunk',
      turn: 1,
      step: 2,
      chunk: 'tool-call-delta'
    })
  })

  test('gives back the event of each of its members', () => {
    const stored = JSON.parse(log.logLines(log.headerOf(0), [row])[1]!) as JsonObject
    expect(eventOf(stored, 2)).toEqual({
      type: 'assistant/chunk',
      seq: 1,
      time: log.begun + 5,
      data: {
        turn: 1,
        step: 2,
        chunk: { type: 'tool-call-delta', index: 0, id: 'c', name: 'bash', argumentsDelta: '"a"' }
      }
    })
  })

  test.each<[string, JsonObject]>([
    ['no deltas', { turn: 1, step: 1, index: 0, dt: [], texts: [] }],
    ['a time too many', { turn: 1, step: 1, index: 0, dt: [1, 1], texts: ['a', 'b'] }],
    ['another member', { turn: 1, step: 1, index: 0, dt: [1], texts: ['a', 'b'], more: 1 }],
    ['a delta that is no text', { turn: 1, step: 1, index: 0, dt: [1], texts: ['a', 2] }]
  ])('with %s is one bad row', async (_, data) => {
    const session = await readLog([log.turnStart(1), { type: 'text-chunks', data }])
    expect(faultsOf(session)).toEqual(['3 malformed-line'])
    expect(session.tree.notes?.[0]).toMatchObject({ tone: 'info', text: expect.stringContaining('line 3') })
  })

  test('is none from version 2 on', async () => {
    expect(faultsOf(await readLog([row], 2))).toEqual(['2 malformed-line'])
  })
})

describe('a log breaks', () => {
  const good = log.logText(log.headerOf(0), [log.turnStart(1), log.prompt('hi'), log.turnEnd(1)])
  const event = (seq: number, type = 'x/y') => `${JSON.stringify({ type, seq, time: 1, data: {}, ignorable: true })}\n`

  test.each([
    ['a number that is too high', event(5), 'seq-gap'],
    ['a number that was there', event(2), 'seq-conflict'],
    ['no JSON', '{"type":\n', 'malformed-line'],
    ['a blank row', '\n', 'malformed-line'],
    ['no object', '[]\n', 'not-an-object'],
    ['no number', '{"type":"turn/start"}\n', 'malformed-line']
  ])('at %s; what follows is not read', async (_, bad, kind) => {
    const session = await read(`${good}${bad}${event(3)}`)
    expect(faultsOf(session)).toEqual([`5 ${kind}`])
    expect(classesOf(session)).toBe('header entry entry entry fault fault')
    expect(session.tree.notes).toMatchObject([{ tone: 'info', text: expect.stringMatching(/line 5.* is 1 row\.$/) }])
  })

  test('where one row of 10,000 is missing: one fault, all that stands behind it counted', async () => {
    const lines = log.logLines(
      log.headerOf(0),
      Array.from({ length: 10_000 }, (_, turn) => log.turnStart(turn))
    )
    const session = await read(lines.toSpliced(4, 1).join(''))
    expect(session.lines.flatMap(({ faults }) => faults)).toMatchObject([
      {
        kind: 'seq-gap',
        line: 5,
        length: lines[5]!.length,
        message: 'Event 4 stands where 3 should. The log breaks here: what follows is not read.'
      }
    ])
    expect(session.lines.flatMap(({ entries }) => entries)).toHaveLength(3)
    expect(session.lines.filter((line) => line.class === 'fault')).toHaveLength(9_996)
    const text = expect.stringContaining('Behind it are 9,995 rows.')
    expect(session.tree.notes).toMatchObject([{ text, detail: 'Event 4 stands where 3 should.' }, {}])
  })

  test('a torn row behind a break is told beside it', async () => {
    expect(faultsOf(await read(`${good}${event(5)}${event(6)}${event(7)}{"type":`))).toEqual([
      '5 seq-gap',
      '8 torn-tail'
    ])
  })

  test('and is corrupt where a turn ends behind the break', async () => {
    const session = await read(`${good}${event(7)}${JSON.stringify({ ...log.turnEnd(2), seq: 8, time: 1 })}\n`)
    expect(session.tree.nodes).toHaveLength(3)
    expect(session.tree.notes).toMatchObject([{ tone: 'warning', text: expect.stringContaining('dsh refuses') }])
  })

  test('a last row without its line feed is dropped even if it parses', async () => {
    const session = await read(good + event(3).trimEnd())
    expect(faultsOf(session)).toEqual(['5 torn-tail'])
    expect(session.tree.nodes).toHaveLength(3)
  })
})

describe('an event', () => {
  test('of an unknown type is shown; it makes dsh refuse the session unless it may be passed over', async () => {
    const kept = await readLog([{ type: 'x/note', data: {}, ignorable: true }])
    expect([faultsOf(kept), kept.records.entries[0]?.kind, kept.tree.notes]).toEqual([
      ['2 unknown-type'],
      'unknown',
      []
    ])
    const required = await readLog([{ type: 'x/state', data: {} }])
    expect(required.tree.notes).toMatchObject([{ tone: 'warning', detail: 'x/state' }])
    expect(required.tree.row(0).marks).toMatchObject([{ text: 'required' }])
  })

  test('of a type that every object has a member of is as unknown as any other', async () => {
    const named = await readLog(['__proto__', 'constructor', 'toString'].map((type) => ({ type, data: {} })))
    expect(faultsOf(named)).toEqual(['2 unknown-type', '3 unknown-type', '4 unknown-type'])
    expect(named.records.entries.map((entry) => factsOf(entry).type)).toEqual(['__proto__', 'constructor', 'toString'])
  })

  test('stands in the turn and step that it names, else in those that are open', async () => {
    const { tree } = await readLog([
      { type: 'session/title', data: { title: 'Before' } },
      log.turnStart(3),
      log.prompt('hi'),
      log.stepStart(3, 1),
      { type: 'todo/write', data: { todos: [] } },
      log.stepEnd(3, 1),
      log.turnEnd(3),
      { type: 'plan/mode', data: { active: true } }
    ])
    expect(tree.nodes.map((_, at) => [tree.position?.(at).turn, tree.position?.(at).step])).toEqual([
      [null, null],
      [3, null],
      [3, null],
      [3, 1],
      [3, 1],
      [3, 1],
      [3, null],
      [null, null]
    ])
  })

  test('without a time in milliseconds, or with a member that nobody knows, is warned of', async () => {
    expect(faultsOf(await readLog([{ ...log.turnStart(1), time: 'now' }]))).toEqual(['2 bad-timestamp'])
    expect(faultsOf(await readLog([{ ...log.turnStart(1), extra: 1 }]))).toEqual(['2 unknown-type'])
  })

  test('that answers is shown by its words, else by its calls; a result by its call and size', async () => {
    const { tree } = await readLog([
      log.turnStart(1),
      log.answer(1, 1, [log.call('c', 'bash', { command: 'ls -l' })]),
      log.result(1, 1, 'c', 'a\nb\n'),
      log.answer(1, 2, [log.text('two\nfiles')])
    ])
    expect([1, 2, 3].map((at) => [tree.row(at).tool, tree.row(at).summary])).toEqual([
      [null, 'bash ls -l'],
      ['bash', 'ls -l · 2 lines'],
      [null, 'two files']
    ])
  })
})

test('hostile numbers, runs and depths are read without an error', async () => {
  const deep = '['.repeat(5000) + ']'.repeat(5000)
  const lines = [
    JSON.stringify(log.headerOf(0)),
    `{"type":"tool/result","seq":0,"time":1,"data":{"meta":${deep},"message":{"content":[]}},"surfaceOp":"append"}`,
    '{"type":"user/message","seq":1,"time":1e300,"data":{"content":5},"surfaceOp":"append","sourceEventSeqs":[[0,9007199254740991]]}',
    '{"type":"assistant/message","seq":2,"time":1,"data":{"message":{"content":[null,{"type":"tool-call"}]}},"surfaceOp":"append","sourceEventSeqs":[[0,1]]}'
  ]
  const session = await read(`${lines.join('\n')}\n`)
  expect(session.tree.nodes).toHaveLength(3)
  expect(session.tree.session.updatedAt).not.toBeUndefined()
  await dsh.context(session, 2)
  for (const at of [0, 1, 2]) await dsh.blocks(session, at)
})
