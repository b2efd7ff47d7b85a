import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { QueryClient, UseQueryResult } from '@tanstack/react-query'
import type { EntryContent } from '#shared/contract/transcript.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { type Output, useClient } from './client.ts'
import { keys, useSession } from './queries.ts'

const entriesAPage = 10

export interface Contents {
  /** By position in the outline. */
  readonly contents: ReadonlyMap<number, EntryContent>
  readonly error: Error | null
  readonly loading: boolean
}

/**
 * What the entries at these positions of the outline say, as far as it has arrived; fetched by pages, of which those
 * entries are left out that are never asked for.
 */
export function useEntryContents(
  session: SessionKey,
  at: readonly number[],
  isAsked: (position: number) => boolean
): Contents {
  const client = useClient()
  const queries = useQueryClient()
  const row = useSession(session).data
  const entries = row?.entries ?? 0
  const pages = [...new Set(at.map((position) => Math.floor(position / entriesAPage)))]
  return useQueries({
    queries:
      row === undefined
        ? []
        : pages.map((page) => ({
            queryKey: keys.atRevision(session, row.revision, 'entry.contents', page),
            queryFn: ({ signal }: { signal: AbortSignal }) =>
              client.call('entry.contents', { session, at: positionsOnPage(page, entries).filter(isAsked) }, signal),
            placeholderData: () => contentsBefore(queries, session, page),
            gcTime: 30_000
          })),
    combine: contentsByPosition
  })
}

/** The page as an earlier revision had it, so that texts do not blink while a file grows. */
function contentsBefore(queries: QueryClient, session: SessionKey, page: number): Output<'entry.contents'> | undefined {
  const known = queries.getQueriesData<Output<'entry.contents'>>({
    queryKey: keys.session(session),
    predicate: ({ queryKey }) => queryKey[3] === 'entry.contents' && queryKey[4] === page
  })
  return known.findLast(([, contents]) => contents !== undefined)?.[1]
}

const positionsOnPage = (page: number, entries: number): number[] =>
  Array.from(
    { length: Math.max(0, Math.min(entriesAPage, entries - page * entriesAPage)) },
    (_, index) => page * entriesAPage + index
  )

const contentsByPosition = (pages: readonly UseQueryResult<Output<'entry.contents'>>[]): Contents => ({
  contents: new Map(pages.flatMap(({ data }) => data?.map((content) => [content.at, content] as const) ?? [])),
  error: pages.find(({ error }) => error !== null)?.error ?? null,
  loading: pages.some(({ isPending }) => isPending)
})
