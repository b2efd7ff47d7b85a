import { expect, test } from 'vitest'
import { fatesOf } from '#main/compaction/fates-of.ts'
import type { Message } from '#shared/model/message.ts'
import type { ReadSession } from '../testing.ts'
import { codelia } from './index.ts'
import {
  assistant,
  atOf,
  end,
  event,
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

const texts = async (session: ReadSession, at: number | null) =>
  (await codelia.context(session, at)).messages.map(({ role, text }) => `${role}: ${text}`)

test('what the model saw grows with the answer, its outputs and the next prompt', async () => {
  const session = await readRun(
    prompt('list'),
    request(1, user('list')),
    response(1, assistant(null, 'c')),
    output('c', 'the whole of it'),
    event(0, 'tool_result', { tool: 'shell', tool_call_id: 'c', result: 'a part of it' }),
    { type: 'run.status', status: 'running' }
  )
  expect(await texts(session, 0)).toEqual(['user: list'])
  expect(await texts(session, 2)).toEqual(['user: list', 'assistant: '])
  expect(await texts(session, 3)).toEqual(['user: list', 'assistant: ', 'tool: the whole of it'])
  expect(await texts(session, 5)).toEqual(['user: list', 'assistant: ', 'tool: a part of it'])
  const { messages, model, entry } = await codelia.context(session, null)
  expect({ entry, model }).toEqual({ entry: 'r:4', model: { provider: 'p', name: 'm' } })
  expect(messages[1]).toMatchObject({
    blocks: [{ type: 'tool-call', id: 'c', name: 'shell', arguments: { command: 'ls' } }],
    stopReason: 'end_turn',
    recordedTokens: 2,
    sources: ['r:4']
  })
})

test('messages name the entries that they come from, equal ones in their order', async () => {
  const session = await readRun(
    prompt('go'),
    request(1, { role: 'system', content: 's' }, user('go')),
    response(1, assistant('done.')),
    prompt('go'),
    request(2, { role: 'system', content: 's' }, user('go'), assistant('done.'), user('go')),
    response(2, assistant('done.')),
    request(3, user('go'), assistant('done.'), user('go'), assistant('done.'))
  )
  const { messages } = await codelia.context(session, 6)
  expect(messages.map(({ sources }) => sources[0])).toEqual(['r:2', 'r:4', 'r:5', 'r:7'])
  expect((await codelia.context(session, 4)).messages[0]!.sources).toEqual(['r:6'])
})

test('the prompt for a last answer is shown where it was sent, and neither stays', async () => {
  const last = user('You are generating the final response. Say what was done.')
  const session = await readRun(
    prompt('go'),
    request(1, user('go'), last),
    response(1, assistant('all of it')),
    end('completed')
  )
  expect(await texts(session, 2)).toEqual(['user: go', `user: ${last.content}`, 'assistant: all of it'])
  const { files } = await codelia.planBranch(session, { at: 2, now: new Date(0), into: null })
  const [piece] = files[0].pieces
  expect(JSON.parse(piece!.kind === 'text' ? piece!.text : '').messages).toEqual([user('go')])
})

test('the messages that a session is resumed from are what they are', async () => {
  const session = await readFixture()
  expect(await texts(session, atOf(session, 'm3'))).toEqual([
    'user: [codelia.compaction.retain]\n- the lock is in queue.ts',
    'user: [codelia.compaction.summary]\nThe lock of the queue leaked; it is released now.',
    'user: Fix it as in this picture.'
  ])
  const { messages, model, thinking, entry } = await codelia.context(session, null)
  expect({ model, entry }).toEqual({ model: { provider: 'anthropic', name: 'claude-sonnet' }, entry: 'm7' })
  expect(thinking).toBe('high')
  expect(messages.map(({ kind }) => kind)).toEqual([
    'custom',
    'compaction-summary',
    'message',
    'message',
    'message',
    'message',
    'message'
  ])
  expect(messages[2]!.blocks).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/png', bytes: 70 }])
})

test('what is not in a context is named with the reason', async () => {
  const session = await readFixture()
  const { omitted } = await codelia.context(session, atOf(session, `${runIds[1]}:18`))
  expect(omitted.map(({ entry, reason }) => `${entry.slice(9, 13)} ${entry.slice(37)} ${reason}`)).toEqual([
    '0001 2 the compaction took it out',
    '0001 5 the compaction took it out',
    '0001 11 the compaction took it out',
    '0001 16 the compaction took it out',
    '0002 9 the compaction took it out',
    '0002 12 the compaction took it out'
  ])
})

async function fates(session: ReadSession, at: number) {
  const before = (await codelia.context(session, at - 1)).messages as unknown as Message[]
  const after = (await codelia.context(session, at)).messages as unknown as Message[]
  const { covered } = await codelia.compaction(session, at)
  const ids = new Set([...covered!].map((index) => session.tree.nodes[index]!.id))
  const { before: left, after: right } = fatesOf(before, after, (source) => ids.has(source))
  return { before: left, after: right }
}

test('a compaction inside a run is told by the request behind it', async () => {
  const session = await readFixture()
  const at = atOf(session, `${runIds[1]}:16`)
  expect(await fates(session, at)).toEqual({
    // system, user, reasoning, assistant, tool, assistant, user, assistant, tool, tool
    before: [
      'kept',
      'summarised',
      'summarised',
      'summarised',
      'summarised',
      'summarised',
      'kept',
      'rewritten',
      'summarised',
      'summarised'
    ],
    after: ['kept', 'added', 'added', 'kept', 'rewritten']
  })
  expect(await codelia.compaction(session, at)).toMatchObject({
    trigger: null,
    summary: '[codelia.compaction.summary]\nThe lock of the queue leaked; it is released now.',
    recordedBefore: null,
    recordedAfter: null
  })
})

const retain = (text: string) => user(`[codelia.compaction.retain]\n${text}`)
const summary = (text: string) => user(`[codelia.compaction.summary]\n${text}`)
const compacted = (seq: number) => event(seq, 'compaction_complete', { compacted: true })

test('of an earlier compaction the retained text lives on and the summary goes', async () => {
  const session = await readRun(
    request(1, user('a')),
    response(1, assistant('b')),
    compacted(0),
    request(2, retain('x'), summary('one'), user('c')),
    response(2, assistant('d')),
    compacted(1),
    request(3, retain('x\n\ny'), summary('two'), user('c'), assistant('d'))
  )
  expect(await fates(session, 5)).toEqual({
    before: ['rewritten', 'dropped', 'kept', 'kept'],
    after: ['rewritten', 'added', 'kept', 'kept']
  })
})

test('nothing shows what the last compaction of a run left: that is said, and no branch begins there', async () => {
  const session = await readRun(prompt('a'), request(1, user('a')), response(1, assistant('b')), compacted(0))
  const { faults } = await codelia.context(session, 3)
  expect(faults).toMatchObject([{ kind: 'request-response-mismatch', entry: 'r:5' }])
  expect(codelia.branchPoint(session, 3)).toEqual({
    kind: 'refused',
    reason: 'Nothing shows what the compaction before it left.',
    nearest: ['r:4']
  })
})

test('a command is not sent, and says what asked for the compaction', async () => {
  const session = await readRun(
    request(1, user('a')),
    response(1, assistant('b')),
    prompt('/compact all of it'),
    compacted(0),
    request(2, summary('one'), user('c'))
  )
  expect(await texts(session, 2)).toEqual(['user: a', 'assistant: b'])
  expect(await codelia.compaction(session, 3)).toMatchObject({ trigger: '/compact' })
  expect((await codelia.context(session, 4)).omitted).toContainEqual({
    entry: 'r:4',
    reason: 'a command of the agent’s own is not sent'
  })
})

test('parts of a message that are no text are shown as what they are', async () => {
  const parts = [
    { type: 'text', text: 'see' },
    { type: 'image_url', image_url: { url: 'https://example.com/x.png' } },
    { type: 'document', source: { data: 'AAAA', media_type: 'application/pdf' } },
    { type: 'other', provider: 'p', kind: 'k', payload: { deep: [1] } },
    { type: 'text', text: 'this' }
  ]
  const session = await readRun(request(1, user(parts), { ...assistant('no'), refusal: 'I will not' }, result('c')))
  const { messages } = await codelia.context(session, 0)
  expect(messages[0]).toMatchObject({ text: 'see\nthis' })
  expect(messages[0]!.blocks.map((block) => ('name' in block ? block.name : block.type))).toEqual([
    'text',
    'image_url',
    'document',
    'other',
    'text'
  ])
  expect(messages[1]).toMatchObject({ text: 'no\nI will not' })
  expect(messages[2]).toMatchObject({ callId: 'c', isError: false, text: 'c' })
})
