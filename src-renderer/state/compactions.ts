import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { FateRow } from '#shared/contract/compaction.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { type Output, useClient } from './client.ts'
import { keys, useSession, useSessionCall } from './queries.ts'

/** The compactions on the path to an entry. */
export const useCompactions = (session: SessionKey, entry: string | null) =>
  useSessionCall('compaction.list', entry === null ? null : { session, entry }, { movesOn: true })

/** The compactions of the whole file. */
export const useEveryCompaction = (session: SessionKey) => useSessionCall('compaction.list', { session })

export const useCompaction = (session: SessionKey, entry: string | null) =>
  useSessionCall('compaction.get', entry === null ? null : { session, entry })

/** Places of what is gone and holds the text; nothing is asked for an empty one. */
export const useFoundInCompaction = (session: SessionKey, entry: string | null, text: string) =>
  useSessionCall('compaction.find', entry === null || text === '' ? null : { session, entry, text })

/** How the text of a message that was rewritten differs, by its place before. */
export const useRewriting = (session: SessionKey, entry: string, index: number) =>
  useSessionCall('compaction.difference', { session, entry, index })

const rowsAPage = 100

/** Messages of one side of a compaction at these places, as far as they have arrived; fetched by pages. */
export function useFates(
  session: SessionKey,
  entry: string,
  side: 'before' | 'after',
  places: readonly number[]
): ReadonlyMap<number, FateRow> {
  const client = useClient()
  const revision = useSession(session).data?.revision
  const pages = [...new Set(places.map((place) => Math.floor(place / rowsAPage)))]
  return useQueries({
    queries:
      revision === undefined
        ? []
        : pages.map((page) => ({
            queryKey: keys.atRevision(session, revision, 'compaction.fates', entry, side, page),
            queryFn: ({ signal }: { signal: AbortSignal }) =>
              client.call(
                'compaction.fates',
                { session, entry, side, from: page * rowsAPage, count: rowsAPage },
                signal
              ),
            gcTime: 30_000
          })),
    combine: byPlace
  })
}

const byPlace = (pages: readonly UseQueryResult<Output<'compaction.fates'>>[]): ReadonlyMap<number, FateRow> =>
  new Map(pages.flatMap(({ data }) => data?.map((row) => [row.index, row] as const) ?? []))
