import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EntryRecord } from '#shared/model/records.ts'
import { type ReadSession, readSession } from '../testing.ts'
import { shellAgent } from './index.ts'

const place = '/home/.bash-agent/projects/-p/20260203-101500-aa01'
const set = {
  files: [
    { path: join(place, 'conversation.jsonl'), role: 'messages', framing: 'lines' },
    { path: join(place, 'events.jsonl'), role: 'events', framing: 'lines' },
    { path: join(place, 'stats.json'), role: 'snapshot', framing: 'document' }
  ],
  agent: null
} as const

const read = (events: string | Buffer, conversation = '', stats = ''): Promise<ReadSession> =>
  readSession(shellAgent, set, [Buffer.from(conversation), Buffer.from(events), Buffer.from(stats)])

const line = (value: unknown) => `${JSON.stringify(value)}\n`
const token = (content: string, type = 'text') => line({ type, content })

async function objects(session: ReadSession) {
  const found = []
  for await (const object of session.content.objects([...session.records.entries.keys()])) found.push(object)
  return found
}

const ids = ({ tree }: ReadSession) => tree.nodes.map(({ id }) => id)
const faults = (session: ReadSession) =>
  session.lines.flatMap((one) => one.faults.map(({ kind, line: at }) => [kind, at]))
const range = ({ bytes }: EntryRecord) => bytes

