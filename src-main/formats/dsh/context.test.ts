import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#shared/model/records.ts'
import { readText } from '../testing.ts'
import { dsh } from './index.ts'
import * as log from './log-testing.ts'
import { factsOf } from './schema.ts'

const readLog = (events: readonly JsonObject[], version = 0) =>
  readText(
    dsh,
    log.logText(log.headerOf(version), events),
    null,
    `/dsh/--home-user-project--/made/session${version === 0 ? '' : `.v${version}`}.jsonl`
  )

const contextOf = async (events: readonly JsonObject[], at: number | null = null, version = 0) =>
  dsh.context(await readLog(events, version), at)

const said = (messages: readonly { readonly kind: string; readonly role: string; readonly text: string }[]) =>
  messages.map(({ kind, role, text }) => `${kind} ${role}: ${text}`)

describe('what the model saw', () => {
  test('begins with the system prompt of the last header before it, and what the header puts in front', async () => {
    const prefix = [{ role: 'user', content: [log.text('rules')] }]
    const events = [
      log.turnStart(1),
      log.requestHeader('First.'),
      log.prompt('hi'),
      log.requestHeader('Second.', { messagePrefix: prefix }),
      log.turnEnd(1)
    ]
    expect(said((await contextOf(events, 2)).messages)).toEqual(['system system: First.', 'message user: hi'])
    expect(said((await contextOf(events)).messages)).toEqual([
      'system system: Second.',
      'message user: rules',
      'message user: hi'
    ])
    expect(await contextOf(events)).toMatchObject({
      entry: '4',
      model: { provider: 'acme', name: 'large' },
      thinking: 'high'
    })
    expect(await contextOf(events, 0)).toMatchObject({ entry: '0', model: null, thinking: null, messages: [] })
  })

  test('has system messages in their place from version 3 on, empty ones left out', async () => {
    const system = (words: string, more: JsonObject = log.append): JsonObject => ({
      type: 'system/message',
      data: { turn: 1, step: 1, message: { role: 'system', id: 's', content: words === '' ? [] : [log.text(words)] } },
      ...more
    })
    const events = [
      log.turnStart(1),
      system(''),
      log.prompt('hi'),
      system('You help.', { surfaceOp: { op: 'replace', startSeq: 1, endSeq: 1 }, sourceEventSeqs: [1] }),
      log.turnEnd(1)
    ]
    const before = await contextOf(events, 2, 3)
    expect([said(before.messages), before.omitted]).toEqual([
      ['message user: hi'],
      [{ entry: '1', reason: 'a message without content is not sent' }]
    ])
    expect(said((await contextOf(events, 4, 3)).messages)).toEqual(['system system: You help.', 'message user: hi'])
    expect((await readLog(events, 3)).tree.session.compactions).toBe(0)
  })

  test('tells what was put in for the model from what a person said, as the events themselves are told', async () => {
    const events = [
      log.turnStart(1),
      log.prompt('hi'),
      log.prompt('now', log.append, { kind: 'plugin', plugin: 'clock' }),
      log.prompt('round', log.append, { kind: 'goal' }),
      log.turnEnd(1)
    ]
    const session = await readLog(events)
    expect(session.records.entries.map(({ kind }) => kind)).toEqual(['event', 'message', 'custom', 'custom', 'event'])
    expect(said((await dsh.context(session, null)).messages)).toEqual([
      'message user: hi',
      'custom user: now',
      'custom user: round'
    ])
  })

  test('has answers with their thinking, calls and how they ended, results with the call', async () => {
    const reasoning = { type: 'reasoning', text: 'hm' }
    const events = [
      log.turnStart(1),
      log.usageChunk(1, 1, { inputTokens: 4, outputTokens: 7 }),
      log.finish(1, 1, 'tool-calls'),
      log.answer(1, 1, [reasoning, log.text('look'), log.call('c')], { ...log.append, sourceEventSeqs: [[1, 2]] }),
      log.result(1, 1, 'c', 'a.txt'),
      log.turnEnd(1)
    ]
    expect((await contextOf(events)).messages).toEqual([
      {
        kind: 'message',
        role: 'assistant',
        text: 'look',
        blocks: [
          { type: 'thinking', text: 'hm' },
          { type: 'text', text: 'look' },
          { type: 'tool-call', id: 'c', name: 'bash', arguments: { command: 'ls' } }
        ],
        stopReason: 'tool-calls',
        sources: ['3'],
        recordedTokens: 7
      },
      {
        kind: 'message',
        role: 'user',
        text: 'a.txt',
        blocks: [{ type: 'tool-result', callId: 'c', isError: false, text: 'a.txt' }],
        stopReason: null,
        sources: ['4'],
        recordedTokens: null
      }
    ])
  })

  test('has results that are messages of their own from version 4 on', async () => {
    const message = {
      role: 'tool',
      source: { kind: 'tool', callId: 'c' },
      toolCallId: 'c',
      content: [log.text('no')],
      isError: true,
      id: 'r'
    }
    const events = [
      log.turnStart(1),
      { type: 'tool/result', data: { turn: 1, step: 1, message }, ...log.append },
      log.turnEnd(1)
    ]
    expect((await contextOf(events, null, 4)).messages).toMatchObject([
      { role: 'tool', text: 'no', blocks: [{ type: 'text', text: 'no' }], callId: 'c', isError: true }
    ])
  })

  test('has an image by its kind and size, as its bytes are not in the log', async () => {
    const image = { type: 'image', attachment: { attachmentId: 'sha256:0', mediaType: 'image/png', bytes: 69 } }
    const shown = {
      type: 'user/message',
      data: { content: [image], role: 'user', id: 'i', source: { kind: 'user' } },
      ...log.append
    }
    const session = await readLog([shown])
    expect((await dsh.context(session, 0)).messages[0]?.blocks).toEqual([
      { type: 'image', mimeType: 'image/png', bytes: 69 }
    ])
    expect(await dsh.image(session, 0, 0)).toBeUndefined()
  })

  test('of the first logs is read as newer ones have it', async () => {
    const events: readonly JsonObject[] = [
      log.turnStart(1),
      { type: 'user/message', data: { content: [log.text('hi')] }, ...log.append },
      { type: 'steering/message', data: { turn: 1, content: [log.text('left')] }, ...log.append },
      { type: 'context/message', data: { content: [log.text('facts')] }, ...log.append },
      {
        type: 'assistant/message',
        data: { turn: 1, step: 1, content: [log.call('c')], provenance: { provider: 'p', model: 'm' } },
        ...log.append
      },
      {
        type: 'tool/result',
        data: { turn: 1, step: 1, callId: 'c', content: [log.text('ok')], isError: false },
        ...log.append
      },
      log.turnEnd(1)
    ]
    const context = await contextOf(events)
    expect(said(context.messages)).toEqual([
      'message user: hi',
      'message user: left',
      'message user: facts',
      'message assistant: ',
      'message user: ok'
    ])
    expect(context.model).toEqual({ provider: 'p', name: 'm' })
  })

  test('leaves out what was replaced, and says by what', async () => {
    const events = [log.turnStart(1), log.prompt('old'), log.prompt('new', log.replace(1, 1)), log.turnEnd(1)]
    const context = await contextOf(events)
    expect(said(context.messages)).toEqual(['compaction-summary user: new'])
    expect(context.omitted).toEqual([{ entry: '1', reason: 'event 2 took its place' }])
    expect((await contextOf(events, 1)).omitted).toEqual([])
  })
})

