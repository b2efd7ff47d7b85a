import type { EntryRecord, SessionRecords } from '#shared/model/records.ts'
import { countedUsage, sumUsage, type Usage } from '#shared/model/usage.ts'
import type { MeteredRequest } from '../format.ts'
import { usageFrom } from './sample.ts'
import { embeddedStreams, factsOf, type Sample, stateFromJson } from './schema.ts'

/**
 * Every request: answers, the attempts that gave none, and calls beside the conversation (docs/formats/dsh.md,
 * "Usage"). What a fork or a seed brought along is inherited.
 */
export function dshRequests({ entries, files }: SessionRecords): readonly MeteredRequest[] {
  const { header } = stateFromJson(files[0].state)
  const inheritedBefore = inheritedCount(entries, header?.seedLength ?? 0)
  let window: { readonly model: string | null; readonly tokens: number } | undefined
  const stored = entries.flatMap((entry, at): MeteredRequest[] => {
    const { type, window: tokens } = factsOf(entry)
    if (tokens !== undefined) window = { model: entry.model, tokens }
    if (entry.usage === null) return []
    const request = { at, inherited: at < inheritedBefore, subagents: null }
    if (type === 'assistant/message') {
      const own = window?.model === entry.model ? { window: window.tokens } : {}
      return [{ ...request, contextTokens: entry.usage.total || null, ...own }]
    }
    return [{ ...request, contextTokens: null, kind: type === 'assistant/attempt' ? 'attempt' : 'auxiliary' }]
  })
  if ((header?.version ?? 0) >= embeddedStreams) return stored
  const attempts = attemptsOf(entries).map(({ at, usage }): MeteredRequest => ({
    at,
    inherited: at < inheritedBefore,
    contextTokens: null,
    subagents: null,
    usage,
    kind: 'attempt'
  }))
  return [...stored, ...attempts].toSorted((one, other) => one.at - other.at)
}

/** Sum over all requests, what is inherited and what is beside the conversation apart. */
export function totalUsage(records: SessionRecords): Usage {
  return sumUsage(
    dshRequests(records).flatMap(({ at, usage, inherited, kind }) => {
      const own = usage ?? records.entries[at]?.usage ?? null
      return own === null ? [] : [countedUsage(own, inherited, kind === 'auxiliary')]
    })
  )
}

/** How many events are inherited: as the header says, or up to the last mark of a cut. */
export function inheritedCount(entries: readonly EntryRecord[], seedLength: number): number {
  return Math.max(
    seedLength,
    entries.findLastIndex((entry) => factsOf(entry).inherited === true)
  )
}

/** Chunks of one request, in events of their own. */
interface Run {
  readonly turn: number | undefined
  readonly step: number | undefined
  readonly first: number
  last: number
  sample: { readonly at: number; readonly counts: Sample } | null
  isClosed: boolean
  isAnswer: boolean
}

const betweenRuns: ReadonlySet<string> = new Set(['llm/retry', 'llm/retry-started', 'step/end', 'turn/end'])

/** Requests that gave no answer, by the runs of chunks that no answer names as its stream. */
function attemptsOf(entries: readonly EntryRecord[]): readonly { readonly at: number; readonly usage: Usage }[] {
  const runs: Run[] = []
  for (const [at, entry] of entries.entries()) {
    // What dsh would close is not closed yet.
    if (entry.synthetic !== undefined) break
    const { type, turn, step, chunk, sample, stream } = factsOf(entry)
    const open = runs.at(-1)
    if (type === 'assistant/chunk') {
      const goesOn = open?.isClosed === false && open.turn === turn && open.step === step
      const run = goesOn ? open : { turn, step, first: at, last: at, sample: null, isClosed: false, isAnswer: false }
      if (!goesOn) {
        if (open !== undefined) open.isClosed = true
        runs.push(run)
      }
      run.last = at
      if (sample !== undefined) run.sample = { at, counts: sample }
      if (chunk === 'finish') run.isClosed = true
    } else if (type === 'assistant/message') {
      const own = stream === undefined ? open : runHolding(runs, stream)
      if (own !== undefined && own.turn === turn && own.step === step) {
        own.isAnswer = true
        own.isClosed = true
      }
    } else if (betweenRuns.has(type) && open !== undefined) open.isClosed = true
  }
  return runs.flatMap(({ isAnswer, isClosed, sample, last }) =>
    isAnswer || !isClosed ? [] : [{ at: sample?.at ?? last, usage: usageFrom(sample?.counts ?? null) }]
  )
}

function runHolding(runs: readonly Run[], at: number): Run | undefined {
  const run = runs.findLast(({ first }) => first <= at)
  return run !== undefined && at <= run.last ? run : undefined
}
