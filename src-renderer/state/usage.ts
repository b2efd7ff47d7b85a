import type { UseQueryResult } from '@tanstack/react-query'
import type { Requests } from '#shared/contract/usage.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { useOutline, useSessionCall } from './queries.ts'

export interface ShownRequests {
  readonly query: UseQueryResult<Requests>
  /** What the requests are those of. */
  readonly scope: 'path' | 'session'
}

/**
 * The requests on the path to an entry, and what they and the whole session come to. A store of one path may write them
 * beside it: then they are those of the session.
 */
export function useRequests(session: SessionKey, entry: string | null): ShownRequests {
  const leaves = useOutline(session).data?.leaves.length
  const ofPath = useSessionCall('usage.requests', entry === null ? null : { session, entry })
  const { at, session: all } = ofPath.data ?? {}
  const isBeside = leaves === 1 && at?.length === 0 && (all?.own.requests ?? 0) > 0
  const ofSession = useSessionCall('usage.requests', isBeside ? { session } : null)
  return isBeside ? { query: ofSession, scope: 'session' } : { query: ofPath, scope: 'path' }
}