describe('token events', () => {
  test('of one type that follow each other are one entry, with the bytes of all and their text together', async () => {
    const text = [token('a '), token('b '), token('c'), token('why', 'thinking'), token('d')].join('')
    const session = await read(text)
    expect(ids(session)).toEqual(['e1', 'e4', 'e5'])
    const first = Buffer.byteLength(token('a ') + token('b ') + token('c'))
    expect(session.records.entries.map(range)).toEqual([
      [0, first - 1],
      [first, token('why', 'thinking').length - 1],
      [first + token('why', 'thinking').length, token('d').length - 1]
    ])
    expect(session.records.entries[0]).toMatchObject({ preview: 'a b c', facts: { tokens: 3 } })
    expect(await objects(session)).toEqual([
      { type: 'text', content: 'a b c' },
      { type: 'thinking', content: 'why' },
      { type: 'text', content: 'd' }
    ])
  })

  test('are parted by any other line: an event, a blank, a fault', async () => {
    const session = await read(
      `${token('a')}\n${token('b')}{"type\n${token('c')}${line({ type: 'retry' })}${token('d')}`
    )
    expect(ids(session)).toEqual(['e1', 'e3', 'e5', 'e6', 'e7'])
    expect(faults(session)).toEqual([['malformed-line', 4]])
  })

  test('a hundred thousand of them are one small record, and little is remembered of them', async () => {
    const count = 100_000
    const session = await read(token('word ').repeat(count))
    expect(ids(session)).toEqual(['e1'])
    expect(session.records.entries[0]!.bytes).toEqual([0, token('word ').length * count - 1])
    expect(JSON.stringify(session.records.entries).length).toBeLessThan(1000)
    expect(JSON.stringify(session.records.files[1]!.state).length).toBeLessThan(1000)
    const [object] = await objects(session)
    expect(object).toEqual({ type: 'text', content: 'word '.repeat(count) })
  })

  test('that have no line feed yet stay by themselves', async () => {
    expect(ids(await read(`${token('a')}${token('b').trimEnd()}`))).toEqual(['e1', 'e2'])
    expect(ids(await read(`${token('a')}${token('b')}`))).toEqual(['e1'])
  })

  test('that keep alternating are as many entries as the first four texts, and all that follow are in the fourth', async () => {
    const count = 10_000
    const pair = token('so ', 'thinking') + token('it ')
    const whole = pair.repeat(count)
    const session = await read(whole + line({ type: 'stop', reason: 'end_turn' }) + pair)
    expect(ids(session)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e20001', 'e20002', 'e20003'])
    const last = pair.length * 3 + token('so ', 'thinking').length
    expect(session.records.entries[7]).toMatchObject({
      bytes: [last, whole.length - last - 1],
      preview: 'it '.repeat(67).slice(0, 200),
      facts: { type: 'text', tokens: count * 2 - 7 }
    })
    expect((await objects(session)).slice(6, 8)).toEqual([
      { type: 'thinking', content: 'so ' },
      { type: 'text', content: 'it '.repeat(count - 3), thinking: 'so '.repeat(count - 4) }
    ])
    const { blocks } = await shellAgent.blocks(session, 7)
    expect(blocks.map(({ type, text }) => [type, text])).toEqual([
      ['thinking', 'so '.repeat(count - 4)],
      ['text', 'it '.repeat(count - 3)]
    ])
  })

  test('that keep alternating are one answer of the conversation all the same', async () => {
    const answer = { thinking: 'a'.repeat(9), text: 'b'.repeat(9) }
    const tokens = (token('a', 'thinking') + token('b')).repeat(9)
    const prompt = line({ type: 'user_input', content: 'go' })
    const compaction = line({ type: 'usage', kind: 'compact', input_tokens: 1 })
    const blocks = [
      { type: 'thinking', thinking: answer.thinking },
      { type: 'text', text: answer.text }
    ]
    const asked = line({ role: 'user', content: 'go' })
    const kept = await read(prompt + tokens, asked + line({ role: 'assistant', content: blocks }))
    expect(kept.tree.nodes.filter((_, at) => kept.tree.row(at).marks !== undefined)).toEqual([])

    const dropped = await read(prompt + tokens + line({ type: 'usage', kind: 'agent' }) + compaction + prompt, asked)
    const compacted = dropped.records.entries.findIndex(({ kind }) => kind === 'compaction')
    const { messages } = await shellAgent.context(dropped, compacted - 1)
    expect(messages.at(-1)?.blocks).toEqual([
      { type: 'thinking', text: answer.thinking },
      { type: 'text', text: answer.text }
    ])
  })

  test('with raw control bytes are read too, each said once', async () => {
    const session = await read(`${token('a')}{"type":"text","content":"\u001b[1mb"}\n${token('c')}`)
    expect(ids(session)).toEqual(['e1'])
    expect(faults(session)).toEqual([['repaired-line', 2]])
    expect(session.records.entries[0]!.preview).toBe('abc')
    expect(await objects(session)).toEqual([{ type: 'text', content: 'a\u001b[1mbc' }])
  })

  test('of any texts come back whole, and every byte is in one line', async () => {
    const run = fc.tuple(
      fc.constantFrom('text', 'thinking'),
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 })
    )
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 6 }), async (runs) => {
        const session = await read(
          runs.map(([type, texts]) => texts.map((text) => token(text, type)).join('')).join('')
        )
        const joined: { type: string; content: string }[] = []
        for (const [type, texts] of runs) {
          const last = joined.at(-1)
          if (last?.type === type) last.content += texts.join('')
          else joined.push({ type, content: texts.join('') })
        }
        expect(await objects(session)).toEqual(joined)
      }),
      { numRuns: 60 }
    )
  })
})

test('what the agent writes wrongly is an entry, with an information of what it was', async () => {
  const raw = '{"type":"tool_result","tool_use_id":"c","name":"Bash","content":"\u001b[31mred\u001b[0m\u0001"}\n'
  const fork = '{"type":"sub_agent_start","session_id":"sub_1","prompt":"p","description":"d","fork":}\n'
  const session = await read(raw + fork)
  expect(faults(session)).toEqual([
    ['repaired-line', 1],
    ['repaired-line', 2]
  ])
  expect(session.lines.map((one) => one.class)).toEqual(['entry', 'entry'])
  expect(await objects(session)).toMatchObject([{ content: '\u001b[31mred\u001b[0m\u0001' }, { fork: null }])
  expect(session.records.entries[0]!.preview).toBe('red\u0001')
})

