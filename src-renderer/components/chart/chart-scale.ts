import type { Requests } from '#shared/contract/usage.ts'

/** The parts of a bar from its foot, as the colours name them. */
export const promptParts = ['cacheRead', 'cacheWrite', 'input'] as const
export const allParts = [...promptParts, 'output'] as const
export type BarPart = (typeof allParts)[number]

interface BarPiece {
  readonly part: BarPart
  readonly from: number
  readonly tokens: number
}

/** The pieces of a request's bar that are known and not empty, each where the one below it ends. */
export function piecesOf(requests: Requests, index: number, parts: readonly BarPart[]): readonly BarPiece[] {
  let from = 0
  return parts.flatMap((part) => {
    const tokens = requests[part][index] ?? 0
    if (tokens <= 0) return []
    from += tokens
    return { part, from: from - tokens, tokens }
  })
}

/** Tokens of the highest bar; 0 where nothing is known. */
export function highestBar(requests: Requests, parts: readonly BarPart[]): number {
  let highest = 0
  for (let index = 0; index < requests.at.length; index++) {
    let sum = 0
    for (const part of parts) sum += requests[part][index] ?? 0
    if (sum > highest) highest = sum
  }
  return highest
}

/** The next of 1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8 and 10 times a power of ten: it and its half are written with one decimal at most. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8].find((step) => step * power >= value) ?? 10) * power
}

const widest = 72
const narrowest = 6

/** Width of a request's place in CSS pixels: they fill the width, or are as narrow as can be seen and scroll. */
export const slotWidth = (width: number, count: number): number =>
  Math.min(widest, Math.max(narrowest, count === 0 ? widest : width / count))

/** The requests that are drawn, and the width of each one's place. */
interface Drawn {
  readonly first: number
  readonly last: number
  readonly slot: number
}

export interface BarPath {
  readonly part: BarPart
  readonly isInherited: boolean
  /** An SVG path of all its pieces: a bar of its own each would be thousands of elements. */
  readonly path: string
}

/** The bars of the requests drawn, by what they are made of; `scale` is pixels a token above `foot`. */
export function pathsOfBars(
  requests: Requests,
  parts: readonly BarPart[],
  drawn: Drawn,
  { foot, scale }: { readonly foot: number; readonly scale: number }
): readonly BarPath[] {
  const paths = [false, true].flatMap((isInherited) => parts.map((part) => ({ part, isInherited, pieces: [''] })))
  for (let index = drawn.first; index <= drawn.last; index++) {
    const isInherited = requests.inherited[index] === 1
    for (const { part, from, tokens } of piecesOf(requests, index, parts)) {
      const own = paths.find((path) => path.part === part && path.isInherited === isInherited)
      own?.pieces.push(box(index, drawn.slot, foot - (from + tokens) * scale, tokens * scale))
    }
  }
  return paths.map(({ part, isInherited, pieces }) => ({ part, isInherited, path: pieces.join('') }))
}

/** A box for each known context window, and how much of it is used; a context that is larger fills it. */
export function pathsOfWindows(
  requests: Requests,
  drawn: Drawn,
  { foot, height }: { readonly foot: number; readonly height: number }
): { readonly whole: string; readonly filled: string } {
  const whole: string[] = []
  const filled: string[] = []
  for (let index = drawn.first; index <= drawn.last; index++) {
    const share = occupancy(requests, index)
    if (share === null) continue
    const used = Math.min(1, share) * height
    whole.push(box(index, drawn.slot, foot - height, height))
    filled.push(box(index, drawn.slot, foot - used, used))
  }
  return { whole: whole.join(''), filled: filled.join('') }
}

function box(index: number, slot: number, top: number, height: number): string {
  const gap = slot > 20 ? slot * 0.4 : Math.max(1, slot * 0.25)
  const width = slot - gap
  return `M${round(index * slot + gap / 2)} ${round(top)}h${round(width)}v${round(height)}h${round(-width)}z`
}

const round = (value: number): number => Math.round(value * 100) / 100

/** How much of a context window is used, 0 to 1; null where the size or the window is unknown. */
function occupancy({ contextTokens, models, windows }: Requests, index: number): number | null {
  const tokens = contextTokens[index] ?? null
  const window = windows[models[index] ?? -1] ?? null
  return tokens === null || window === null ? null : tokens / window
}

export interface PlacedMarker {
  readonly before: number
  readonly kind: Requests['markers'][number]['kind']
  /** False where its word would stand on that of the marker before it. */
  readonly isNamed: boolean
}

/** Markers from left to right; those that a place shares are one, the weightiest. */
export function placedMarkers(markers: Requests['markers'], slot: number, wordWidth: number): readonly PlacedMarker[] {
  const weight = ['compaction', 'cleared', 'model', 'branch']
  const byPlace = new Map<number, PlacedMarker['kind']>()
  for (const { before, kind } of markers) {
    const there = byPlace.get(before)
    if (there === undefined || weight.indexOf(kind) < weight.indexOf(there)) byPlace.set(before, kind)
  }
  let free = Number.NEGATIVE_INFINITY
  return [...byPlace]
    .toSorted(([one], [other]) => one - other)
    .map(([before, kind]) => {
      const isNamed = before * slot >= free
      if (isNamed) free = before * slot + wordWidth
      return { before, kind, isNamed }
    })
}
