import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentId } from '#shared/model/agent.ts'
import { type ReadSession, readPath, readText } from '../testing.ts'
import { omp } from './index.ts'

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name)

type Made = Readonly<Record<string, unknown>>

/** A chain of entries e0, e1, …; each may name its own parent. */
function chain(entries: readonly Made[], agent: AgentId): Promise<ReadSession> {
  const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' }
  const body = entries.map((entry, at) => ({
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: '2026-01-01T00:00:01.000Z',
    ...entry
  }))
  return readText(omp, [header, ...body].map((object) => `${JSON.stringify(object)}\n`).join(''), agent)
}

const user = (text: string): Made => ({ type: 'message', message: { role: 'user', content: text } })
const answer = (text: string, more: Made = {}): Made => ({
  type: 'message',
  message: {
    role: 'assistant',
    provider: 'p',
    model: 'm/x',
    content: text === '' ? [] : [{ type: 'text', text }],
    stopReason: 'stop',
    ...more
  }
})
const calling = (id: string, more: Made = {}): Made =>
  answer('', {
    content: [{ type: 'toolCall', id, name: 'read', arguments: { path: 'a' } }],
    stopReason: 'toolUse',
    ...more
  })
const result = (id: string, text = 'out'): Made => ({
  type: 'message',
  message: { role: 'toolResult', toolCallId: id, toolName: 'read', content: [{ type: 'text', text }], isError: false }
})
const compaction = (more: Made): Made => ({ type: 'compaction', summary: 'SUM', tokensBefore: 1, ...more })
const custom = (customType: string, content: unknown = 'note'): Made => ({
  type: 'custom_message',
  customType,
  content,
  display: true
})

async function textsOf(entries: readonly Made[], agent: AgentId): Promise<readonly string[]> {
  const context = await omp.context(await chain(entries, agent), null)
  return context.messages.map((message) => message.text)
}

describe('pi', () => {
  test('puts the last edit of an entry in its place, and takes it out where the edit is null', async () => {
    const entries = [
      user('one'),
      answer('two'),
      user('three'),
      { type: 'context_edit', targetId: 'e0', replacement: null },
      { type: 'context_edit', targetId: 'e0', replacement: { content: 'ONE' } },
      { type: 'context_edit', targetId: 'e1', replacement: { content: [{ type: 'text', text: 'TWO' }] } },
      { type: 'context_edit', targetId: 'e2', replacement: null }
    ]
    const context = await omp.context(await chain(entries, 'pi'), null)
    expect(context.messages.map((message) => [message.text, message.sources])).toEqual([
      ['ONE', ['e0', 'e4']],
      ['TWO', ['e1', 'e5']]
    ])
    expect(context.omitted).toEqual([{ entry: 'e2', reason: 'an edit of the context took it out' }])
    expect(await textsOf(entries, 'omp')).toEqual(['one', 'two', 'three'])
  })

  test("drops system messages of the kept range and sends the compaction's own first", async () => {
    const system = { type: 'message', message: { role: 'system', content: 'old rules' } }
    const entries = [
      user('a'),
      system,
      user('b'),
      compaction({ firstKeptEntryId: 'e0', systemMessage: { role: 'system', content: 'rules' } }),
      system
    ]
    const context = await omp.context(await chain(entries, 'pi'), null)
    expect(context.messages.map((message) => `${message.kind} ${message.text}`)).toEqual([
      'system rules',
      'compaction-summary SUM',
      'message a',
      'message b',
      'system old rules'
    ])
  })

  test('takes its own form of a model change, and the last answer before it', async () => {
    const entries = [answer('a'), { type: 'model_change', model: 'q/n' }]
    expect((await omp.context(await chain(entries, 'pi'), null)).model).toEqual({ provider: 'p', name: 'm/x' })
    const own = [answer('a'), { type: 'model_change', provider: 'q/r', modelId: 'n' }]
    expect((await omp.context(await chain(own, 'pi'), null)).model).toEqual({ provider: 'q/r', name: 'n' })
  })

  test('sends what is excluded from the context as a message that is not sent', async () => {
    const context = await omp.context(await readPath(omp, fixture('pi-branches.jsonl')), null)
    expect(context.messages.map((message) => `${message.role}: ${message.text}`)).toEqual([
      'user: Why does the worker stall?',
      'assistant: I will read the worker.',
      'branchSummary: Tried a test first.',
      'bashExecution: git status\nclean'
    ])
    expect(context.messages.at(-1)).toMatchObject({ sent: false })
    expect(context.thinking).toBe('medium')
  })
})

