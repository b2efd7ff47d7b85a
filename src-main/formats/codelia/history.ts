import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { SessionView } from '../format.ts'
import { asObject, asString } from '../json.ts'
import { markOf, objectsIn } from './entry.ts'
import { type Links, linksOf, type RunSpan } from './links.ts'
import { messageName, placesOf } from './message-names.ts'
import { messagePrint } from './print.ts'
import type { Facts } from './schema.ts'

/** A message as it is stored, with the entries that it comes from. */
export interface Held {
  readonly message: JsonObject
  /** Indexes; the first is the entry that wrote it, where one is found. */
  readonly from: readonly number[]
}

export interface History {
  readonly messages: readonly Held[]
  /** The request whose messages these begin with; null where there is none. */
  readonly request: number | null
  /** Indexes of entries whose bytes no longer hold them. */
  readonly unread: readonly number[]
  /** True where nothing shows what a compaction left. */
  readonly isUnknown: boolean
}

/**
 * The messages at an entry: those of the last request before it as they were sent, with what its answer and its tools
 * added since; behind a compaction those that it left; of what is resumed from, the messages themselves
 * (docs/formats/codelia.md, "Context").
 */
export async function historyAt(view: SessionView, at: number, signal?: AbortSignal): Promise<History> {
  const { messages } = linksOf(view.tree)
  const read = new Reading(view, signal)
  if (at >= messages) {
    const own = Array.from({ length: at - messages + 1 }, (_, index) => messages + index)
    const held = await read.all(own)
    return read.done(held, null)
  }
  const anchor = anchorOf(view, at)
  if (anchor === -1) return read.done(await prompts(read, view, 0, at), null)
  if (kindAt(view, anchor) === 'request') {
    const held = await requestWithAnswer(read, view, anchor, at)
    return read.done([...held, ...(await prompts(read, view, anchor, at))], anchor)
  }
  const { held, isUnknown } = await leftBy(read, view, anchor)
  return { ...read.done([...held, ...(await prompts(read, view, anchor, at))], requestBefore(view, anchor)), isUnknown }
}

const kindAt = (view: SessionView, at: number) => view.records.entries[at]?.kind
const factsAt = (view: SessionView, at: number): Facts => (view.records.entries[at]?.facts ?? {}) as Facts

/** The last request or compaction up to an entry, -1 where there is none. */
function anchorOf(view: SessionView, at: number): number {
  for (let above = at; above >= 0; above--) {
    const kind = kindAt(view, above)
    if (kind === 'request' || kind === 'compaction') return above
  }
  return -1
}

function requestBefore(view: SessionView, at: number): number | null {
  for (let above = at; above >= 0; above--) if (kindAt(view, above) === 'request') return above
  return null
}

/** Reads objects and notes those that are gone. */
class Reading {
  readonly #view: SessionView
  readonly #signal: AbortSignal | undefined
  readonly unread: number[] = []

  constructor(view: SessionView, signal: AbortSignal | undefined) {
    this.#view = view
    this.#signal = signal
  }

  async objects(at: readonly number[]): Promise<ReadonlyMap<number, JsonObject>> {
    const found = new Map<number, JsonObject>()
    let position = 0
    for await (const object of this.#view.content.objects(at, this.#signal)) {
      const index = at[position++] ?? -1
      if (object === null) this.unread.push(index)
      else found.set(index, object)
    }
    return found
  }

  async object(at: number): Promise<JsonObject> {
    return (await this.objects([at])).get(at) ?? {}
  }

  /** Entries that are messages themselves. */
  async all(at: readonly number[]): Promise<readonly Held[]> {
    return [...(await this.objects(at))].map(([index, message]) => ({ message, from: [index] }))
  }

  done(messages: readonly Held[], request: number | null): History {
    return { messages, request, unread: this.unread, isUnknown: false }
  }
}

