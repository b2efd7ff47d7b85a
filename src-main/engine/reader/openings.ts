import type { Opening, Queries } from '#main/index/types.ts'
import type { EntryRow, Outline } from '#shared/model/entry.ts'
import type { SessionCache, SessionRequest } from './session-cache.ts'

interface Held extends Opening {
  readonly name: string
  readonly rowAt: ReadonlyMap<number, EntryRow>
}

/** Answers from what the index keeps of long sessions for their opening, so that the first rows do not wait for all records. */
export class Openings {
  readonly #queries: Queries
  readonly #sessions: SessionCache
  #held: Held | undefined

  constructor(queries: Queries, sessions: SessionCache) {
    this.#queries = queries
    this.#sessions = sessions
  }

  /** The session's outline; undefined where its records are held already, or none is kept of it as it is now. */
  outline(request: SessionRequest): Outline | undefined {
    return this.#find(request)?.outline
  }

  /** The rows at these positions, where all of them are kept. */
  rows(request: SessionRequest, at: readonly number[]): EntryRow[] | undefined {
    const opening = this.#find(request)
    const rows = at.flatMap((position) => opening?.rowAt.get(position) ?? [])
    return opening !== undefined && rows.length === at.length ? rows : undefined
  }

  #find({ session, agent }: SessionRequest): Held | undefined {
    if (agent !== undefined || this.#sessions.holds(session)) return undefined
    const { revision } = this.#sessions.stored(session)
    const name = `${session} ${revision}`
    if (this.#held?.name === name) return this.#held
    const opening = this.#queries.opening(session, revision)
    if (opening === undefined) return undefined
    const rowAt = new Map(opening.rows.map((row) => [row.at, row]))
    this.#held = { ...opening, name, rowAt }
    return this.#held
  }
}