describe('omp', () => {
  test('begins behind the last cleared context, if no compaction follows', async () => {
    const reset = { type: 'reset_boundary' }
    expect(await textsOf([user('a'), compaction({ firstKeptEntryId: 'e0' }), reset, user('b')], 'omp')).toEqual(['b'])
    expect(
      await textsOf([user('a'), reset, user('b'), compaction({ firstKeptEntryId: 'e0' }), user('c')], 'omp')
    ).toEqual(['SUM', 'a', 'b', 'c'])
    expect(await textsOf([user('a'), reset, user('b')], 'pi')).toEqual(['a', 'b'])
  })

  test("a provider's own replacement stands for the kept range", async () => {
    const remote = { preserveData: { openaiRemoteCompaction: { provider: 'openai', replacementHistory: [{}] } } }
    const before = [user('a'), user('b'), user('c')]
    const kept = { firstKeptEntryId: 'e0', ...remote }
    expect(await textsOf([...before, compaction(kept), user('d')], 'omp')).toEqual(['SUM', 'd'])
    expect(await textsOf([...before, compaction({ ...kept, providerReplayThroughEntryId: 'e1' })], 'omp')).toEqual([
      'SUM',
      'c'
    ])
    expect(await textsOf([...before, compaction(kept)], 'pi')).toEqual(['SUM', 'a', 'b', 'c'])
    const broken = { preserveData: { openaiRemoteCompaction: { provider: '', replacementHistory: [{}] } } }
    expect(await textsOf([...before, compaction({ firstKeptEntryId: 'e2', ...broken })], 'omp')).toEqual(['SUM', 'c'])
  })

  test('a rollover keeps the latest prompt right behind the summary', async () => {
    const rollover = { details: { kind: 'experimental-context-rollover' } }
    const before = [user('a'), user('prompt'), answer('b'), answer('c')]
    expect(await textsOf([...before, compaction({ firstKeptEntryId: 'e3', ...rollover })], 'omp')).toEqual([
      'SUM',
      'prompt',
      'c'
    ])
    expect(await textsOf([...before, compaction({ firstKeptEntryId: 'e1', ...rollover })], 'omp')).toEqual([
      'SUM',
      'prompt',
      'b',
      'c'
    ])
    expect(await textsOf([...before, compaction({ firstKeptEntryId: 'gone', ...rollover })], 'omp')).toEqual(['SUM'])
  })

  test('puts the latest notes in front of all', async () => {
    const notes = (text: string) => ({
      type: 'custom',
      customType: 'experimental_context_notes',
      data: { version: 1, text }
    })
    expect(await textsOf([user('a'), notes('old'), notes('new'), user('b')], 'omp')).toEqual(['new', 'a', 'b'])
    expect(await textsOf([user('a'), notes('old'), { type: 'reset_boundary' }, user('b')], 'omp')).toEqual(['b'])
    expect(await textsOf([user('a'), notes('old'), notes(''), user('b')], 'omp')).toEqual(['a', 'b'])
  })

  test('never sends its mode messages, replaced retries and failures without content', async () => {
    const entries = [
      user('a'),
      custom('prewalk-plan'),
      custom('vibe-mode-context'),
      custom('ext'),
      custom('odd', { no: 'text' }),
      answer('retried', { retryRecovery: true }),
      answer('', { stopReason: 'error' }),
      answer('b')
    ]
    const context = await omp.context(await chain(entries, 'omp'), null)
    expect(context.messages.map((message) => message.text)).toEqual(['a', 'note', 'b'])
    expect(context.omitted.map((omission) => omission.entry)).toEqual(['e1', 'e2', 'e4', 'e5', 'e6'])
  })

  test('strips calls without a result, and the message that has nothing else', async () => {
    const mixed = calling('open', {
      content: [
        { type: 'text', text: 'look' },
        { type: 'redactedThinking', data: 'x' },
        { type: 'toolCall', id: 'open', name: 'read', arguments: {} },
        { type: 'toolCall', id: 'closed', name: 'read', arguments: {} }
      ],
      usage: { output: 7 }
    })
    const context = await omp.context(await chain([user('a'), mixed, result('closed'), calling('lost')], 'omp'), null)
    expect(context.messages.map((message) => message.blocks.map((block) => block.type).join(' '))).toEqual([
      'text',
      'text tool-call',
      'text'
    ])
    expect(context.messages[1]).toMatchObject({ recordedTokens: null })
    expect(context.omitted).toEqual([{ entry: 'e3', reason: 'its calls have no result, so omp takes it out' }])
  })

  test('leaves out failed answers with the results of their calls, unless a note on interrupted thinking follows', async () => {
    const failed = calling('c', { stopReason: 'aborted' })
    expect(await textsOf([user('a'), failed, result('c'), answer('b')], 'omp')).toEqual(['a', 'b'])
    const thought = answer('half a thought', { stopReason: 'aborted' })
    expect(await textsOf([user('a'), thought, custom('interrupted-thinking')], 'omp')).toEqual([
      'a',
      'half a thought',
      'note'
    ])
    expect(await textsOf([user('a'), thought, user('b'), custom('interrupted-thinking')], 'omp')).toEqual([
      'a',
      'b',
      'note'
    ])
  })

  test('any number of failed answers in a row goes in one pass', async () => {
    const entries = Array.from({ length: 20_000 }, () => answer('x', { stopReason: 'aborted' }))
    expect(await textsOf(entries, 'omp')).toEqual([])
  })

  test('has one model a role, the default one by an explicit change or else by the last answer', async () => {
    const change = (model: string, role?: string) => ({
      type: 'model_change',
      model,
      ...(role === undefined ? {} : { role })
    })
    const modelOf = async (entries: readonly Made[]) => (await omp.context(await chain(entries, 'omp'), null)).model
    expect(await modelOf([change('q/small', 'smol'), answer('a')])).toEqual({ provider: 'p', name: 'm/x' })
    expect(await modelOf([change('q/big'), answer('a')])).toEqual({ provider: 'q', name: 'big' })
    expect(await modelOf([{ type: 'model_change', provider: 'p', modelId: 'm' }])).toBeNull()
  })
})

