import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { ComparedMessage, MessageHead } from '#shared/contract/context.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { type Input, type Output, useClient } from './client.ts'
import { keys, type LongText, useRestOfText, useSession, useSessionCall } from './queries.ts'

const rowsAPage = 100

export const useContextHead = (session: SessionKey, entry: string | null) =>
  useSessionCall('context.head', entry === null ? null : { session, entry })

export const useContextComparison = (session: SessionKey, left: string | null, right: string | null) =>
  useSessionCall('context.compare', left === null || right === null ? null : { session, left, right })

export const useContextMessage = (session: SessionKey, entry: string, index: number) =>
  useSessionCall('context.message', { session, entry, index })

export const useContextDifference = (session: SessionKey, left: string, right: string, index: number) =>
  useSessionCall('context.difference', { session, left, right, index })

/** Entries that are not in a context, a page of at most 100. */
export const useOmitted = (session: SessionKey, entry: string, from: number) =>
  useSessionCall('context.omitted', { session, entry, from, count: rowsAPage })

/** The rest of the text of a message's block behind its first `shown` characters. */
export const useContextText = (place: Omit<Input<'context.text'>, 'from'>, shown: string, length: number): LongText =>
  useRestOfText('context.text', place, shown, length)

/** Messages `first` to `last` of a context, by their place, as far as they have arrived. `ready` once its head is there. */
export function useContextMessages(
  session: SessionKey,
  entry: string,
  range: { readonly first: number; readonly last: number }
): ReadonlyMap<number, MessageHead> {
  const client = useClient()
  return useRows('context.messages', session, entry, range, (from, signal) =>
    client.call('context.messages', { session, entry, from, count: rowsAPage }, signal)
  )
}

/** Rows `first` to `last` of two contexts side by side, by their place, as far as they have arrived. */
export function useComparedMessages(
  session: SessionKey,
  left: string,
  right: string,
  range: { readonly first: number; readonly last: number }
): ReadonlyMap<number, ComparedMessage> {
  const client = useClient()
  return useRows('context.compared', session, `${left} ${right}`, range, (from, signal) =>
    client.call('context.compared', { session, left, right, from, count: rowsAPage }, signal)
  )
}

function useRows<T>(
  name: 'context.messages' | 'context.compared',
  session: SessionKey,
  what: string,
  { first, last }: { readonly first: number; readonly last: number },
  fetch: (from: number, signal: AbortSignal) => Promise<T[]>
): ReadonlyMap<number, T> {
  const revision = useSession(session).data?.revision
  const from = Math.floor(Math.max(0, first) / rowsAPage)
  const pages = last < first ? [] : Array.from({ length: Math.floor(last / rowsAPage) - from + 1 }, (_, i) => from + i)
  const answers = useQueries({
    queries:
      revision === undefined
        ? []
        : pages.map((page) => ({
            queryKey: keys.atRevision(session, revision, name, what, page),
            queryFn: ({ signal }: { signal: AbortSignal }) => fetch(page * rowsAPage, signal),
            gcTime: 30_000
          }))
  })
  return rowsByPlace(pages, answers)
}

function rowsByPlace<T>(pages: readonly number[], answers: readonly UseQueryResult<T[]>[]): ReadonlyMap<number, T> {
  return new Map(
    answers.flatMap(({ data }, index) => {
      const start = (pages[index] ?? 0) * rowsAPage
      return data?.map((row, place) => [start + place, row] as const) ?? []
    })
  )
}

export type ContextHead = Output<'context.head'>
