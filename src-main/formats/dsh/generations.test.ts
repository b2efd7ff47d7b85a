import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#shared/model/records.ts'
import { type ReadSession, readText } from '../testing.ts'
import { dsh } from './index.ts'
import * as log from './log-testing.ts'
import { factsOf } from './schema.ts'

const read = (version: number, events: readonly JsonObject[], header: JsonObject = {}) =>
  readText(
    dsh,
    log.logText(log.headerOf(version, header), events),
    null,
    `/dsh/--home-user-project--/made/session.v${version}.jsonl`
  )

const faultsOf = ({ lines, tree }: ReadSession) => [...lines.flatMap(({ faults }) => faults), ...tree.faults]

/** A context in words: who says what, from which event. */
async function said(session: ReadSession, at: number | null = null): Promise<readonly string[]> {
  const { messages } = await dsh.context(session, at)
  return messages.map(({ kind, role, text, blocks, sources }) => {
    const others = blocks.flatMap((block) =>
      block.type === 'text' ? [] : [block.type === 'other' ? block.name : block.type]
    )
    return [`${sources.join()} ${kind} ${role}: ${text}`, ...others].join(' + ')
  })
}

const omittedIn = async (session: ReadSession, at: number | null = null) =>
  (await dsh.context(session, at)).omitted.map(({ entry }) => Number(entry))

const kindsOf = ({ records }: ReadSession) => records.entries.map(({ kind }) => kind)
const at = (turn: number, step: number) => ({ turn, step })
const chunk = (own: JsonObject, step = 1): JsonObject => ({
  type: 'assistant/chunk',
  data: { ...at(1, step), chunk: own }
})
const packed = (type: string, step: number, more: JsonObject): JsonObject => ({
  type,
  data: { ...at(1, step), index: 0, dt: [5, 5], ...more }
})
const context = (more: JsonObject = {}): JsonObject => ({
  type: 'request/context',
  data: { provider: 'acme', model: 'large', contextWindow: 1000, ...more }
})
const dispatch = (type: string, more: JsonObject = {}): JsonObject => ({
  type,
  data: { rootCallId: 'c1', parentCallId: 'c1', subCallId: 'c1:1', name: 'read', arguments: { path: 'a.txt' }, ...more }
})
const retry = (type: string, more: JsonObject = {}): JsonObject => ({
  type,
  data: { retryId: 'r', ...at(1, 2), retry: 1, ...more }
})
const summary = (
  shadowedSeqs: readonly number[],
  content: readonly JsonObject[],
  more: JsonObject = {}
): JsonObject => ({
  type: 'compaction/summary',
  data: {
    compactionId: 'k',
    summary: content,
    shadowedRange: { start: shadowedSeqs[0]!, end: shadowedSeqs.at(-1)! },
    shadowedSeqs,
    shadowedTokenCount: 14,
    provider: 'acme',
    model: 'small',
    usage: { inputTokens: 5, outputTokens: 2 },
    ...more
  }
})
const bracket = (end: 'start' | 'end'): JsonObject => ({
  type: `compaction/${end}`,
  data: { compactionId: 'k', turn: 1 }
})
const prune = (seq: number): JsonObject => ({
  type: 'compaction/prune',
  data: { shadowedRange: { start: seq, end: seq }, shadowedSeqs: [seq], shadowedTokenCount: 2 }
})

