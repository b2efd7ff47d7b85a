import type { Format } from '#main/formats/format.ts'
import { openSource } from '#main/formats/open-source.ts'
import { putTogether } from '#main/formats/put-together.ts'
import type { HeldRecords, Queries, StoredSession } from '#main/index/types.ts'
import type { OpenSource } from '#main/platform/byte-pieces.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRecords } from '#shared/model/records.ts'
import { handOnPlaces } from './entry-places.ts'
import { readSession, type ReadSession } from './read-session.ts'
import { sessionContent } from './session-content.ts'

/** Entries held together: two sessions of 100,000, or as many smaller ones. */
const mostEntries = 200_000

export interface SessionRequest {
  readonly session: SessionKey
  readonly agent?: AgentId | undefined
}

/** Sessions put together, the latest used last; one for each key and dialect, at the index's revision. */
export class SessionCache {
  readonly #queries: Queries
  readonly #formats: readonly Format[]
  readonly #held = new Map<string, ReadSession>()

  constructor(queries: Queries, formats: readonly Format[]) {
    this.#queries = queries
    this.#formats = formats
  }

  /** What the index keeps of a session. Refused as `not-found`. */
  stored(session: SessionKey): StoredSession {
    const stored = this.#queries.session(session)
    if (stored !== undefined) return stored
    throw new Refusal('not-found', `There is no session ${session} any more. Open its folder again.`)
  }

  /** Whether the session is, or was shortly before, looked at. */
  holds(session: SessionKey): boolean {
    return this.#latest(session) !== undefined
  }

  /** Refused as `not-found`, or `unsupported` where the session cannot be read as that agent's. */
  get({ session, agent }: SessionRequest): ReadSession {
    const stored = this.stored(session)
    const name = `${session} ${agent ?? ''}`
    const held = this.#held.get(name)
    const current = held?.stored.revision === stored.revision ? held : this.#read(session, agent)
    if (held !== undefined) handOnPlaces(held.tree.nodes, current.tree.nodes)
    this.#held.delete(name)
    this.#held.set(name, current)
    this.#shrink()
    return current
  }

  #read(session: SessionKey, agent: AgentId | undefined): ReadSession {
    const stored = this.stored(session)
    const read = this.#queries.records(session, this.#latest(session))
    const format = this.#formats.find(({ id }) => id === stored.format)
    if (read === undefined || format === undefined) throw new Error(`the index has ${session} in a part only`)
    if (agent !== undefined && !format.agents.includes(agent)) {
      const file = stored.files[0].path
      throw new Refusal('unsupported', `${file} is a ${format.label} session and cannot be read as ${agent}.`, { file })
    }
    const records = agent === undefined ? read.records : { ...read.records, agent }
    const open = sourcesOf(format, records)
    const together = putTogether(format, records)
    const view = { ...together, content: sessionContent(together.records, open, format), open }
    return readSession({ ...stored, revision: read.revision, files: records.files }, format, view)
  }

  /** What is held of a session at its latest, in whichever dialect: the entries are the same in all. */
  #latest(session: SessionKey): HeldRecords | undefined {
    const held = [...this.#held.values()].filter(({ stored }) => stored.key === session)
    const latest = held.toSorted((one, other) => one.stored.revision - other.stored.revision).at(-1)
    if (latest === undefined) return undefined
    const { stored, records, tree } = latest
    const own = records.entries.length - (tree.synthetic?.length ?? 0)
    return { revision: stored.revision, records: { entries: records.entries.slice(0, own) } }
  }

  #shrink(): void {
    let entries = 0
    for (const [name, { records }] of [...this.#held].toReversed()) {
      entries += records.entries.length
      if (entries > mostEntries && entries > records.entries.length) this.#held.delete(name)
    }
  }
}

/** Opens a session's files. Refused as `not-found` where one is gone or may not be read. */
function sourcesOf(format: Format, { files }: SessionRecords): OpenSource {
  return async (file) => {
    const source = files[file] ?? files[0]
    try {
      return await openSource(format, source)
    } catch (error) {
      const { path } = source
      const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is gone' : 'cannot be read'
      throw new Refusal('not-found', `${path} ${why}. Check the file, then open it again.`, { file: path })
    }
  }
}
