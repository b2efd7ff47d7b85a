import { appendFileSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import type { UsageStats } from '#shared/contract/usage.ts'
import { makeWorkplace } from './testing/treeline.ts'

const root = join(corpus!, 'omp-pi')
const { treeline, write, remove } = makeWorkplace()
afterAll(remove)

const statsOf = async (path: string, ...more: string[]) =>
  (await treeline('stats', path, '--json', ...more)).json<UsageStats>()

test('omp itself counted the same, in its file and in the folder of its forks', async () => {
  const [oracle] = globSync('omp-writer-*/oracle-contexts.json', { cwd: root })
  const { file, usage } = JSON.parse(readFileSync(join(root, oracle!), 'utf8'))
  const expected = {
    input: usage.input,
    output: usage.output,
    cacheRead: usage.cacheRead,
    cacheWrite: usage.cacheWrite,
    total: usage.totalTokens,
    inherited: 0
  }
  const [path] = globSync(`**/${file}`, { cwd: root })
  const { totals } = await statsOf(join(root, path!))
  expect(totals).toMatchObject(expected)
  expect(totals.cost).toBeCloseTo(usage.cost, 9)
  const { groups } = await statsOf(dirname(join(root, path!)), '--by', 'session')
  expect(groups.find((group) => group.file?.endsWith(file))).toMatchObject(expected)
  expect(groups.filter((group) => group.inherited > 0).map(({ requests }) => requests)).toEqual([0, 0])
})

test('a real file comes to what a few lines over its JSON come to', async () => {
  const [real] = globSync('pi-real-v1/2025-12-24*.jsonl', { cwd: root })
  const text = readFileSync(join(root, real!), 'utf8')
  const sums = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const days = new Map<string, number>()
  const models = new Map<string, number>()
  let cost = 0
  for (const line of text.split(/\n|(?<=\})(?=\{"type":")/)) {
    if (line === '') continue
    const { message, timestamp } = JSON.parse(line)
    if (message?.role !== 'assistant') continue
    const { input, output, cacheRead, cacheWrite, cost: paid } = message.usage
    sums.requests++
    sums.input += input
    sums.output += output
    sums.cacheRead += cacheRead
    sums.cacheWrite += cacheWrite
    cost += paid.total
    const total = input + output + cacheRead + cacheWrite
    const day = new Date(timestamp).toLocaleDateString('sv-SE')
    const model = `${message.provider}/${message.model}`
    days.set(day, (days.get(day) ?? 0) + total)
    models.set(model, (models.get(model) ?? 0) + total)
  }
  const { totals, groups } = await statsOf(join(root, real!), '--by', 'day')
  expect(totals).toMatchObject({ ...sums, unknown: 0, inherited: 0 })
  expect(totals.cost).toBeCloseTo(cost, 6)
  expect(new Map(groups.map(({ key, total }) => [key, total]))).toEqual(days)
  const [whole] = (await statsOf(join(root, real!), '--by', 'session')).groups
  expect(whole).toMatchObject({ ...sums, file: join(root, real!) })
  const byModel = (await statsOf(join(root, real!), '--by', 'model')).groups
  expect(new Map(byModel.map(({ key, total }) => [key, total]))).toEqual(models)
})

test('a fork of a real file counts nothing twice, and what it goes on with once', async () => {
  const [real] = globSync('pi-real-v1/2025-12-24*.jsonl', { cwd: root })
  const text = readFileSync(join(root, real!), 'utf8')
  const file = write('forked/source.jsonl', text)
  const usages = [...text.matchAll(/"totalTokens":(\d+)/g)].map(([, count]) => Number(count))
  const total = usages.reduce((sum, count) => sum + count, 0)
  const { file: fork } = (await treeline('branch', file, '--fork', '--json')).json<{ file: string }>()
  const last = readFileSync(fork, 'utf8').trimEnd().split('\n').at(-1)!
  const usage = { input: 7, output: 5, cacheRead: 11, cacheWrite: 13, totalTokens: 36, cost: { total: 0.25 } }
  const more = {
    type: 'message',
    id: 'more',
    parentId: JSON.parse(last).id,
    timestamp: new Date(Date.now() + 60_000).toISOString(),
    message: { role: 'assistant', content: [], provider: 'acme', model: 'm', stopReason: 'stop', usage }
  }
  appendFileSync(fork, `${JSON.stringify(more)}\n`)

  const { totals, groups } = await statsOf(dirname(file), '--by', 'session')
  expect(totals).toMatchObject({ requests: usages.length + 1, total: total + 36 })
  const sumOf = (path: string) => groups.find((group) => group.file === path)
  expect(sumOf(file)).toMatchObject({ requests: usages.length, total, inherited: 0 })
  expect(sumOf(fork)).toMatchObject({ requests: 1, total: 36, inherited: total })
})