describe('version 1', () => {
  /** Packed rows as in version 0, with the names, ids and reasons of later versions. */
  const events: readonly JsonObject[] = [
    /* 0 */ log.turnStart(1),
    /* 1 */ log.stepStart(1, 1),
    /* 2 */ log.prompt('fix it'),
    /* 3 */ log.requestHeader('You help.', { tools: [{ name: 'bash', description: 'Runs', parameters: {} }] }),
    /* 4 */ context(),
    /* 5 */ chunk({ type: 'block-start', index: 0, blockType: 'reasoning' }),
    /* 6-8 */ packed('reasoning-chunks', 1, { texts: ['I ', 'think ', 'so'] }),
    /* 9 */ chunk({ type: 'block-end', index: 0, block: { type: 'reasoning', text: 'I think so' } }),
    /* 10-12 */ packed('tool-call-chunks', 1, { id: 'c1', name: 'bash', args: ['{"command"', ':', '"ls"}'] }),
    /* 13 */ log.usageChunk(1, 1, { inputTokens: 10, outputTokens: 4 }),
    /* 14 */ log.finish(1, 1, 'tool-calls'),
    /* 15 */ log.answer(1, 1, [{ type: 'reasoning', text: 'I think so' }, log.call('c1')], {
      ...log.append,
      sourceEventSeqs: [[5, 14]]
    }),
    /* 16 */ log.callEvent(1, 1, 'c1'),
    /* 17 */ dispatch('tool/code-dispatch-start'),
    /* 18 */ dispatch('tool/code-dispatch', { isError: false, content: [log.text('A')] }),
    /* 19 */ log.result(1, 1, 'c1', 'a\nb\n', { ...log.append, sourceEventSeqs: [16] }),
    /* 20 */ log.stepEnd(1, 1),
    /* 21 */ log.stepStart(1, 2),
    /* 22 */ log.usageChunk(1, 2, { inputTokens: 6, outputTokens: 1 }),
    /* 23 */ log.finish(1, 2, 'error'),
    /* 24 */ retry('llm/retry', {
      provider: 'acme',
      mode: 'auto',
      policyKey: 'p',
      delayMs: 5,
      failure: { message: 'slow' }
    }),
    /* 25 */ retry('llm/retry-started'),
    /* 26-28 */ packed('text-chunks', 2, { texts: ['All ', 'is ', 'well'] }),
    /* 29 */ log.finish(1, 2, 'stop'),
    /* 30 */ log.answer(
      1,
      2,
      [log.text('All is well')],
      { ...log.append, sourceEventSeqs: [[26, 29]] },
      {
        usage: { inputTokens: 20, outputTokens: 3, cacheReadTokens: 8 }
      }
    ),
    /* 31 */ bracket('start'),
    /* 32 */ summary([2, 15], [log.text('It was fixed.')]),
    /* 33 */ log.prompt('So far: fixed', log.replace(2, 15, [2, 15, 31, 32]), { kind: 'plugin', plugin: 'compact' }),
    /* 34 */ bracket('end'),
    /* 35 */ prune(19),
    /* 36 */ log.result(1, 1, 'c1', '[pruned]', log.replace(19, 19, [19])),
    /* 37 */ log.stepEnd(1, 2),
    /* 38 */ log.turnEnd(1),
    /* 39 */ log.turnStart(2),
    /* 40 */ { type: 'turn/end', data: { turn: 2, reason: { kind: 'aborted', reason: { kind: 'legacy' } } } }
  ]

  test('is read without a fault, each chunk an event', async () => {
    const session = await read(1, events)
    expect(faultsOf(session)).toEqual([])
    expect(session.tree.notes).toEqual([])
    expect(session.records.entries.map(({ line }) => line).slice(4, 13)).toEqual([6, 7, 8, 8, 8, 9, 10, 10, 10])
    expect(session.tree.nodes).toHaveLength(41)
    expect(kindsOf(session).flatMap((kind, index) => (kind === 'event' ? [] : [[index, kind]]))).toEqual([
      [2, 'message'],
      [15, 'message'],
      [16, 'tool-call'],
      [19, 'tool-result'],
      [30, 'message'],
      [33, 'compaction'],
      [36, 'compaction']
    ])
  })

  test('shows the model what it saw, before and behind a compaction and a prune', async () => {
    const session = await read(1, events)
    const system = '3 system system: You help.'
    const answer = '30 message assistant: All is well'
    expect(await said(session, 30)).toEqual([
      system,
      '2 message user: fix it',
      '15 message assistant:  + thinking + tool-call',
      '19 message user: a\nb\n + tool-result',
      answer
    ])
    const compacted = '33 compaction-summary user: So far: fixed'
    expect(await said(session, 34)).toEqual([system, compacted, '19 message user: a\nb\n + tool-result', answer])
    expect(await said(session)).toEqual([system, compacted, '36 message user: [pruned] + tool-result', answer])
    expect(await omittedIn(session)).toEqual([2, 15, 19])
    expect((await dsh.context(session, null)).messages.at(-1)).toMatchObject({ stopReason: 'stop', recordedTokens: 3 })
  })

  test('counts answers, the attempt and the summary, each once', async () => {
    const { records, tree } = await read(1, events)
    expect(dsh.requests(records, tree).map(({ at: index, kind }) => [index, kind])).toEqual([
      [15, undefined],
      [22, 'attempt'],
      [30, undefined],
      [32, 'auxiliary']
    ])
    // 10 + 6 + 20, 4 + 1 + 3, 5 + 2.
    expect(tree.session.usage).toMatchObject({ input: 36, output: 8, cacheRead: 8, total: 52, auxiliary: 7 })
  })

  test('of a fork counts what is inherited by the header', async () => {
    const marked = [...events, { type: 'session/end-seed', data: {} }]
    const session = await read(1, marked, { parentSession: 'other', seedLength: 41 })
    expect(session.tree.session.usage).toMatchObject({ total: 0, inherited: 52 })
    expect(session.tree.row(40).marks).toMatchObject([{ text: 'inherited' }])
    expect(session.tree.row(41).marks).toEqual([])
  })
})

