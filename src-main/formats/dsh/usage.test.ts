import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#shared/model/records.ts'
import { readText } from '../testing.ts'
import { dsh } from './index.ts'
import * as log from './log-testing.ts'

const readLog = (events: readonly JsonObject[], version = 0, header: JsonObject = {}) =>
  readText(
    dsh,
    log.logText(log.headerOf(version, header), events),
    null,
    `/dsh/--home-user-project--/made/session${version === 0 ? '' : `.v${version}`}.jsonl`
  )

async function requestsOf(events: readonly JsonObject[], version = 0, header: JsonObject = {}) {
  const { records, tree } = await readLog(events, version, header)
  return dsh.requests(records, tree).map(({ at, usage, kind, inherited }) => {
    const { input, output } = usage ?? records.entries[at]!.usage!
    return [at, kind ?? 'answer', input, output, ...(inherited ? ['inherited'] : [])]
  })
}

const tokens = (input: number, output: number) => ({ inputTokens: input, outputTokens: output })
const sample = (input: number, output: number) => log.usageChunk(1, 1, tokens(input, output))
const stream = (...seqs: readonly number[]) => ({ ...log.append, sourceEventSeqs: [...seqs] })

describe('an answer', () => {
  test('counts once, by its own usage and not by the samples of its stream', async () => {
    expect(
      await requestsOf([sample(1, 1), sample(5, 2), log.answer(1, 1, [], stream(0, 1), { usage: tokens(6, 3) })])
    ).toEqual([[2, 'answer', 6, 3]])
  })

  test('without usage counts by the last sample of its step', async () => {
    const events = [
      log.turnStart(1),
      log.stepStart(1, 1),
      sample(1, 1),
      sample(5, 2),
      log.answer(1, 1, [], stream(2, 3))
    ]
    expect(await requestsOf(events)).toEqual([[4, 'answer', 5, 2]])
  })

  test('without any is a request of which nothing is known', async () => {
    const { tree } = await readLog([log.answer(1, 1, [log.text('x')])])
    expect(tree.session.usage).toMatchObject({ requests: 1, unknown: 1, total: null })
  })

  test('counts input, cache and output beside each other, reasoning as part of the output', async () => {
    const usage = { inputTokens: 20, outputTokens: 5, cacheReadTokens: 80, cacheWriteTokens: 10, reasoningTokens: 3 }
    const { tree } = await readLog([log.answer(1, 1, [], log.append, { usage })])
    expect(tree.session.usage).toMatchObject({
      input: 20,
      cacheRead: 80,
      cacheWrite: 10,
      output: 5,
      reasoning: 3,
      total: 115
    })
  })

  test('of version 2 and later counts by the end of its stream where it says nothing itself', async () => {
    const chunk = (said: JsonObject) => ({ type: 'chunk', time: 1, chunk: said })
    const inside = [chunk({ type: 'usage', usage: tokens(1, 1) }), chunk({ type: 'usage', usage: tokens(7, 2) })]
    expect(await requestsOf([log.answer(1, 1, [], log.append, { stream: inside })], 2)).toEqual([[0, 'answer', 7, 2]])
    expect(await requestsOf([{ type: 'assistant/attempt', data: { turn: 1, step: 1, stream: inside } }], 2)).toEqual([
      [0, 'attempt', 7, 2]
    ])
  })
})

describe('chunks that no answer names as its stream are an attempt', () => {
  test.each<[string, readonly JsonObject[]]>([
    ['up to their finish', [sample(1, 1), log.finish(1, 1, 'error'), sample(5, 2), log.finish(1, 1, 'stop')]],
    [
      'up to a retry',
      [sample(1, 1), { type: 'llm/retry', data: { turn: 1, step: 1 } }, sample(5, 2), log.finish(1, 1, 'stop')]
    ],
    [
      'up to those of another step',
      [log.usageChunk(1, 0, tokens(1, 1)), { type: 'todo/write', data: {} }, sample(5, 2), log.finish(1, 1, 'stop')]
    ]
  ])('%s', async (_, events) => {
    expect(await requestsOf([...events, log.answer(1, 1, [], stream(2, 3), { usage: tokens(5, 2) })])).toEqual([
      [0, 'attempt', 1, 1],
      [4, 'answer', 5, 2]
    ])
  })

  test('whose figures may be unknown', async () => {
    expect(await requestsOf([log.finish(1, 1, 'error'), log.stepEnd(1, 1)])).toEqual([[0, 'attempt', null, null]])
  })

  test('but those before an answer that says nothing of its stream are its own', async () => {
    expect(await requestsOf([sample(5, 2), log.finish(1, 1, 'stop'), log.answer(1, 1, [])])).toEqual([
      [2, 'answer', 5, 2]
    ])
  })

  test('and those that may still go on are not counted yet', async () => {
    expect(await requestsOf([log.turnStart(1), sample(5, 2)])).toEqual([])
  })
})

test('summaries and titles are beside the conversation: listed, and in no sum', async () => {
  const events: readonly JsonObject[] = [
    log.answer(1, 1, [], log.append, { usage: tokens(6, 3) }),
    { type: 'compaction/summary', data: { compactionId: 'k', summary: [], usage: tokens(40, 2) } },
    { type: 'session/title-llm-request', data: { route: { provider: 'acme', model: 'small' } } }
  ]
  expect(await requestsOf(events)).toEqual([
    [0, 'answer', 6, 3],
    [1, 'auxiliary', 40, 2],
    [2, 'auxiliary', null, null]
  ])
  expect((await readLog(events)).tree.session.usage).toMatchObject({ requests: 1, total: 9, auxiliary: 42, unknown: 0 })
})

test('the window of a model is the one that the log has of it', async () => {
  const events: readonly JsonObject[] = [
    { type: 'request/context', data: { provider: 'acme', model: 'large', contextWindow: 128_000 } },
    log.answer(1, 1, [], log.append, { usage: tokens(6, 3) }),
    { type: 'request/context', data: { provider: 'acme', model: 'small', contextWindow: 8000 } },
    log.answer(1, 2, [], log.append, { usage: tokens(6, 3) })
  ]
  const { records, tree } = await readLog(events)
  expect(dsh.requests(records, tree).map(({ at, window }) => [at, window])).toEqual([
    [1, 128_000],
    [3, undefined]
  ])
})

describe('what was brought along is inherited', () => {
  const answered = (input: number) => log.answer(1, 1, [], log.append, { usage: tokens(input, 10) })

  test('up to the length that the header says', async () => {
    const events = [answered(100), log.turnEnd(1), { type: 'session/end-seed', data: {} }, answered(45)]
    const { tree } = await readLog(events, 0, { parentSession: 'p', seedLength: 2 })
    expect(tree.session.usage).toMatchObject({ requests: 1, total: 55, inherited: 110 })
    expect(tree.row(0).marks?.map(({ text }) => text)).toContain('inherited')
    expect(tree.row(3).marks?.map(({ text }) => text)).not.toContain('inherited')
  })

  test('from version 2 on up to the last mark of a cut', async () => {
    const cut = { type: 'session/end-seed', data: { inherited: true } }
    const events = [
      answered(1),
      cut,
      answered(100),
      log.turnEnd(1),
      cut,
      answered(45),
      { type: 'session/end-seed', data: {} }
    ]
    expect(await requestsOf(events, 2, { parentSession: 'p', isSeeded: true })).toEqual([
      [0, 'answer', 1, 10, 'inherited'],
      [2, 'answer', 100, 10, 'inherited'],
      [5, 'answer', 45, 10]
    ])
  })
})
