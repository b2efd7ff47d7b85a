import type { SessionKey } from '#shared/model/keys.ts'
import { useSessionCall } from './queries.ts'

/** The requests on the path to an entry, and what they and the whole session come to. */
export const useRequests = (session: SessionKey, entry: string | null) =>
  useSessionCall('usage.requests', entry === null ? null : { session, entry }, { movesOn: true })
