import type { EntryRecord, SessionRecords } from '#shared/model/records.ts'
import { countedUsage, sumUsage, type Usage } from '#shared/model/usage.ts'
import type { MeteredRequest } from '../format.ts'
import { usageFrom } from './sample.ts'
import { embeddedStreams, factsOf, stateFromJson } from './schema.ts'
import { chunkStreams } from './streams.ts'

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

/** Requests that gave no answer, by the streams that no answer names as its own. */
function attemptsOf(entries: readonly EntryRecord[]): readonly { readonly at: number; readonly usage: Usage }[] {
  return chunkStreams(entries).flatMap(({ answer, isClosed, sample, last }) =>
    answer !== null || !isClosed ? [] : [{ at: sample?.at ?? last, usage: usageFrom(sample?.counts ?? null) }]
  )
}
