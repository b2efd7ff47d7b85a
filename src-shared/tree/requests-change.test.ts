import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Requests } from '#shared/contract/usage.ts'
import { unknownUsage } from '#shared/model/usage.ts'
import { changedRequests, keptRequests, requestsBehind, requestsKeptOverBoth } from './requests-change.ts'

const sums = { own: unknownUsage, repeated: unknownUsage, beside: unknownUsage }
const names = ['times', 'models', 'input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'total', 'cost'] as const
const more = ['contextTokens', 'inherited', 'requests', 'kinds'] as const
const request = fc.tuple(fc.nat({ max: 3 }), fc.array(fc.nat({ max: 1 }), { minLength: 13, maxLength: 13 }))
const marker = fc.record({ before: fc.nat({ max: 3 }), kind: fc.constantFrom('branch', 'model'), at: fc.nat() })
type Drafts = readonly (readonly [at: number, figures: readonly number[]])[]

/** Columns that hold nothing but zeros are left out, as an engine leaves out those of which nothing is known. */
function requestsOf(drafts: Drafts, markers: Requests['markers'], modelNames: string[]): Requests {
  const column = (index: number) => {
    const figures = drafts.map(([, all]) => all[index] ?? 0)
    return figures.every((figure) => figure === 0) ? [] : figures
  }
  const filled = Object.fromEntries([...names, ...more].map((name, index) => [name, column(index)]))
  const at = drafts.map(([place]) => place)
  return { ...filled, at, markers, modelNames, windows: [], totals: sums, session: sums } as unknown as Requests
}

/** Requests of a path that goes on, is cut, or leads elsewhere. */
const history = fc
  .array(fc.record({ kept: fc.nat({ max: 6 }), added: fc.array(request), marks: fc.array(marker) }), {
    minLength: 2,
    maxLength: 5
  })
  .map((steps) => {
    let [drafts, markers]: [Drafts, Requests['markers']] = [[], []]
    return steps.map(({ kept, added, marks }, step) => {
      drafts = [...drafts.slice(0, kept), ...added]
      markers = [...markers.slice(0, kept), ...marks]
      return requestsOf(drafts, markers, [`model ${step}`])
    })
  })

test('requests and what became of them make the new requests, whatever has changed', () => {
  fc.assert(
    fc.property(history, ([first, ...later]) => {
      let [before, kept] = [first!, keptRequests(first!, first!)]
      for (const after of later) {
        kept = requestsKeptOverBoth(kept, keptRequests(before, after))
        before = after
        const { revision, kept: _, ...changed } = changedRequests(first, requestsBehind(after, 7, kept))
        expect([changed, revision]).toEqual([after, 7])
      }
    })
  )
})

test('of a path that goes on only the new request is sent', () => {
  const one: Drafts = [[1, [5, 0, 9]]]
  const two: Drafts = [...one, [3, [6, 0, 8]]]
  const [before, after] = [requestsOf(one, [], ['a']), requestsOf(two, [], ['a'])]
  expect(requestsBehind(after, 2, keptRequests(before, after))).toMatchObject({
    kept: { requests: 1, markers: 0 },
    at: [3],
    times: [6],
    input: [8],
    total: []
  })
})
