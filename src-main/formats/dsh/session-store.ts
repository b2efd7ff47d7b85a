import { Refusal } from '#shared/contract/refusal.ts'
import { attach, Session } from './session.ts'
import type { SessionEvent, SessionHeader } from './session-events.ts'
import { SESSION_FORMAT_VERSION } from './session-header.ts'

/** What listeners of a store are told. */
export interface SessionStoreEvents {
  /** Once for every session that is announced. What it throws undoes `create`. */
  readonly 'session/created': (session: Session) => void
  /** After every append. What it throws stays its own. */
  readonly 'session/event': (session: Session, event: SessionEvent) => void
  /** `flush` waits until it is done. */
  readonly 'session/flush': (session: Session) => void | Promise<void>
  /** Once for every session that was announced and leaves the store. What it throws stays its own. */
  readonly 'session/disposed': (session: Session) => void
}

export interface NewSession {
  /** Events that it begins with: those of a stored log, or of a parent. */
  readonly seed?: readonly unknown[]
  readonly meta?: Partial<Omit<SessionHeader, 'version' | 'id'>>
}

interface Entry {
  readonly session: Session
  readonly release: () => void
  isAnnounced: boolean
  /** Whether the store disposes of it. */
  isOwned: boolean
  /** Dispatches under way, during which the session stays. */
  busy: number
  isLeaving: boolean
}

/**
 * Sessions by their ids, in memory. Nothing is stored: who wants that listens to `session/event`, and writes what it
 * holds at `session/flush`. Whatever is refused throws an `Error` with a `code`: `exists`, `not-found`, `not-resumable`,
 * `invalid-input`.
 */
export class SessionStore implements Disposable {
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Map<keyof SessionStoreEvents, Set<(...told: never) => unknown>>()
  #counter = 0

