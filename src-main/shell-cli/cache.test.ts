import { afterAll, expect, test } from 'vitest'
import { answer, entryLine, fileOf, header, toolResult, usage, user } from './testing/lines.ts'
import { makeWorkplace } from './testing/treeline.ts'

const workplace = makeWorkplace()
const { treeline, write } = workplace
afterAll(workplace.remove)

interface Printed {
  readonly requests: readonly { readonly entry: string }[]
}

const cacheOf = async (file: string) => (await treeline('cache', file, '--json')).json<Printed>().requests

test('each request has its figures, its share from the cache, and the window of its model where that is known', async () => {
  const known = { provider: 'anthropic', model: 'claude-sonnet-4-5-20250929' }
  const file = write(
    'known.jsonl',
    fileOf(header(), user('a', null, 'x'), answer('b', 'a', 'y', known), answer('c', 'b', 'z'))
  )
  expect(await cacheOf(file)).toMatchObject([
    {
      entry: 'b',
      time: '2026-01-01T00:00:02.000Z',
      model: 'anthropic/claude-sonnet-4-5-20250929',
      usage: { requests: 1, input: 10, cacheRead: 100, cacheWrite: 20, output: 5, total: 135, cost: 0.33 },
      hitRate: 100 / 130,
      contextTokens: 135,
      window: 200_000,
      inherited: false,
      break: null
    },
    { entry: 'c', model: 'pv/m1', window: null }
  ])
})

test('unknown is null: no figures, no cache members, no prompt', async () => {
  const file = write(
    'unknown.jsonl',
    fileOf(
      header(),
      answer('a', null, 'x', { usage: undefined }),
      answer('b', 'a', 'y', { usage: { input: 10, output: 5 } }),
      answer('c', 'b', 'z', { usage: { ...usage, input: 0, cacheRead: 0, cacheWrite: 0 } }),
      answer('d', 'c', 'z', { usage: { ...usage, cacheRead: 0, cacheWrite: 0 } })
    )
  )
  const requests = await cacheOf(file)
  expect(requests).toMatchObject([
    { hitRate: null, contextTokens: null, usage: { unknown: 1, total: null } },
    { hitRate: null, contextTokens: 15 },
    { hitRate: null },
    { hitRate: 0 }
  ])
})

test('a window that a recorded context goes beyond is not the one that holds', async () => {
  const known = { provider: 'anthropic', model: 'claude-sonnet-4-5' }
  const beyond = { ...usage, cacheRead: 300_000 }
  const file = write(
    'beyond.jsonl',
    fileOf(header(), answer('a', null, 'x', known), answer('b', 'a', 'y', { ...known, usage: beyond }))
  )
  expect(await cacheOf(file)).toMatchObject([{ window: null }, { window: null }])
})

test('the requests are those that the totals count', async () => {
  const task = toolResult('t', 'a', 'call', 'done').replace(
    '"isError":false',
    '"isError":false,"usage":{"input":3,"output":4}'
  )
  const file = write(
    'all.jsonl',
    fileOf(
      header(),
      answer('a', null, 'x'),
      task,
      entryLine('usage', 'u', 't', { kind: 'title', provider: 'pv', model: 'small', usage: { input: 1, output: 1 } }),
      entryLine('compaction', 'k', 'u', { summary: 's', firstKeptEntryId: 'a', tokensBefore: 9, usage })
    )
  )
  expect((await cacheOf(file)).map(({ entry }) => entry)).toEqual(['a', 't', 'u', 'k'])
  const { totals } = (await treeline('stats', file, '--json')).json<{ totals: object }>()
  expect(totals).toMatchObject({ requests: 4, total: 135 + 7 + 2 + 135 })
})

test('for people there is a line a request', async () => {
  const { stdout } = await treeline('cache', `${workplace.folder}/known.jsonl`)
  expect(stdout).toMatch(/b +100 +20 +10 +5 +76\.9 % +135 +200,000 +\$0\.33 +anthropic\/claude-sonnet-4-5-20250929$/m)
})
