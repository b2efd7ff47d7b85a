import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import type { UsageStats } from '#shared/contract/usage.ts'
import { makeWorkplace } from './testing/treeline.ts'

const root = join(corpus!, 'omp-pi')
const { treeline, remove } = makeWorkplace()
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
  const byModel = (await statsOf(join(root, real!), '--by', 'model')).groups
  expect(new Map(byModel.map(({ key, total }) => [key, total]))).toEqual(models)
})