test('what cannot be read is a fault, and nothing behind it is lost', async () => {
  const bad = ['{"type":"text","con', '[]', 'null', '\u001b', '{"type":"te{"a":1}']
  const session = await read(`${bad.join('\n')}\n${line({ type: 'stop', reason: 'end_turn' })}{"type":"te`)
  expect(faults(session)).toEqual([
    ['malformed-line', 1],
    ['not-an-object', 2],
    ['not-an-object', 3],
    ['malformed-line', 4],
    ['malformed-line', 5],
    ['torn-tail', 7]
  ])
  expect(ids(session)).toEqual(['e6'])
})

test('of lines that ran into each other every whole object is an entry', async () => {
  const prompt = '{"type":"user_input","content":"on"}'
  const torn = '{"type":"text","content":"half a'
  const session = await read(`${token('a')}${torn}${prompt}\n${prompt}${token('b')}${token('c')}`)
  expect(ids(session)).toEqual(['e1', 'e2', 'e3', 'e3.2', 'e4'])
  expect(faults(session)).toEqual([
    ['fused-lines', 2],
    ['fused-lines', 3]
  ])
  expect(session.lines[1]!.faults[0]!.message).toContain(
    `one whole object was recovered, ${torn.length} bytes are lost`
  )
  expect((await objects(session)).map((object) => object?.['content'])).toEqual(['a', 'on', 'on', 'b', 'c'])
})

test('a byte order mark is passed over', async () => {
  const session = await read(`\ufeff${token('a')}`, `\ufeff{"role":"user","content":"hi"}\n`)
  expect(ids(session)).toEqual(['c1', 'e1'])
  expect((await objects(session)).map((object) => object?.['content'])).toEqual(['hi', 'a'])
})

test('no name that an event gives leads to a file that cannot be', async () => {
  for (const name of ['../../etc', 'x'.repeat(1000), '\u0000', '/etc/passwd', '..', '\u{1f600}'.repeat(200)]) {
    const session = await read(line({ type: 'session_fork', session_id: 'a', source_session_id: name }))
    expect(session.tree.session.parent?.file).toBeNull()
  }
})

test('a type that is not known is kept and said', async () => {
  const session = await read(line({ type: 'weather', sky: 'grey' }) + line({ no: 'type' }))
  expect(session.records.entries.map(({ kind }) => kind)).toEqual(['unknown', 'unknown'])
  expect(faults(session)).toEqual([
    ['unknown-type', 1],
    ['unknown-type', 2]
  ])
  expect(await objects(session)).toEqual([{ type: 'weather', sky: 'grey' }, { no: 'type' }])
})

test('members are read by their names, in whatever order', async () => {
  const session = await read('{"content":"hi","type":"user_input"}\n', '{"content":"hi","role":"user"}\n')
  expect(session.records.entries.map(({ role, preview }) => [role, preview])).toEqual([
    ['user', 'hi'],
    ['user', 'hi']
  ])
  expect(session.tree.row(0).marks).toBeUndefined()
})

test('counters that are not the sums are a fault of stats.json, with both numbers', async () => {
  const events = line({ type: 'usage', input_tokens: 1200, output_tokens: 5, kind: 'agent' })
  const session = await read(
    events,
    '',
    '{"total_input_tokens":"1,000","total_output_tokens":"7","agent_request_count":1}'
  )
  expect(session.tree.faults).toMatchObject([
    { kind: 'stats-drift', file: 2, message: 'stats.json counts 7 output tokens, the usage events 5.' }
  ])
  expect((await read(events, '', '')).tree.faults).toEqual([])
  expect((await read(events, '', '{}')).tree.faults).toEqual([])
})

test('counters that are no JSON are a fault, and nothing is made of them', async () => {
  const session = await read('', '', '{"total_input_tokens":')
  expect(session.lines.map((one) => [one.class, one.faults.map(({ kind }) => kind)])).toEqual([
    ['fault', ['malformed-line']]
  ])
  expect(session.tree.session.usage.total).toBe(0)
})