describe('a turn that was left open', () => {
  const open = [
    log.turnStart(2),
    log.stepStart(2, 1),
    log.prompt('go'),
    log.answer(2, 1, [log.call('begun'), log.call('waiting'), log.call('answered')]),
    log.callEvent(2, 1, 'begun'),
    log.result(2, 1, 'answered', 'yes')
  ]

  test('is closed in the view: a failed result for each open call, then step and turn', async () => {
    const { records, tree } = await readLog(open)
    const closers = records.entries.slice(open.length)
    expect(tree.synthetic).toEqual(closers)
    expect(closers.map(({ synthetic }) => synthetic)).toEqual([
      {
        type: 'tool/result',
        seq: 6,
        time: log.begun + 5000,
        data: {
          turn: 2,
          step: 1,
          message: {
            id: 'interrupted-tool-result-begun-6',
            role: 'user',
            source: { kind: 'tool', callId: 'begun' },
            content: [
              {
                type: 'tool-result',
                toolCallId: 'begun',
                isError: true,
                content: [log.text(expect.stringContaining('outcome is unknown') as unknown as string)]
              }
            ]
          },
          error: { name: 'ToolOutcomeUnknownError', code: 'TOOL_OUTCOME_UNKNOWN' }
        },
        surfaceOp: 'append',
        sourceEventSeqs: [4]
      },
      expect.objectContaining({
        seq: 7,
        data: expect.objectContaining({ error: { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' } }),
        surfaceOp: 'append'
      }),
      { type: 'step/end', seq: 8, time: log.begun + 5000, data: { turn: 2, step: 1 } },
      { type: 'turn/end', seq: 9, time: log.begun + 5000, data: { turn: 2, reason: { kind: 'interrupted' } } }
    ])
    expect(tree.defaultLeaf).toEqual({ id: '9', reason: 'only-leaf' })
    expect(tree.row(6)).toMatchObject({
      tool: 'bash',
      failed: true,
      marks: [{ text: 'not written' }, { text: 'live' }]
    })
    expect(tree.faults).toEqual([])
  })

  test('is closed for the model too, who sees the results', async () => {
    const { messages } = await contextOf(open)
    expect(messages.map(({ sources }) => sources[0])).toEqual(['2', '3', '5', '6', '7'])
    expect(messages.at(-1)?.text).toContain('interrupted before the Harness recorded it as started')
  })

  test('gives no result to a call of a step that ended', async () => {
    const { records } = await readLog([...open, log.stepEnd(2, 1)])
    expect(records.entries.slice(open.length + 1).map((entry) => factsOf(entry).type)).toEqual(['turn/end'])
  })

  test('has none where the log is corrupt or the turn ended', async () => {
    expect((await readLog([...open, log.stepEnd(2, 1), log.turnEnd(2)])).tree.synthetic).toBeUndefined()
    const bad = { ...log.turnEnd(2), seq: 99 }
    expect((await readLog([...open, bad])).tree.synthetic).toBeUndefined()
  })
})