const flat = (
  callId: string,
  words: string,
  op: JsonObject,
  more: JsonObject = {},
  beside: JsonObject = {}
): JsonObject => ({
  type: 'tool/result',
  data: {
    ...at(1, 1),
    message: {
      role: 'tool',
      source: { kind: 'tool', callId },
      toolCallId: callId,
      content: [log.text(words)],
      isError: false,
      id: `result of ${callId}`,
      ...more
    },
    ...beside
  },
  ...op
})
const spoken = (role: 'system' | 'developer', words: string, op: JsonObject = log.append): JsonObject => ({
  type: `${role}/message`,
  data: {
    ...at(1, 1),
    message: {
      id: `${role} ${words}`,
      role,
      source: { kind: role === 'system' ? 'system-prompt' : 'tool-registry' },
      content: words === '' ? [] : [log.text(words)]
    },
    headerSeq: 6
  },
  ...op
})
const replaced = (startSeq: number, endSeq: number, sourceEventSeqs: readonly number[]): JsonObject => ({
  surfaceOp: { op: 'replace', startSeq, endSeq },
  sourceEventSeqs
})
const header = (more: JsonObject = {}): JsonObject => ({
  type: 'request/header',
  data: { header: { config: { provider: 'acme', model: 'large' } }, reason: 'series', startsSeries: true, ...more }
})
const streamed = (...records: readonly JsonObject[]): JsonObject => ({
  stream: records.map((record) => ({ time: log.begun, ...record }))
})
const streamedChunk = (own: JsonObject): JsonObject => ({ type: 'chunk', chunk: own })

