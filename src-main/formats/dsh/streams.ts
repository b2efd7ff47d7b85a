import type { EntryRecord } from '#shared/model/records.ts'
import type { Stream } from '../format.ts'
import { factsOf, type Sample } from './schema.ts'

/** Chunks of one request, in events of their own (versions 0 and 1). */
export interface ChunkStream extends Stream {
  readonly turn: number | undefined
  readonly step: number | undefined
  readonly first: number
  readonly last: number
  readonly sample: { readonly at: number; readonly counts: Sample } | null
  readonly isClosed: boolean
}

type Draft = { -readonly [K in keyof ChunkStream]: ChunkStream[K] }

const between: ReadonlySet<string> = new Set(['llm/retry', 'llm/retry-started', 'step/end', 'turn/end'])

/** The streams of a log, in order; none lies in another (docs/formats/dsh.md, "Usage"). */
export function chunkStreams(entries: readonly EntryRecord[]): readonly ChunkStream[] {
  const streams: Draft[] = []
  for (const [at, entry] of entries.entries()) {
    // What dsh would close is not closed yet.
    if (entry.synthetic !== undefined) break
    const { type, turn, step, chunk, sample, stream: named } = factsOf(entry)
    const open = streams.at(-1)
    if (type === 'assistant/chunk') {
      const goesOn = open?.isClosed === false && open.turn === turn && open.step === step
      const stream = goesOn ? open : { turn, step, first: at, last: at, sample: null, isClosed: false, answer: null }
      if (!goesOn) {
        if (open !== undefined) open.isClosed = true
        streams.push(stream)
      }
      stream.last = at
      if (sample !== undefined) stream.sample = { at, counts: sample }
      if (chunk === 'finish') stream.isClosed = true
    } else if (type === 'assistant/message') {
      const own = named === undefined ? open : streamHolding(streams, named)
      if (own !== undefined && own.turn === turn && own.step === step) {
        own.answer = at
        own.isClosed = true
      }
    } else if (between.has(type) && open !== undefined) open.isClosed = true
  }
  return streams
}

/** The stream that an event lies in; what stands between its chunks does, too. */
export function streamHolding<S extends ChunkStream>(streams: readonly S[], at: number): S | undefined {
  let [low, high] = [0, streams.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((streams[middle]?.first ?? 0) <= at) low = middle + 1
    else high = middle
  }
  const stream = streams[low - 1]
  return stream !== undefined && at <= stream.last ? stream : undefined
}
