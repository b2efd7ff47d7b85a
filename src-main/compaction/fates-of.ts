import { isDeepStrictEqual } from 'node:util'
import type { FateName } from '#shared/model/compaction.ts'
import type { Message } from '#shared/model/message.ts'

/** The fate of each message, in the order of the two lists. */
export interface Fates {
  readonly before: readonly FateName[]
  readonly after: readonly FateName[]
  /** For each message before its place after, -1 where it is gone. */
  readonly partners: ArrayLike<number>
}

/**
 * What became of each message of a context at a compaction. Messages are the same one where they come from the same
 * entry, or where they are results of the same call; `isCovered` tells whether the summary stands for an entry.
 */
export function fatesOf(
  before: readonly Message[],
  after: readonly Message[],
  isCovered: (source: string) => boolean
): Fates {
  const partner = new Int32Array(before.length).fill(-1)
  const isTaken = new Uint8Array(after.length)
  for (const nameOf of [entryName, callName]) {
    const waiting = placesByName(after, nameOf, isTaken)
    for (const [at, message] of before.entries()) {
      const name = partner[at] === -1 ? nameOf(message) : null
      const found = name === null ? undefined : waiting.get(name)?.pop()
      if (found === undefined) continue
      partner[at] = found
      isTaken[found] = 1
    }
  }
  const afterFates = after.map((): FateName => 'added')
  const beforeFates = before.map((message, at): FateName => {
    const other = after[partner[at] ?? -1]
    if (other === undefined) return isCovered(message.sources[0] ?? '') ? 'summarised' : 'dropped'
    const fate = sameMessage(message, other) ? 'kept' : 'rewritten'
    afterFates[partner[at] ?? -1] = fate
    return fate
  })
  return { before: beforeFates, after: afterFates, partners: partner }
}

/** An answer may be stored as several messages, of which one has another role. */
const entryName = ({ kind, role, sources }: Message): string | null =>
  sources[0] === undefined ? null : JSON.stringify([kind, role, sources[0]])

/** The call that a message is the result of, beside its role or in the one block that it is. */
function callName({ callId, blocks: [only, ...more] }: Message): string | null {
  return callId ?? (only?.type === 'tool-result' && more.length === 0 ? only.callId : null)
}

/** Places of the messages that are not taken, the first of each name last. */
function placesByName(
  messages: readonly Message[],
  nameOf: (message: Message) => string | null,
  isTaken: Uint8Array
): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>()
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    const name = message === undefined || isTaken[at] === 1 ? null : nameOf(message)
    if (name === null) continue
    const same = places.get(name)
    if (same === undefined) places.set(name, [at])
    else same.push(at)
  }
  return places
}

const sameMessage = (one: Message, other: Message): boolean =>
  one.sources[0] === other.sources[0] &&
  one.role === other.role &&
  one.text === other.text &&
  one.sent === other.sent &&
  isDeepStrictEqual(one.blocks, other.blocks)
