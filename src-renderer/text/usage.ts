import type { Requests } from '#shared/contract/usage.ts'
import { formatCost, formatCount } from './numbers.ts'
import { formatClock } from './times.ts'

export const markerNames: Readonly<Record<Requests['markers'][number]['kind'], string>> = {
  compaction: 'compaction',
  model: 'model change',
  branch: 'branch switch',
  cleared: 'cleared'
}

export const partNames = {
  cacheRead: 'cache read',
  cacheWrite: 'cache write',
  input: 'uncached',
  output: 'output'
} as const

/** A request's figures on one line, for the pointer. */
export function requestText(requests: Requests, index: number): string {
  const { times, models, modelNames, cost } = requests
  const figures = (['cacheRead', 'cacheWrite', 'input', 'output'] as const).map(
    (part) => `${partNames[part]} ${formatCount(requests[part][index] ?? null)}`
  )
  const model = modelNames[models[index] ?? -1]
  return [
    `Request ${formatCount(index + 1)}`,
    formatClock(times[index] ?? null),
    ...(model === undefined ? [] : [model]),
    ...figures,
    formatCost(cost[index] ?? null)
  ].join(' · ')
}