/** The prompt of a run that begins behind an entry and has sent nothing yet; commands of the agent are not sent. */
async function prompts(read: Reading, view: SessionView, behind: number, at: number): Promise<readonly Held[]> {
  const found: number[] = []
  for (let index = behind; index <= at; index++) {
    const entry = view.records.entries[index]
    if (entry?.kind === 'message' && factsAt(view, index).command !== true) found.push(index)
  }
  const objects = await read.objects(found)
  return [...objects].map(([index, record]) => ({ message: promptOf(record), from: [index] }))
}

function promptOf(record: JsonObject): JsonObject {
  const input = asObject(record['input'])
  return { role: 'user', content: (input?.['type'] === 'parts' ? input['parts'] : input?.['text']) ?? '' }
}

/** What a request sent: without what was written into it afterwards. */
async function sentBy(read: Reading, view: SessionView, request: number): Promise<readonly Held[]> {
  const stored = objectsIn(asObject((await read.object(request))['input'])?.['messages'])
  const response = linksOf(view.tree).invocationOf.get(request)?.response ?? null
  const asked = response === null ? undefined : factsAt(view, response).asked
  return withOrigins(view, asked === undefined ? stored : stored.slice(0, asked), request)
}

async function requestWithAnswer(
  read: Reading,
  view: SessionView,
  request: number,
  at: number
): Promise<readonly Held[]> {
  const sent = await sentBy(read, view, request)
  const { invocationOf, runs } = linksOf(view.tree)
  const response = invocationOf.get(request)?.response ?? null
  // Neither the prompt for a last answer nor the answer stays in the history.
  if (factsAt(view, request).last === true && runOf(runs, request) !== runOf(runs, at)) return sent.slice(0, -1)
  if (response === null || response > at) return sent
  const answer = objectsIn(asObject((await read.object(response))['output'])?.['messages'])
  const outputs = outputsOf(view, response, at)
  const objects = await read.objects(
    outputs.flatMap(({ output, shown }) => (shown === null ? [output] : [output, shown]))
  )
  const results = outputs.map(({ output, shown }) => ({
    message: toolMessage(objects.get(output) ?? {}, shown === null ? undefined : objects.get(shown)),
    from: [output]
  }))
  return [...sent, ...answer.map((message) => ({ message, from: [response] })), ...results]
}

/** The outputs of an answer's calls up to an entry, each with the event that shows what the model gets of it. */
function outputsOf(view: SessionView, response: number, at: number) {
  const calls = new Set((factsAt(view, response).calls ?? []).map(([id]) => id))
  const outputs: { output: number; shown: number | null; call: string }[] = []
  for (let index = response + 1; index <= at; index++) {
    const { call, type } = factsAt(view, index)
    if (call === undefined || !calls.has(call)) continue
    if (kindAt(view, index) === 'tool-result') outputs.push({ output: index, shown: null, call })
    if (type !== 'agent.event:tool_result') continue
    const last = outputs.findLast((one) => one.call === call)
    if (last !== undefined) last.shown = index
  }
  return outputs
}

function toolMessage(output: JsonObject, shown: JsonObject | undefined): JsonObject {
  const result = asObject(shown?.['event'])?.['result']
  const members: Record<string, Json> = {
    role: 'tool',
    tool_call_id: output['tool_call_id'] ?? '',
    tool_name: output['tool'] ?? '',
    content: (typeof result === 'string' ? result : output['result_raw']) ?? ''
  }
  for (const name of ['is_error', 'output_ref']) {
    const value = output[name]
    if (value !== undefined) members[name] = value
  }
  return members
}

/**
 * The entries that the messages of a request come from, from the last to the first, each before the one behind it, and
 * what a compaction wrote from the last one; what none wrote (the system's) comes from the request itself.
 */