  /** Returns what ends the listening. */
  on<Name extends keyof SessionStoreEvents>(name: Name, listener: SessionStoreEvents[Name]): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    // One of its own, so that a listener that is given twice is told twice.
    const own = (...told: never): unknown => (listener as (...told: never) => unknown)(...told)
    listeners.add(own)
    return () => listeners.delete(own)
  }

  /** A new session that is at once in the store and announced. It leaves with the store. */
  create(id?: string, options?: NewSession): Session {
    const session = this.prepare(id, options)
    const detach = this.enter(session)
    this.#live(session).isOwned = true
    try {
      this.announce(session)
    } catch (error) {
      detach()
      throw error
    }
    return session
  }

  /** A new session that is not in the store. Refused as `exists` where one of its id is, `invalid-input`. */
  prepare(id: string = this.#freeId(), { seed, meta }: NewSession = {}): Session {
    this.#requireFree(id)
    const { createdAt = Date.now(), ...given } = meta ?? {}
    return new Session(id, seed, { ...given, version: SESSION_FORMAT_VERSION, id, createdAt })
  }

  /**
   * Puts a prepared session into the store and tells nobody. Returns what takes it out again, and never another of its id;
   * while it is being announced or appended to, it leaves at the end of that.
   */
  enter(session: Session): () => void {
    this.#requireFree(session.id)
    const release = attach(session, (event) =>
      this.#whileBusy(entry, () => this.#tell('session/event', session, event))
    )
    if (release === undefined) throw new Refusal('exists', `The session ${session.id} is in another store.`)
    const entry: Entry = { session, release, isAnnounced: false, isOwned: false, busy: 0, isLeaving: false }
    this.#entries.set(session.id, entry)
    return () => this.#leave(entry)
  }

  /** Tells that a session is there, once. */
  announce(session: Session): void {
    const entry = this.#live(session)
    if (entry.isAnnounced) throw new Refusal('invalid-input', `The session ${session.id} has been announced already.`)
    entry.isAnnounced = true
    this.#whileBusy(entry, () => {
      for (const listener of this.#listenersOf('session/created'))
        contain('session/created', session, listener(session))
    })
  }

  /** Waits until every listener has stored what it holds, then throws what the first of them threw. */
  async flush(session: Session): Promise<void> {
    this.#live(session)
    const flushed = this.#listenersOf('session/flush').map(async (listener) => listener(session))
    const failed = (await Promise.allSettled(flushed)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  /**
   * A new session that begins with the events of another up to one that ends a turn, by default its last one; a mark
   * behind a seed is none of them. Refused as `not-found` where the source is not in the store, `not-resumable` where no
   * turn ends there, `exists`.
   */
  fork(source: Session | string, boundary?: number, childSessionId?: string): Session {
    const parent = typeof source === 'string' ? this.#entries.get(source)?.session : this.#live(source).session
    if (parent === undefined) throw new Refusal('not-found', `There is no session ${String(source)} in the store.`)
    const { events, header } = parent
    const marks = events.at(-1)?.type === 'session/end-seed' ? 1 : 0
    const end = boundary ?? events.length - 1 - marks
    const type = events[end]?.type
    if (type !== 'turn/end') {
      const what = type === undefined ? 'is none of its events' : `is a ${type}`
      const ends = events.filter((event) => event.type === 'turn/end').map(({ seq }) => seq)
      const nearest = [ends.findLast((seq) => seq < end), ends.find((seq) => seq > end)]
      throw new Refusal('not-resumable', `${parent.id} is forked where a turn ends; ${end} ${what}.`, {
        entry: String(end),
        nearest: nearest.flatMap((seq) => (seq === undefined ? [] : [String(seq)]))
      })
    }
    const seed = events.slice(0, end + 1)
    const cwd = header.cwd === undefined ? {} : { cwd: header.cwd }
    return this.create(childSessionId, { seed, meta: { ...cwd, parentSession: parent.id, seedLength: seed.length } })
  }

  get(id: string): Session | undefined {
    return this.#entries.get(id)?.session
  }

  /** All of them, in the order in which they came. */
  list(): Session[] {
    return [...this.#entries.values()].map(({ session }) => session)
  }

  /** What `create` and `fork` made leaves, the last first. */
  [Symbol.dispose](): void {
    for (const entry of [...this.#entries.values()].toReversed()) if (entry.isOwned) this.#leave(entry)
  }

  #freeId(): string {
    do this.#counter++
    while (this.#entries.has(`session-${this.#counter}`))
    return `session-${this.#counter}`
  }

  #requireFree(id: string): void {
    if (this.#entries.has(id)) throw new Refusal('exists', `There is a session ${id} in the store already.`)
  }

  #live(session: Session): Entry {
    const entry = this.#entries.get(session.id)
    if (entry?.session === session) return entry
    throw new Refusal('not-found', `This session ${session.id} is not in the store.`)
  }

  #whileBusy(entry: Entry, dispatch: () => void): void {
    entry.busy++
    try {
      dispatch()
    } finally {
      entry.busy--
      if (entry.isLeaving) this.#leave(entry)
    }
  }

  #leave(entry: Entry): void {
    const { session } = entry
    if (this.#entries.get(session.id) !== entry) return
    entry.isLeaving = true
    if (entry.busy > 0) return
    this.#entries.delete(session.id)
    entry.release()
    if (entry.isAnnounced) this.#tell('session/disposed', session)
  }

  #listenersOf<Name extends keyof SessionStoreEvents>(name: Name): readonly SessionStoreEvents[Name][] {
    return [...(this.#listeners.get(name) ?? [])] as unknown as readonly SessionStoreEvents[Name][]
  }

  /** Tells each listener, whatever the others do. */
  #tell<Name extends 'session/event' | 'session/disposed'>(name: Name, ...told: Parameters<SessionStoreEvents[Name]>) {
    for (const listener of this.#listenersOf(name)) {
      try {
        contain(name, told[0], (listener as (...told: unknown[]) => unknown)(...told))
      } catch (error) {
        warn(name, told[0], error)
      }
    }
  }
}

/** A listener may be asynchronous though nobody waits for it. */
function contain(name: keyof SessionStoreEvents, session: Session, returned: unknown): void {
  void Promise.resolve(returned).catch((error: unknown) => warn(name, session, error))
}

function warn(name: keyof SessionStoreEvents, session: Session, error: unknown): void {
  process.emitWarning(`A listener of ${name} failed for the session ${session.id}: ${String(error)}`)
}
