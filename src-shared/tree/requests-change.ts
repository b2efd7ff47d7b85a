import type { Requests, RequestsChange } from '#shared/contract/usage.ts'
import { sameStart } from './same-start.ts'

export type KeptRequests = RequestsChange['kept']

const columns = [
  'at',
  'times',
  'models',
  'input',
  'cacheRead',
  'cacheWrite',
  'output',
  'reasoning',
  'total',
  'cost',
  'contextTokens',
  'inherited',
  'requests',
  'kinds'
] as const

/** How many requests and markers, from the start, are in later ones as they were. */
export function keptRequests(before: Requests, after: Requests): KeptRequests {
  // A column that is empty in both says the same of each request.
  const filled = columns.filter((name) => before[name].length > 0 || after[name].length > 0)
  return {
    requests: Math.min(before.at.length, ...filled.map((name) => sameStart<number | null>(before[name], after[name]))),
    markers: sameStart(
      before.markers,
      after.markers,
      (one, other) => one.before === other.before && one.kind === other.kind && one.at === other.at
    )
  }
}

/** What is sure to be kept over two changes, one after the other. */
export const requestsKeptOverBoth = (first: KeptRequests, second: KeptRequests): KeptRequests => ({
  requests: Math.min(first.requests, second.requests),
  markers: Math.min(first.markers, second.markers)
})

/** What one lacks of a revision's requests who has the start of them. */
export const requestsBehind = (requests: Requests, revision: number, kept: KeptRequests): RequestsChange => ({
  ...requests,
  ...eachColumn((name) => requests[name].slice(kept.requests)),
  markers: requests.markers.slice(kept.markers),
  revision,
  kept
})

/** The requests after a change of those that the change was asked about; undefined stands for none. */
export function changedRequests(before: Requests | undefined, change: RequestsChange): RequestsChange {
  if (before === undefined) return change
  return {
    ...change,
    ...eachColumn((name) => [...before[name].slice(0, change.kept.requests), ...change[name]]),
    markers: [...before.markers.slice(0, change.kept.markers), ...change.markers]
  }
}

type Columns = Pick<Requests, (typeof columns)[number]>

const eachColumn = (make: (name: (typeof columns)[number]) => readonly (number | null)[]): Columns =>
  Object.fromEntries(columns.map((name) => [name, make(name)])) as unknown as Columns
