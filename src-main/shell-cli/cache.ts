import { type RequestKind, type Requests, requestKinds } from '#shared/contract/usage.ts'
import { hitRate, type Usage } from '#shared/model/usage.ts'
import { costText, countText, shareText, timeText } from './amounts.ts'
import { defineCommand } from './command.ts'
import { openSession } from './open-session.ts'
import { plainText } from './plain-text.ts'
import { table } from './table.ts'

/** A request as the command prints it. */
interface CacheRequest {
  readonly entry: string
  readonly time: string | null
  readonly model: string | null
  readonly usage: Usage
  readonly hitRate: number | null
  readonly contextTokens: number | null
  readonly window: number | null
  /** True for what a fork repeats from its parent. */
  readonly inherited: boolean
  /** Whether it gave an answer, gave none, or was made beside the conversation and is in no sum. */
  readonly kind: RequestKind
  /** Breaks of the cache are not looked for yet. */
  readonly break: null
}

const rowsAtOnce = 500

export const cache = defineCommand({
  name: 'cache',
  operand: 'FILE',
  synopsis: 'cache FILE',
  about: 'the prompt of each request: read from the cache, written to it, neither',
  options: {},
  prepare:
    (_values, operand = '') =>
    async (desk) => {
      const { client, about } = await openSession(desk, operand)
      const columns = await client.call('usage.requests', about, desk.signal)
      const requests: CacheRequest[] = []
      for (let from = 0; from < columns.at.length; from += rowsAtOnce) {
        const at = columns.at.slice(from, from + rowsAtOnce)
        const rows = await client.call('entry.rows', { ...about, at }, desk.signal)
        for (const [index, { id, time }] of rows.entries()) requests.push(requestOf(columns, from + index, id, time))
      }
      return { value: { requests }, lines: () => cacheLines(requests) }
    }
})

function requestOf(columns: Requests, index: number, entry: string, time: string | null): CacheRequest {
  const model = columns.models[index] ?? -1
  const usage = usageAt(columns, index)
  return {
    entry,
    time,
    model: columns.modelNames[model] ?? null,
    usage,
    hitRate: hitRate(usage),
    contextTokens: columns.contextTokens[index] ?? null,
    window: columns.windows[model] ?? null,
    inherited: columns.inherited[index] === 1,
    kind: requestKinds[columns.kinds[index] ?? 0] ?? 'answer',
    break: null
  }
}

function usageAt(columns: Requests, index: number): Usage {
  const total = columns.total[index] ?? null
  const requests = columns.requests[index] ?? 1
  return {
    requests,
    input: columns.input[index] ?? null,
    cacheRead: columns.cacheRead[index] ?? null,
    cacheWrite: columns.cacheWrite[index] ?? null,
    output: columns.output[index] ?? null,
    reasoning: columns.reasoning[index] ?? null,
    total,
    cost: columns.cost[index] ?? null,
    inherited: 0,
    unknown: total === null ? requests : 0
  }
}

function* cacheLines(requests: readonly CacheRequest[]): Generator<string> {
  if (requests.length === 0) yield 'No request.'
  else {
    const heads = ['time', 'entry', 'cache read', 'cache write', 'uncached', 'output', 'hit rate', 'context', 'window']
    const rows = requests.map(({ entry, time, model, usage, hitRate: rate, contextTokens, window, kind }) => [
      timeText(time),
      plainText(kind === 'answer' ? entry : `${entry} (${kind})`),
      countText(usage.cacheRead),
      countText(usage.cacheWrite),
      countText(usage.input),
      countText(usage.output),
      shareText(rate),
      countText(contextTokens),
      countText(window),
      costText(usage.cost),
      plainText(model ?? 'unknown')
    ])
    yield* table([[...heads, 'cost', 'model'], ...rows], [2, 3, 4, 5, 6, 7, 8, 9])
  }
}
