import { Refusal } from '#shared/contract/refusal.ts'
import type { Json } from '#shared/model/json.ts'
import { asList, asObject } from '../json.ts'
import { isSameJson } from './json-value.ts'

/** What of an event the surface looks at; all of it JSON. */
export interface StoredEvent {
  readonly type: string
  readonly seq: number
  readonly data?: unknown
  readonly surfaceOp?: unknown
  readonly sourceEventSeqs?: unknown
}

/** Numbers of events from the first to the last, both included. */
export type SeqRange = readonly [first: number, last: number]

/** What an event does to the surface: stands at its end, or in the place of a range of its nodes. */
export type SurfaceStep =
  | { readonly kind: 'append' }
  | {
      readonly kind: 'replace'
      readonly start: number
      readonly end: number
      /** What it names as its sources, in order. */
      readonly sources: readonly SeqRange[]
    }

/** What is wrong with an event's part in the surface (docs/formats/dsh.md, "Surface"). */
export interface SurfaceFault {
  readonly kind: 'invalid'
  readonly why: string
}

const invalid = (why: string): SurfaceFault => ({ kind: 'invalid', why })

const firstTypes = ['user/message', 'assistant/message', 'tool/result'] as const
/** Of the versions before v0 was released. */
const oldTypes = ['steering/message', 'context/message'] as const
const typesByVersion: readonly ReadonlySet<string>[] = [
  new Set([...firstTypes, ...oldTypes]),
  new Set(firstTypes),
  new Set(firstTypes),
  new Set([...firstTypes, 'system/message']),
  new Set([...firstTypes, 'system/message', 'developer/message'])
]
/** From here on a replacement's members are `startSeq` and `endSeq`, and an answer has no sources. */
const renamedMembers = 3
/** From here on a tool result's message is not wrapped in a block. */
const flatResults = 4

/** Whether events of a type make messages: such an event must say how it joins the surface, any other may not. */
export function isSurfaceEligibleType(type: string, version = 0): boolean {
  return typesByVersion[Math.min(version, typesByVersion.length - 1)]?.has(type) ?? false
}

/** What an event says of its part in the surface, checked by itself; null for one that has none. */
export function surfaceStepOf(event: StoredEvent, version = 0): SurfaceStep | SurfaceFault | null {
  const { type, seq, surfaceOp, sourceEventSeqs } = event
  if (!isSurfaceEligibleType(type, version)) {
    if (surfaceOp === undefined && sourceEventSeqs === undefined) return null
    return invalid(`${type} makes no message and can have neither surfaceOp nor sourceEventSeqs`)
  }
  if (surfaceOp === undefined) return invalid(`${type} has no surfaceOp`)
  const range = surfaceOp === 'append' ? null : replacedRange(surfaceOp as Json, version)
  if (range === undefined) return invalid(`${type} has a surfaceOp that is neither "append" nor a replacement`)
  const sources = sourceEventSeqs === undefined ? [] : sourcesOf(sourceEventSeqs as Json, seq)
  if (typeof sources === 'string') return invalid(sources)
  if (sourceEventSeqs !== undefined && type === 'assistant/message' && version >= renamedMembers) {
    return invalid('an assistant/message has no sourceEventSeqs from v3 on')
  }
  if (sourceEventSeqs !== undefined && sources.length === 0 && type !== 'assistant/message') {
    return invalid('sourceEventSeqs are empty')
  }
  return range === null ? { kind: 'append' } : { kind: 'replace', start: range[0], end: range[1], sources }
}

/** The range of a replacement, undefined where it is none: exactly three members, whose names changed with v3. */
function replacedRange(surfaceOp: Json, version: number): SeqRange | undefined {
  const op = asObject(surfaceOp)
  if (op === null || op['op'] !== 'replace' || Object.keys(op).length !== 3) return undefined
  const [start, end] = version < renamedMembers ? [op['start'], op['end']] : [op['startSeq'], op['endSeq']]
  return isSeq(start) && isSeq(end) ? [start, end] : undefined
}

