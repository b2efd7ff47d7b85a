import { sessionRequests } from '#main/usage/session-requests.ts'
import type { Requests, RequestsChange } from '#shared/contract/usage.ts'
import { keptRequests, type KeptRequests, requestsBehind, requestsKeptOverBoth } from '#shared/tree/requests-change.ts'
import type { ReadSession } from './read-session.ts'

interface Place {
  readonly revision: number
  readonly entry: string
}

interface Remembered {
  readonly place: string
  readonly latest: Requests
  /** What `latest` has of its own place's requests and of those sent earlier, the latest last. */
  readonly earlier: ReadonlyMap<string, KeptRequests>
}

/** As many sessions as are looked at in turn, each as far back as a window may lag behind. */
const mostSessions = 2
const mostPlaces = 100

const nothing: KeptRequests = { requests: 0, markers: 0 }

/** Remembers which requests of the sessions' paths were sent, so that none is sent twice. */
export class SentRequests {
  /** By session and dialect, the latest used last. */
  readonly #remembered = new Map<string, Remembered>()

  /** Those on the path to an entry, without what they have from the start of those that were sent for another. */
  since(session: ReadSession, entry: string, known: Place | undefined): RequestsChange {
    const { revision } = session.stored
    const name = `${session.stored.key} ${session.records.agent ?? ''}`
    const remembered = renewed(this.#remembered.get(name), session, entry)
    this.#remembered.delete(name)
    this.#remembered.set(name, remembered)
    for (const oldest of [...this.#remembered.keys()].slice(0, -mostSessions)) this.#remembered.delete(oldest)
    const kept = known === undefined ? undefined : remembered.earlier.get(placeName(known))
    return requestsBehind(remembered.latest, revision, kept ?? nothing)
  }
}

const placeName = ({ revision, entry }: Place): string => `${revision} ${entry}`

function renewed(before: Remembered | undefined, session: ReadSession, entry: string): Remembered {
  const place = placeName({ revision: session.stored.revision, entry })
  if (before?.place === place) return before
  const latest = sessionRequests(session.format, session, session.toldUpTo(session.at(entry)))
  const kept = before === undefined ? nothing : keptRequests(before.latest, latest)
  const earlier = [...(before?.earlier ?? [])].map(
    ([known, part]) => [known, requestsKeptOverBoth(part, kept)] as const
  )
  const whole = { requests: latest.at.length, markers: latest.markers.length }
  return { place, latest, earlier: new Map([...earlier.slice(-mostPlaces), [place, whole]]) }
}
