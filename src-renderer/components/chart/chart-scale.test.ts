import { describe, expect, test } from 'vitest'
import type { Requests } from '#shared/contract/usage.ts'
import { sumUsage } from '#shared/model/usage.ts'
import {
  allParts,
  highestBar,
  niceCeiling,
  pathsOfBars,
  pathsOfWindows,
  piecesOf,
  placedMarkers,
  promptParts,
  slotWidth
} from './chart-scale.ts'

const none = { own: sumUsage([]), repeated: sumUsage([]), beside: sumUsage([]) }
const requests: Requests = {
  at: [1, 3, 5],
  times: [null, null, null],
  models: [0, 0, -1],
  modelNames: ['acme/large'],
  windows: [1000],
  input: [10, null, null],
  cacheRead: [0, 400, null],
  cacheWrite: [90, 50, null],
  output: [20, 50, null],
  reasoning: [],
  total: [120, 500, null],
  cost: [null, null, null],
  contextTokens: [120, 2000, null],
  inherited: [1, 0, 0],
  requests: [],
  kinds: [],
  markers: [],
  totals: none,
  session: none
}

describe('a bar', () => {
  test('is made of what is known and not empty, one piece on the other', () => {
    expect(piecesOf(requests, 0, allParts)).toEqual([
      { part: 'cacheWrite', from: 0, tokens: 90 },
      { part: 'input', from: 90, tokens: 10 },
      { part: 'output', from: 100, tokens: 20 }
    ])
    expect(piecesOf(requests, 2, allParts)).toEqual([])
  })

  test('stands on the foot, in the place of its request, apart where a fork repeats it', () => {
    const paths = pathsOfBars(requests, promptParts, { first: 0, last: 2, slot: 100 }, { foot: 50, scale: 0.1 })
    expect(paths.filter(({ path }) => path !== '')).toEqual([
      { part: 'cacheRead', isInherited: false, path: 'M120 10h60v40h-60z' },
      { part: 'cacheWrite', isInherited: false, path: 'M120 5h60v5h-60z' },
      { part: 'cacheWrite', isInherited: true, path: 'M20 41h60v9h-60z' },
      { part: 'input', isInherited: true, path: 'M20 40h60v1h-60z' }
    ])
  })

  test('of what is out of view is not drawn', () => {
    const paths = pathsOfBars(requests, promptParts, { first: 2, last: 2, slot: 100 }, { foot: 50, scale: 0.1 })
    expect(paths.every(({ path }) => path === '')).toBe(true)
  })
})

test('a window is drawn where it is known, and no fuller than full', () => {
  expect(pathsOfWindows(requests, { first: 0, last: 2, slot: 100 }, { foot: 50, height: 20 })).toEqual({
    whole: 'M20 30h60v20h-60zM120 30h60v20h-60z',
    filled: 'M20 47.6h60v2.4h-60zM120 30h60v20h-60z'
  })
})

test('the axis ends at a round number above the highest bar', () => {
  expect(highestBar(requests, allParts)).toBe(500)
  expect(highestBar(requests, promptParts)).toBe(450)
  expect([0, 1, 9, 10, 450, 500, 501, 210_000].map(niceCeiling)).toEqual([1, 1, 10, 10, 500, 500, 600, 240_000])
})

test('places fill the width while they can be told apart', () => {
  expect([slotWidth(700, 0), slotWidth(700, 2), slotWidth(700, 20), slotWidth(700, 100_000)]).toEqual([72, 72, 35, 6])
})

test('of markers in one place the weightiest is shown, and words do not cover each other', () => {
  const markers: Requests['markers'] = [
    { before: 4, kind: 'branch', at: 9 },
    { before: 4, kind: 'compaction', at: 8 },
    { before: 1, kind: 'model', at: 2 },
    { before: 9, kind: 'branch', at: 20 }
  ]
  expect(placedMarkers(markers, 10, 84)).toEqual([
    { before: 1, kind: 'model', isNamed: true },
    { before: 4, kind: 'compaction', isNamed: false },
    { before: 9, kind: 'branch', isNamed: false }
  ])
  expect(placedMarkers(markers, 30, 84).map(({ isNamed }) => isNamed)).toEqual([true, true, true])
})
