import { type QueryClient, skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { SessionKey } from '#shared/model/keys.ts'
import type { RequestsChange } from '#shared/contract/usage.ts'
import { changedRequests } from '#shared/tree/requests-change.ts'
import { useClient } from './client.ts'
import { isOfGrowth, keys, useOutline } from './queries.ts'

interface HeldRequests extends RequestsChange {
  readonly entry: string
}

/**
 * The requests on the path to an entry, and what they and the whole session come to; of a path that goes on only what is
 * new is fetched, and the older ones stay meanwhile.
 */
export function useRequests(session: SessionKey, entry: string | null): UseQueryResult<RequestsChange> {
  const client = useClient()
  const revision = useOutline(session).data?.revision
  return useQuery({
    queryKey: keys.atRevision(session, revision, 'usage.requests', entry),
    queryFn:
      entry === null || revision === undefined
        ? skipToken
        : async ({ signal, client: queries }): Promise<HeldRequests> => {
            const held = latestRequests(queries, session)
            const since = held && { revision: held.revision, entry: held.entry }
            const change = await client.call('usage.requests', { session, entry, ...(since && { since }) }, signal)
            return { ...changedRequests(held, change), entry }
          },
    placeholderData: (before, query) =>
      entry !== null &&
      ((query?.queryKey[1] === session && query.queryKey[4] === entry) ||
        isOfGrowth(query?.queryKey, session, revision))
        ? before
        : undefined,
    // Each holds columns of its own, and only the latest is gone on with.
    gcTime: 5000
  })
}

function latestRequests(queries: QueryClient, session: SessionKey): HeldRequests | undefined {
  const held = queries.getQueriesData<HeldRequests>({
    queryKey: keys.session(session),
    predicate: ({ queryKey }) => queryKey[3] === 'usage.requests'
  })
  return held
    .flatMap(([, requests]) => requests ?? [])
    .toSorted((one, other) => one.revision - other.revision)
    .at(-1)
}