describe.each([4, 5])('version %s', (version) => {
  const events: readonly JsonObject[] = [
    /* 0 */ log.turnStart(1),
    /* 1 */ log.stepStart(1, 1),
    /* 2 */ spoken('system', 'You help.'),
    /* 3 */ spoken('developer', 'There is bash.'),
    /* 4 */ spoken('developer', ''),
    /* 5 */ log.prompt('fix it'),
    /* 6 */ header(),
    /* 7 */ context({ systemPromptUpdate: 'none' }),
    /* 8 */ log.prompt('by the way', log.append, { kind: 'plugin:hooks' }),
    /* 9 */ {
      type: 'assistant/attempt',
      data: {
        ...at(1, 1),
        ...streamed(
          { type: 'text-chunks', time0: log.begun, index: 0, dt: [1], texts: ['n', 'o'] },
          streamedChunk({ type: 'usage', usage: { inputTokens: 3, outputTokens: 1 } }),
          streamedChunk({ type: 'finish', reason: { kind: 'error' } })
        )
      }
    },
    /* 10 */ log.answer(1, 1, [log.call('c1'), log.call('c2')], log.append, {
      usage: { inputTokens: 10, outputTokens: 4 },
      ...streamed(streamedChunk({ type: 'finish', reason: { kind: 'tool-calls' } }))
    }),
    /* 11 */ log.callEvent(1, 1, 'c1'),
    /* 12 */ dispatch('tool/ptc-dispatch-start'),
    /* 13 */ dispatch('tool/ptc-dispatch', { isError: true, content: [log.text('A')] }),
    /* 14 */ flat('c1', 'a\nb\n', { ...log.append, sourceEventSeqs: [11] }),
    /* 15 */ flat('c2', 'no', log.append, { isError: true }, { error: { name: 'E', code: 'E_NO' } }),
    /* 16 */ { type: 'subagent/descriptor', data: { mode: 'fresh', version: 1, provider: 'acme', label: 'Look' } },
    /* 17 */ { type: 'subagent/catalog', data: { childId: 'child', createdAt: log.begun, label: 'Look' } },
    /* 18 */ bracket('start'),
    /* 19 */ summary([5, 8, 10], [log.text('It was fixed.')], { rawOutput: [log.text('It was fixed.')] }),
    /* 20 */ log.prompt('So far: fixed', replaced(5, 10, [5, 8, 10, 18, 19]), { kind: 'plugin:compact' }),
    /* 21 */ bracket('end'),
    /* 22 */ prune(14),
    /* 23 */ flat('c1', '[pruned]', replaced(14, 14, [14])),
    /* 24 */ spoken('system', 'You help more.', replaced(2, 2, [2])),
    /* 25 */ { type: 'image/offload', data: { targets: [{ seq: 20, imageIndexes: [0] }] } },
    /* 26 */ { type: 'plugin:external/opaque', data: { seq: 4 }, ignorable: true, surfaceOp: { opaque: 4 } },
    /* 27 */ log.stepEnd(1, 1),
    /* 28 */ log.turnEnd(1, 'completed')
  ]

  test('is read without a fault but for what another plugin left', async () => {
    const session = await read(version, events)
    expect(faultsOf(session)).toMatchObject([{ kind: 'unknown-type', line: 28 }])
    expect(session.tree.notes).toMatchObject([{ tone: 'info', text: expect.stringContaining(`Version ${version}`) }])
    expect(kindsOf(session).flatMap((kind, index) => (kind === 'event' ? [] : [[index, kind]]))).toEqual([
      [2, 'message'],
      [3, 'message'],
      [4, 'message'],
      [5, 'message'],
      [8, 'custom'],
      [10, 'message'],
      [11, 'tool-call'],
      [14, 'tool-result'],
      [15, 'tool-result'],
      [20, 'compaction'],
      [23, 'compaction'],
      [24, 'message'],
      [26, 'unknown']
    ])
    expect([13, 15].map((index) => session.tree.row(index).failed)).toEqual([true, true])
    expect(session.tree.row(8).summary).toBe('plugin:hooks · by the way')
  })

  test('shows the model what it saw: results of their own, developers’ words, no empty ones', async () => {
    const session = await read(version, events)
    const developer = '3 system developer: There is bash.'
    const failed = '15 message tool: no'
    expect(await said(session, 15)).toEqual([
      '2 system system: You help.',
      developer,
      '5 message user: fix it',
      '8 custom user: by the way',
      '10 message assistant:  + tool-call + tool-call',
      '14 message tool: a\nb\n',
      failed
    ])
    expect(await omittedIn(session, 15)).toEqual([4])
    expect(await said(session)).toEqual([
      '24 system system: You help more.',
      developer,
      '20 compaction-summary user: So far: fixed',
      '23 message tool: [pruned]',
      failed
    ])
    expect(await omittedIn(session)).toEqual([2, 4, 5, 8, 10, 14])
    expect((await dsh.context(session, null)).messages.slice(-2)).toMatchObject([
      { callId: 'c1', isError: false },
      { callId: 'c2', isError: true }
    ])
  })

  test('counts the answer, the attempt by its stream and the summary', async () => {
    const { records, tree } = await read(version, events)
    expect(dsh.requests(records, tree).map(({ at: index, kind, window }) => [index, kind, window])).toEqual([
      [9, 'attempt', undefined],
      [10, undefined, 1000],
      [19, 'auxiliary', undefined]
    ])
    expect(tree.session.usage).toMatchObject({ input: 13, output: 5, total: 18, auxiliary: 7 })
  })

  test('of a fork within a turn has the end that the fork wrote, and inherits what stands before its mark', async () => {
    const session = await read(
      version,
      [
        /* 0 */ log.turnStart(1),
        /* 1 */ log.stepStart(1, 1),
        /* 2 */ log.prompt('go'),
        /* 3 */ log.answer(1, 1, [log.call('c1')], log.append, { usage: { inputTokens: 10, outputTokens: 4 } }),
        /* 4 */ { type: 'session/end-seed', data: { inherited: true } },
        /* 5 */ flat('c1', 'not started', log.append, { id: 'forked-tool-result-c1-5', isError: true }),
        /* 6 */ log.stepEnd(1, 1),
        /* 7 */ log.turnEnd(1, 'forked')
      ],
      { isSeeded: true, parentSession: 'other' }
    )
    expect(faultsOf(session)).toMatchObject([{ kind: 'missing-parent-session' }])
    expect(session.tree.synthetic).toBeUndefined()
    expect(session.tree.session).toMatchObject({ origin: 'fork', usage: { total: 0, inherited: 14 } })
    expect(session.tree.row(7)).toMatchObject({ summary: 'End of turn 1 · forked', failed: false })
    expect(await said(session)).toEqual([
      '2 message user: go',
      '3 message assistant:  + tool-call',
      '5 message tool: not started'
    ])
    expect(dsh.branchPoint(session, 7)).toEqual({ kind: 'allowed' })
  })

  test('that was left open is closed by results of their own', async () => {
    const session = await read(version, [log.turnStart(1), log.stepStart(1, 1), log.answer(1, 1, [log.call('c1')])])
    expect(session.records.entries.slice(3).map((entry) => factsOf(entry).type)).toEqual([
      'tool/result',
      'step/end',
      'turn/end'
    ])
    expect(session.records.entries[3]?.synthetic).toMatchObject({
      data: { message: { role: 'tool', toolCallId: 'c1', isError: true, id: 'interrupted-tool-result-c1-3' } }
    })
    expect((await said(session)).at(-1)).toMatch(/^3 message tool: The tool call was interrupted/)
  })

  test('has no sources of an answer, and the members of its replacements', async () => {
    const named = { ...log.append, sourceEventSeqs: [0] }
    expect(
      faultsOf(await read(version, [log.turnStart(1), log.answer(1, 1, [], named), log.turnEnd(1)]))
    ).toMatchObject([{ kind: 'bad-surface-op', line: 3 }])
    const older = [log.turnStart(1), log.prompt('a'), log.prompt('b', log.replace(1, 1)), log.turnEnd(1)]
    expect(faultsOf(await read(version, older))).toMatchObject([{ kind: 'bad-surface-op', line: 4 }])
  })
})