function withOrigins(view: SessionView, messages: readonly JsonObject[], request: number): readonly Held[] {
  const places = placesOf(view.records.entries.slice(0, request))
  const compaction = view.records.entries.findLastIndex(({ kind }, at) => at < request && kind === 'compaction')
  let bound = request
  const held = messages.toReversed().map((message): Held => {
    const role = asString(message['role']) ?? ''
    if (compaction !== -1 && role === 'user' && markOf(message['content'] ?? null) !== null)
      return { message, from: [compaction] }
    const name = messageName(role, messagePrint(message), asString(message['tool_call_id']) ?? '')
    const known = places.get(name) ?? []
    while ((known.at(-1) ?? -1) > bound) known.pop()
    const origin = known.pop()
    if (origin === undefined) return { message, from: [request] }
    bound = origin
    return { message, from: [origin] }
  })
  return held.toReversed()
}

/**
 * What a compaction left: the messages of the first request behind it, without the prompt of that request's own run and
 * what the agent says to it; where none follows, the messages that are resumed from.
 */
async function leftBy(
  read: Reading,
  view: SessionView,
  compaction: number
): Promise<{ readonly held: readonly Held[]; readonly isUnknown: boolean }> {
  const links = linksOf(view.tree)
  const base = requestBefore(view, compaction)
  const before = base === null ? [] : await requestWithAnswer(read, view, base, compaction)
  const next = view.records.entries.findIndex(({ kind }, at) => at > compaction && kind === 'request')
  const after = next === -1 ? await resumed(read, view, links) : await firstSent(read, view, links, compaction, next)
  if (after === null) return { held: before, isUnknown: before.length > 0 }
  const system = after.isWhole ? [] : before.filter(({ message }) => message['role'] === 'system')
  return { held: [...system, ...sourcesOf(after.messages, before, compaction)], isUnknown: false }
}

interface Left {
  readonly messages: readonly Held[]
  /** False where the messages of the system are not those that were there before. */
  readonly isWhole: boolean
}

async function resumed(read: Reading, view: SessionView, { messages }: Links): Promise<Left | null> {
  const { length } = view.records.entries
  if (messages >= length) return null
  const own = Array.from({ length: length - messages }, (_, index) => messages + index)
  return { messages: withoutSystem(await read.all(own)), isWhole: false }
}

async function firstSent(
  read: Reading,
  view: SessionView,
  { runs }: Links,
  compaction: number,
  next: number
): Promise<Left> {
  const sent = await sentBy(read, view, next)
  if (runOf(runs, compaction) === runOf(runs, next)) return { messages: sent, isWhole: true }
  const prompt = sent.findLastIndex(({ message }) => message['role'] === 'user')
  return { messages: withoutSystem(sent.filter((_, at) => at !== prompt)), isWhole: false }
}

const withoutSystem = (messages: readonly Held[]): readonly Held[] =>
  messages.filter(({ message }) => message['role'] !== 'system')

const runOf = (runs: readonly RunSpan[], at: number): RunSpan | undefined =>
  runs.find(({ from, to }) => at >= from && at < to)

/** Where the messages that a compaction left were before it: the same, or the same without its calls. */
function sourcesOf(after: readonly Held[], before: readonly Held[], compaction: number): readonly Held[] {
  const taken = new Set<Held>()
  const take = (isIt: (held: Held) => boolean): readonly number[] | null => {
    const found = before.find((held) => !taken.has(held) && isIt(held))
    if (found === undefined) return null
    taken.add(found)
    return found.from
  }
  return after.map(({ message, from }) => {
    const same = take((held) => isDeepStrictEqual(held.message, message))
    if (same !== null) return { message, from: same }
    const mark = message['role'] === 'user' ? markOf(message['content'] ?? null) : null
    if (mark === 'summary') return { message, from: [compaction] }
    if (mark === 'retain') {
      const older = take(
        (held) => held.message['role'] === 'user' && markOf(held.message['content'] ?? null) === 'retain'
      )
      return { message, from: [...(older ?? []), compaction] }
    }
    const reduced =
      message['role'] === 'assistant' && take((held) => isDeepStrictEqual(withoutCalls(held.message), message))
    return { message, from: reduced === null || reduced === false ? from : reduced }
  })
}

function withoutCalls({ tool_calls: _calls, ...message }: JsonObject): JsonObject {
  return message
}
