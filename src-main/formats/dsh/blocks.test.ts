import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#shared/model/records.ts'
import { readText } from '../testing.ts'
import { dsh } from './index.ts'
import * as log from './log-testing.ts'

const readLog = (events: readonly JsonObject[], version = 0) =>
  readText(
    dsh,
    log.logText(log.headerOf(version), events),
    null,
    `/dsh/--home-user-project--/made/session${version === 0 ? '' : `.v${version}`}.jsonl`
  )

const blocksAt = async (events: readonly JsonObject[], at: number, version = 0) => {
  const { blocks, ...rest } = await dsh.blocks(await readLog(events, version), at)
  return { ...rest, blocks: blocks.map(({ type, name, text }) => [type, name, text]) }
}

describe('an event opens to', () => {
  test('the blocks of its message, and to the stream that an answer holds, put together', async () => {
    const stream = [
      { type: 'chunk', time: 1, chunk: { type: 'block-start', index: 0, blockType: 'text' } },
      { type: 'text-chunks', time0: 1, index: 0, dt: [1], texts: ['do', 'ne'] },
      { type: 'chunk', time: 3, chunk: { type: 'finish', reason: { kind: 'stop' } } }
    ]
    const said = await blocksAt([log.answer(1, 1, [log.text('done')], log.append, { stream })], 0, 2)
    expect(said.blocks).toEqual([
      ['text', null, 'done'],
      ['other', 'stream: block-start', expect.stringContaining('"blockType": "text"')],
      ['other', 'stream: text 0', 'done'],
      ['other', 'stream: finish', expect.stringContaining('"stop"')]
    ])
    const attempt = await blocksAt([{ type: 'assistant/attempt', data: { turn: 1, step: 1, stream } }], 0, 2)
    expect(attempt.blocks.map(([, name]) => name)).toEqual(['stream: block-start', 'stream: text 0', 'stream: finish'])
  })

  test('a result under the name of its tool, whatever wraps it', async () => {
    const { blocks } = await blocksAt([log.answer(1, 1, [log.call('c', 'grep')]), log.result(1, 1, 'c', 'found')], 1)
    expect(blocks).toEqual([['tool-result', 'grep', 'found']])
  })

  test('the delta of one member of a packed row', async () => {
    const row = { type: 'reasoning-chunks', data: { turn: 1, step: 1, index: 0, dt: [0], texts: ['let', ' me'] } }
    expect((await blocksAt([row], 1)).blocks).toEqual([['thinking', null, ' me']])
  })

  test('what it holds, where nothing is known of it', async () => {
    const said = await blocksAt([{ type: 'x/y', data: { deep: { a: 1 }, plain: 'words' }, ignorable: true }], 0)
    expect(said.blocks).toEqual([['other', 'x/y', '{\n  "deep": {\n    "a": 1\n  },\n  "plain": "words"\n}']])
    expect(said.facts).toContainEqual(['plain', 'words'])
  })

  test.each<[string, JsonObject]>([
    ['the failure of a request', { kind: 'error', step: 2, failure: { message: 'too many', status: 429 } }],
    ['another error', { kind: 'error', step: 2, message: 'too many', code: 'BUSY' }],
    ['an error of released versions', { kind: 'error', step: 2, error: { message: 'too many', code: 'BUSY' } }]
  ])('what a turn ended with: %s', async (_, reason) => {
    const { facts } = await blocksAt([{ type: 'turn/end', data: { turn: 1, reason } }], 0)
    expect(facts.slice(1)).toEqual([
      ['Turn', '1'],
      ['Step', '2'],
      ['Reason', 'error'],
      ['Error', 'too many']
    ])
  })

  test('what replaced what', async () => {
    const { facts, own } = await blocksAt([log.prompt('a'), log.prompt('b', log.replace(0, 0))], 1)
    expect(facts).toContainEqual(['Replaces', '0 to 0'])
    expect(own).toBe(false)
  })

  test('the own words of the person, and not those of a program', async () => {
    expect((await blocksAt([log.prompt('a')], 0)).own).toBe(true)
    expect((await blocksAt([log.prompt('a', log.append, { kind: 'plugin', plugin: 'x' })], 0)).own).toBe(false)
  })
})

describe('the last turns are shown', () => {
  const events: readonly JsonObject[] = [
    log.turnStart(1),
    log.prompt('first'),
    log.answer(1, 1, [log.call('c', 'grep', { pattern: 'x' })]),
    log.result(1, 1, 'c', 'found'),
    log.turnEnd(1, 'error'),
    log.turnStart(2),
    log.prompt('round', log.append, { kind: 'goal' }),
    log.result(1, 1, 'c', '[pruned]', log.replace(3, 3)),
    log.prompt('so far', log.replace(1, 2, [1, 2])),
    log.answer(2, 1, [log.text('done')]),
    log.turnEnd(2)
  ]
  const shown = async (turns: number) =>
    (await dsh.replay!(await readLog(events), turns))!.map(({ kind, turn, tool, text }) => [turn, kind, tool, text])

  test('as they were said, and how they ended', async () => {
    expect(await shown(10)).toEqual([
      [1, 'user', null, 'first'],
      [1, 'tool-call', 'grep', '{\n  "pattern": "x"\n}'],
      [1, 'tool-result', 'grep', 'found'],
      [1, 'error', null, 'Turn 1 ended: error'],
      [2, 'custom', null, 'round'],
      [2, 'compaction', null, 'so far'],
      [2, 'text', null, 'done']
    ])
  })

  test('and no more than were asked for', async () => {
    expect((await shown(1)).map(([turn]) => turn)).toEqual([2, 2, 2])
  })
})
