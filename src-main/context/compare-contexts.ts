import { isDeepStrictEqual } from 'node:util'
import type { Context, Message } from '#shared/model/message.ts'

/** A row of two contexts side by side; the numbers are places in the messages of each. */
export type ComparedRow =
  | { readonly kind: 'common' | 'changed'; readonly left: number; readonly right: number }
  | { readonly kind: 'left'; readonly left: number }
  | { readonly kind: 'right'; readonly right: number }

/**
 * Two contexts of one session side by side, each message of either in exactly one row and in its own order. Messages
 * belong together where they come from the same entry; `changed` are those of the same entry with other content. Where
 * the two share no entry, as of a store that saves its messages once more elsewhere, equal messages belong together.
 */
export function compareContexts(left: Context, right: Context): ComparedRow[] {
  const rows: ComparedRow[] = []
  let nextLeft = 0
  let nextRight = 0
  const onlyUpTo = (leftEnd: number, rightEnd: number) => {
    for (; nextLeft < leftEnd; nextLeft++) rows.push({ kind: 'left', left: nextLeft })
    for (; nextRight < rightEnd; nextRight++) rows.push({ kind: 'right', right: nextRight })
  }
  for (const [leftAt, rightAt] of inBothOrders(pairsOf(left.messages, right.messages))) {
    onlyUpTo(leftAt, rightAt)
    const isSame = sameContent(left.messages[leftAt], right.messages[rightAt])
    rows.push({ kind: isSame ? 'common' : 'changed', left: leftAt, right: rightAt })
    nextLeft = leftAt + 1
    nextRight = rightAt + 1
  }
  onlyUpTo(left.messages.length, right.messages.length)
  return rows
}

/** Length of the run of common rows with which a comparison begins. */
export function prefixLength(rows: readonly ComparedRow[]): number {
  const first = rows.findIndex(({ kind }) => kind !== 'common')
  return first < 0 ? rows.length : first
}

type Pair = readonly [left: number, right: number]

function pairsOf(left: readonly Message[], right: readonly Message[]): Pair[] {
  const ofEntries = pairs(left, right, nameOf)
  if (ofEntries.length > 0) return ofEntries
  return pairs(left, right, contentOf).filter(([leftAt, rightAt]) => sameContent(left[leftAt], right[rightAt]))
}

/** Messages of the same name; where several have one (a doubled id), by their order. */
function pairs(left: readonly Message[], right: readonly Message[], nameOf: (message: Message) => string): Pair[] {
  const waiting = new Map<string, number[]>()
  for (const [at, message] of right.entries()) {
    const name = nameOf(message)
    const same = waiting.get(name)
    if (same === undefined) waiting.set(name, [at])
    else same.push(at)
  }
  for (const same of waiting.values()) same.reverse()
  return left.flatMap((message, at): Pair[] => {
    const other = waiting.get(nameOf(message))?.pop()
    return other === undefined ? [] : [[at, other]]
  })
}

const nameOf = ({ kind, role, sources }: Message): string => JSON.stringify([kind, role, sources[0] ?? null])

const contentOf = ({ kind, role, text, blocks }: Message): string => JSON.stringify([kind, role, blocks.length, text])

/** As many pairs as can stand in the order of both sides: the longest run with rising places on the right. */
function inBothOrders(found: readonly Pair[]): Pair[] {
  /** For each length the pair with which the best run of it ends, and before each pair the one it follows. */
  const ends: number[] = []
  const before = new Int32Array(found.length).fill(-1)
  const rightOf = (pair: number | undefined): number => found[pair ?? -1]?.[1] ?? -1
  for (const [at, [, right]] of found.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (rightOf(ends[middle]) < right) low = middle + 1
      else high = middle
    }
    before[at] = ends[low - 1] ?? -1
    ends[low] = at
  }
  const run: Pair[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = found[at]
    if (pair !== undefined) run.push(pair)
  }
  return run.toReversed()
}

function sameContent(left: Message | undefined, right: Message | undefined): boolean {
  return (
    left?.text === right?.text &&
    left?.sent === right?.sent &&
    left?.isError === right?.isError &&
    left?.stopReason === right?.stopReason &&
    isDeepStrictEqual(left?.blocks, right?.blocks)
  )
}