test('version 5 has summaries that only the provider can read', async () => {
  const block = { type: 'compaction', item: { type: 'compaction_summary', encrypted_content: 'b3BhcXVl' } }
  const checkpoint: JsonObject = {
    type: 'user/message',
    data: { id: 'k', role: 'user', content: [block], source: { kind: 'plugin:compact' } },
    ...replaced(1, 1, [1])
  }
  const session = await read(5, [
    /* 0 */ log.turnStart(1),
    /* 1 */ log.prompt('long story'),
    /* 2 */ bracket('start'),
    /* 3 */ summary([1], [block], { rawOutput: [block] }),
    /* 4 */ checkpoint,
    /* 5 */ bracket('end'),
    /* 6 */ log.answer(1, 1, [block, log.text('on')], log.append, {
      ...streamed(
        streamedChunk({ type: 'block-start', index: 0, blockType: 'compaction' }),
        streamedChunk({ type: 'block-end', index: 0, block })
      )
    }),
    /* 7 */ log.turnEnd(1)
  ])
  expect(faultsOf(session)).toEqual([])
  expect(await said(session)).toEqual([
    '4 compaction-summary user:  + compaction',
    '6 message assistant: on + compaction'
  ])
  expect(await dsh.compaction(session, 4)).toEqual({
    trigger: null,
    summary: null,
    recordedBefore: 14,
    recordedAfter: 2,
    covered: new Set([1])
  })
  const { blocks } = await dsh.blocks(session, 4)
  expect(blocks.map(({ type, name }) => [type, name])).toEqual([['other', 'compaction']])
  expect(JSON.parse(blocks[0]!.text)).toEqual(block)
})