describe('what the agent itself would not load', () => {
  const header = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z"}\n'
  const one =
    '{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"hi"}}\n'

  test.each([
    ['pi', 'no header', one, 0],
    ['omp', 'no header', one, 0],
    ['pi', 'a byte order mark', `\ufeff${header}${one}`, 0],
    ['omp', 'a byte order mark', `\ufeff${header}${one}`, 1],
    ['pi', 'a title line', `{"type":"title","v":1,"title":"t"}\n${header}${one}`, 0],
    ['omp', 'a title line', `{"type":"title","v":1,"title":"t"}\n${header}${one}`, 1]
  ] as const)('%s with %s', async (agent, _, text, count) => {
    const session = await readText(omp, text, agent)
    const context = await omp.context(session, null)
    expect(session.records.entries).toHaveLength(1)
    expect(context.messages).toHaveLength(count)
    expect(context.omitted.map((omission) => omission.entry)).toEqual(count === 0 ? ['a'] : [])
  })

  test('of an empty file there is no entry either, and a header alone has the thinking level that all begin with', async () => {
    expect(await omp.context(await readText(omp, ''), null)).toMatchObject({
      entry: null,
      thinking: null,
      messages: [],
      omitted: []
    })
    expect(await omp.context(await readText(omp, header), null)).toMatchObject({ entry: null, thinking: 'off' })
  })
})

test('recorded tokens are an answer’s own output, and a provider that reports 0 has reported nothing', async () => {
  const entries = [user('a'), answer('b', { usage: { output: 12 } }), answer('c', { usage: { output: 0 } })]
  const context = await omp.context(await chain(entries, 'pi'), null)
  expect(context.messages.map((message) => message.recordedTokens)).toEqual([null, 12, null])
})

test('tool results keep their own blocks beside the call they answer', async () => {
  const context = await omp.context(await chain([calling('c1'), result('c1', 'found')], 'pi'), null)
  expect(context.messages).toMatchObject([
    {
      role: 'assistant',
      text: '',
      blocks: [{ type: 'tool-call', id: 'c1', name: 'read', arguments: { path: 'a' } }],
      stopReason: 'toolUse'
    },
    { role: 'toolResult', text: 'found', blocks: [{ type: 'text', text: 'found' }], callId: 'c1', isError: false }
  ])
})