const isSeq = (value: Json | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/**
 * The sources that an event names, in order; runs are stored as pairs and never written out, as their lengths are not to
 * be trusted. A text says what is wrong with them.
 */
export function sourcesOf(stored: Json, seq: number): readonly SeqRange[] | string {
  if (!Array.isArray(stored)) return 'sourceEventSeqs is no list'
  const ranges: SeqRange[] = []
  for (const source of stored as readonly Json[]) {
    const [first, last, ...more] = Array.isArray(source) ? (source as readonly Json[]) : [source, source]
    if (!isSeq(first) || !isSeq(last) || first > last || more.length > 0) {
      return 'sourceEventSeqs holds something else than numbers of events and runs of them'
    }
    if (last >= seq) return `sourceEventSeqs names ${last}, which is not earlier than ${seq}`
    ranges.push([first, last])
  }
  ranges.sort(([one], [other]) => one - other)
  const twice = ranges.find(([first], at) => first <= (ranges[at - 1]?.[1] ?? -1))
  return twice === undefined ? ranges : `sourceEventSeqs names ${twice[0]} twice`
}

/** Stands before the first node and behind the last one. */
const edge = -1

/** The conversation: events by their numbers, in an order that only appends and replacements change. */
export class Surface {
  readonly #next = new Map([[edge, edge]])
  readonly #previous = new Map([[edge, edge]])
  #listed: number[] | null = []
  #replaceGeneration = 0

  /** Numbers of the events in the order in which the model sees them. */
  get nodes(): readonly number[] {
    if (this.#listed !== null) return this.#listed
    const listed: number[] = []
    for (let seq = this.#after(edge); seq !== edge; seq = this.#after(seq)) listed.push(seq)
    return (this.#listed = listed)
  }

  /** How many replacements there were. */
  get replaceGeneration(): number {
    return this.#replaceGeneration
  }

  /** The nodes that an event's step shadows, in order, or why it may not. Changes nothing. */
  shadowedBy(step: SurfaceStep): readonly number[] | SurfaceFault {
    if (step.kind === 'append') return []
    const { start, end, sources } = step
    const missing = [start, end].find((seq) => !this.#next.has(seq))
    if (missing !== undefined) return invalid(`it replaces ${missing}, which is not in the conversation`)
    const shadowed: number[] = []
    for (let seq = start; seq !== edge; seq = this.#after(seq)) {
      shadowed.push(seq)
      if (seq !== end) continue
      const uncited = shadowed.find((one) => !holds(sources, one))
      return uncited === undefined ? shadowed : invalid(`it shadows ${uncited}, which sourceEventSeqs does not name`)
    }
    return invalid(`it replaces from ${start} to ${end}, but ${end} stands before ${start}`)
  }

  /** Puts an event at the end, or in the place of the nodes that it shadows. */
  commit(seq: number, shadowed: readonly number[]): void {
    const first = shadowed[0] ?? edge
    const last = shadowed.at(-1)
    const [before, after] = [this.#before(first), last === undefined ? edge : this.#after(last)]
    for (const gone of shadowed) {
      this.#next.delete(gone)
      this.#previous.delete(gone)
    }
    this.#link(before, seq)
    this.#link(seq, after)
    if (last === undefined) {
      this.#listed?.push(seq)
      return
    }
    this.#replaceGeneration++
    this.#listed = null
  }

  #after(seq: number): number {
    return this.#next.get(seq) ?? edge
  }

  #before(seq: number): number {
    return this.#previous.get(seq) ?? edge
  }

  #link(before: number, after: number): void {
    this.#next.set(before, after)
    this.#previous.set(after, before)
  }
}

/** Whether a number is in ranges that are in order. */
function holds(ranges: readonly SeqRange[], seq: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.[1] ?? 0) < seq) low = middle + 1
    else high = middle
  }
  const range = ranges[low]
  return range !== undefined && range[0] <= seq
}

/** All of a tool result that a rewrite may not change: everything but the content of its one block. */
export function fixedPart(data: Json, version = 0): Json {
  const result = asObject(data) ?? {}
  const message = asObject(result['message'])
  // Before v0 was released, results had no message.
  if (message === null) return { ...result, content: null }
  const blocks = asList(message['content']).map((block) => ({ ...asObject(block), content: null }))
  return { ...result, message: { ...message, content: version >= flatResults ? null : blocks } }
}

/** Where an event goes, all rules looked at: the nodes that it shadows; null where it has no part in the surface. */
export function placeEvent(
  surface: Surface,
  event: StoredEvent,
  eventAt: (seq: number) => StoredEvent | undefined,
  version = 0
): readonly number[] | SurfaceFault | null {
  const step = surfaceStepOf(event, version)
  if (step === null || step.kind === 'invalid') return step
  const shadowed = surface.shadowedBy(step)
  if ('kind' in shadowed || step.kind === 'append' || event.type !== 'tool/result') return shadowed
  const [only, ...more] = shadowed
  const original = only === undefined || more.length > 0 ? undefined : eventAt(only)
  if (original?.type !== 'tool/result') return invalid('a tool/result replaces exactly one tool/result')
  const [before, after] = [original, event].map(({ data }) => fixedPart((data ?? null) as Json, version))
  const isSame = isSameJson(before ?? null, after ?? null)
  return isSame ? shadowed : invalid('a tool/result changes nothing but the content of the one that it replaces')
}

export interface SurfaceReplacement {
  readonly seq: number
  readonly start: number
  readonly end: number
  /** What it took out of the conversation, in the conversation's order. */
  readonly shadowedSeqs: readonly number[]
}

export interface FoldedSurface {
  /** Numbers of the events in the order in which the model sees them. */
  readonly nodes: readonly number[]
  readonly replacements: readonly SurfaceReplacement[]
}

/** The conversation that a whole log makes. Refused as `invalid-input` at the first event that breaks a rule. */
export function foldSurface(events: readonly StoredEvent[], version = 0): FoldedSurface {
  const surface = new Surface()
  const replacements: SurfaceReplacement[] = []
  for (const [index, event] of events.entries()) {
    const { seq } = event
    if (seq !== index) throw refused(index, `its seq is ${seq}`)
    const shadowed = placeEvent(surface, event, (at) => events[at], version)
    if (shadowed === null) continue
    if ('kind' in shadowed) throw refused(index, shadowed.why)
    surface.commit(seq, shadowed)
    const [start, end] = [shadowed[0], shadowed.at(-1)]
    if (start !== undefined && end !== undefined) replacements.push({ seq, start, end, shadowedSeqs: shadowed })
  }
  return { nodes: [...surface.nodes], replacements }
}

const refused = (index: number, why: string) => new Refusal('invalid-input', `Event ${index} is refused: ${why}.`)
