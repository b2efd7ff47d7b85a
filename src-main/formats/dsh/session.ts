import { Refusal } from '#shared/contract/refusal.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import { asList } from '../json.ts'
import { deriveEventMessage } from './derive-messages.ts'
import { deepFreeze, snapshotJsonValue } from './json-value.ts'
import { requestHeaderFault } from './request-header.ts'
import { seedEventFault } from './seed-event.ts'
import type {
  Message,
  SessionEvent,
  SessionEventMap,
  SessionEventType,
  SessionHeader,
  SurfaceEventType,
  SurfaceIntent
} from './session-events.ts'
import { SESSION_FORMAT_VERSION, sessionHeader } from './session-header.ts'
import { placeEvent, type StoredEvent, Surface, surfaceStepOf } from './surface.ts'

/** The conversation of a session as it is now. */
export interface SessionSurface {
  /** Numbers of events, in the order in which the model sees them. Frozen; the same list until it changes. */
  readonly nodes: readonly number[]
  /** Changes with every replacement. */
  readonly replaceGeneration: number
}

type IntentOf<Type> = Type extends SurfaceEventType ? [intent: SurfaceIntent] : []

/** Told of every event that is accepted, once it is in the log. */
type Publish = (event: SessionEvent) => void

const publishers = new WeakMap<Session, Publish>()

/** Makes appends of a session known; undefined where another holds it already. Returns what ends that. */
export function attach(session: Session, publish: Publish): (() => void) | undefined {
  if (publishers.has(session)) return undefined
  publishers.set(session, publish)
  return () => publishers.delete(session)
}

/**
 * A session's log, in memory, of format v0: events are appended, checked and frozen, and never change. What the model is
 * sent is derived from it. Whatever is refused throws an `Error` with the `code` `invalid-input` and changes nothing.
 */
export class Session {
  readonly #header: SessionHeader
  readonly #log: SessionEvent[] = []
  readonly #surface = new Surface()
  readonly #view: SessionSurface
  #snapshot: readonly SessionEvent[] | null = null
  #nodes: readonly number[] | null = null
  #isPublishing = false
  #messages: Message[] = []
  /** How many nodes of the surface the messages are made of, and of which of its generations. */
  #projected = 0
  #generation = 0

  /** A new session, or one that begins with the events of another log; these are marked as a seed. */
  constructor(id: string, seed?: readonly unknown[], header?: SessionHeader) {
    this.#header = sessionHeader(id, header ?? { version: SESSION_FORMAT_VERSION, id, createdAt: Date.now() })
    const surface = this.#surface
    const nodes = () => (this.#nodes ??= Object.freeze([...surface.nodes]))
    this.#view = Object.freeze({
      get nodes() {
        return nodes()
      },
      get replaceGeneration() {
        return surface.replaceGeneration
      }
    })
    if (seed === undefined) return
    for (const event of seed) this.#addSeed(event)
    if (this.#log.at(-1)?.type !== 'session/end-seed') this.append('session/end-seed', {})
  }

  /** Frozen. */
  get header(): SessionHeader {
    return this.#header
  }

  get id(): string {
    return this.#header.id
  }

  /** A view on the conversation that is always up to date. */
  get surface(): SessionSurface {
    return this.#view
  }

  /** Number of the next event. */
  get seq(): number {
    return this.#log.length
  }

  /** The log as it is now, frozen; the same list until the next append. */
  get events(): readonly SessionEvent[] {
    return (this.#snapshot ??= Object.freeze([...this.#log]))
  }

  /**
   * Appends a copy of the data, each of its members read once, then tells the store's listeners. Returns the event as it
   * stands in the log. An event that makes a message says how it enters the conversation, any other may not.
   */
  append<Type extends SessionEventType>(
    type: Type,
    data: SessionEventMap[Type],
    ...[intent]: IntentOf<Type>
  ): SessionEvent<Type> {
    if (typeof type !== 'string' || type.length === 0) throw refused(String(type), 'its type is no name')
    const { surfaceOp, sourceEventSeqs } = (intent ?? {}) as Partial<SurfaceIntent>
    const metadata = {
      ...(surfaceOp === undefined ? {} : { surfaceOp }),
      ...(sourceEventSeqs === undefined ? {} : { sourceEventSeqs })
    }
    const copy = snapshotJsonValue([data, metadata]) as readonly [Json, JsonObject] | undefined
    if (copy === undefined) throw refused(type, 'it holds what JSON cannot')
    const fault = requestHeaderFault({ type, data: copy[0] })
    if (fault !== null) throw refused(type, fault)
    if (this.#isPublishing) throw refused(type, 'another event is being made known')
    const event = { type, seq: this.#log.length, time: Date.now(), data: copy[0], ...copy[1] }
    const accepted = this.#accept(event) as SessionEvent<Type>
    const publish = publishers.get(this)
    if (publish === undefined) return accepted
    this.#isPublishing = true
    try {
      publish(accepted)
    } finally {
      this.#isPublishing = false
    }
    return accepted
  }

  /**
   * The history that the model is sent: a new list of frozen messages that are shared with every other such list. Each
   * entry of the conversation is projected once, until a replacement.
   */
  deriveMessages(): Message[] {
    const { nodes, replaceGeneration } = this.#surface
    if (replaceGeneration !== this.#generation) {
      this.#messages = []
      this.#projected = 0
      this.#generation = replaceGeneration
    }
    for (; this.#projected < nodes.length; this.#projected++) {
      const event = this.#log[nodes[this.#projected] ?? -1]
      const message = event === undefined ? null : this.deriveEventMessage(event)
      if (message !== null) this.#messages.push(Object.freeze(message))
    }
    return [...this.#messages]
  }

  /** The message that an event gives the model; null where it gives none. */
  deriveEventMessage(event: SessionEvent): Message | null {
    return deriveEventMessage(event) as Message | null
  }

  #addSeed(value: unknown): void {
    const seq = this.#log.length
    const copy = snapshotJsonValue(value)
    const fault = copy === undefined ? 'it holds what JSON cannot' : seedEventFault(copy, seq)
    if (copy === undefined || fault !== null) {
      throw new Refusal('invalid-input', `Event ${seq} of the seed is refused: ${fault}.`)
    }
    this.#accept(copy as unknown as StoredEvent)
  }

  #accept(event: StoredEvent): SessionEvent {
    // Runs are a way of later files to store them.
    if (asList(event.sourceEventSeqs as Json).some((source) => Array.isArray(source))) {
      throw refused(event.type, 'sourceEventSeqs holds something else than numbers of events')
    }
    const shadowed = placeEvent(this.#surface, event, (seq) => this.#log[seq])
    if (shadowed !== null && 'kind' in shadowed) throw refused(event.type, shadowed.why)
    const accepted = deepFreeze(event) as SessionEvent
    this.#log.push(accepted)
    this.#snapshot = null
    if (shadowed === null) return accepted
    this.#nodes = null
    this.#surface.commit(event.seq, shadowed)
    return accepted
  }
}

/** Whether an event takes part in the conversation: its type makes messages, and it says in full how it enters. */
export function isSurfaceEvent(event: SessionEvent): event is SessionEvent<SurfaceEventType> & SurfaceIntent {
  const step = surfaceStepOf(event)
  return step !== null && step.kind !== 'invalid'
}

const refused = (type: string, why: string) => new Refusal('invalid-input', `The event ${type} is refused: ${why}.`)
