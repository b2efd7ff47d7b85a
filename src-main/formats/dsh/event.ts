import { createHash } from 'node:crypto'
import type { EntryKind } from '#shared/model/entry.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'
import { cut, oneLine } from '../cut.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'
import { deriveEventMessage } from './derive-messages.ts'
import { argumentsOf, isFailedResult, resultCall, resultContent } from './message.ts'
import { chunkOf, sampleOf, streamSample, usageFrom } from './sample.ts'
import { type CallFact, type Facts, kindOf, type State } from './schema.ts'
import { fixedPart, surfaceStepOf } from './surface.ts'

const previewLength = 200
const wordsLength = 100
const idLength = 512

/** What an event says, without its place in the file. */
export interface EventContent {
  readonly kind: EntryKind
  readonly role: string | null
  readonly time: number | null
  readonly preview: string
  readonly model: string | null
  readonly usage: Usage | null
  readonly facts: Facts
}

type Draft = { -readonly [K in keyof Facts]: Facts[K] }
type Said = { -readonly [K in keyof Omit<EventContent, 'facts' | 'time'>]: EventContent[K] }

/** Names that the first generation had for what later ones call otherwise. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['compact/start', 'compaction/start'],
  ['compact/summary', 'compaction/summary'],
  ['compact/prune', 'compaction/prune'],
  ['compact/end', 'compaction/end']
])

export const typeOf = (event: JsonObject): string => {
  const type = cut(asString(event['type']) ?? '', wordsLength)
  return renamed.get(type) ?? type
}

/** `before` is what the reader knew when it came to the event; `isCut`: long strings have only their beginnings. */
export function readEvent(event: JsonObject, before: State, isCut: boolean): EventContent {
  const type = typeOf(event)
  const data = asObject(event['data']) ?? {}
  const version = before.header?.version ?? 0
  const facts: Draft = { type, ...placeOf(data, before) }
  const said: Said = { kind: kindOf(type), role: null, preview: '', model: null, usage: null }
  if (event['ignorable'] === true) facts.ignorable = true
  if (said.kind !== 'unknown') {
    const surface = surfaceStepOf({ ...event, type, seq: before.next }, version)
    if (surface !== null) facts.surface = surface
  }
  const message = deriveEventMessage({ type, seq: before.next, data })
  if (said.kind === 'message') readMessage(message ?? asObject(data['message']), type, facts, said)
  if (message === null && said.kind === 'message') facts.empty = true
  if (type === 'assistant/message')
    readAnswer(event, message ?? asObject(data['message']) ?? {}, data, before, facts, said)
  else if (type === 'tool/result' && message !== null) readResult(message, data, version, isCut, facts, said)
  else readOther(type, data, before, facts, said)
  return { ...said, time: asNumber(event['time']), facts }
}

/** The turn and step that an event names, else those that are open. */
function placeOf(data: JsonObject, { turn, step }: State): Pick<Facts, 'turn' | 'step'> {
  const own = { turn: integer(data['turn']), step: integer(data['step']) }
  const inTurn = own.turn ?? turn
  const inStep = own.step ?? (own.turn === null || own.turn === turn ? step : null)
  return { ...(inTurn !== null && { turn: inTurn }), ...(inStep !== null && { step: inStep }) }
}

export function integer(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

const shortId = (value: Json | undefined): string => cut(asString(value) ?? '', idLength)
const words = (value: Json | undefined): string => oneLine(asString(value) ?? '', wordsLength)

/** Texts of a content's blocks, results unwrapped, no more of them than needed. */
function textStart(content: Json | undefined): string {
  if (typeof content === 'string') return cut(content, previewLength)
  let text = ''
  for (const stored of asList(content)) {
    const block = asObject(stored)
    if (block?.['type'] !== 'text') continue
    text += `${text === '' ? '' : '\n'}${cut(asString(block['text']) ?? '', previewLength)}`
    if (text.length >= previewLength) break
  }
  return cut(text, previewLength)
}

function readMessage(message: JsonObject | null, type: string, facts: Draft, said: Said): void {
  said.role = cut(asString(message?.['role']) ?? type.slice(0, type.indexOf('/')), wordsLength)
  said.preview = textStart(message?.['content'])
  if (type === 'system/message' || type === 'developer/message') return
  const source = asObject(message?.['source'])
  const by = asString(source?.['kind'])
  if (facts.surface?.kind === 'replace') said.kind = 'compaction'
  else if (said.role === 'user' && by !== null && by !== 'user') {
    said.kind = 'custom'
    facts.words = words(source?.['plugin']) || words(by)
  }
}

function readAnswer(
  event: JsonObject,
  message: JsonObject,
  data: JsonObject,
  before: State,
  facts: Draft,
  said: Said
): void {
  const calls = asList(message['content']).flatMap((stored): CallFact[] => {
    const block = asObject(stored)
    if (block?.['type'] !== 'tool-call') return []
    return [[shortId(block['id']), words(block['name']), mainArgument(block['arguments'])]]
  })
  if (calls.length > 0) facts.calls = calls
  const stream = lastSource(event['sourceEventSeqs'])
  if (stream !== undefined) facts.stream = stream
  const finish = finishOf(data['stream'])
  if (finish !== null) facts.reason = finish
  if (data['interrupted'] === true) facts.reason = 'interrupted'
  const source = asObject(message['source'])
  said.model = modelName(source?.['provider'], source?.['model']) ?? before.model
  const { sample } = before
  const isSameStep = sample?.turn === (facts.turn ?? null) && sample.step === (facts.step ?? null)
  const streamed = streamSample(data['stream']) ?? (isSameStep ? sample.counts : null)
  said.usage = usageFrom(sampleOf(data['usage']) ?? streamed)
}

function readResult(
  message: JsonObject,
  data: JsonObject,
  version: number,
  isCut: boolean,
  facts: Draft,
  said: Said
): void {
  const content = resultContent(message)
  said.role = 'tool'
  said.preview = textStart(content)
  facts.call = shortId(resultCall(message) ?? '')
  if (isFailedResult(message) || asObject(data['error']) !== null) facts.error = true
  facts.rest = hashOf(fixedPart(data, version))
  if (facts.surface?.kind === 'replace') said.kind = 'compaction'
  if (isCut) return
  facts.lines = content.reduce<number>((sum, block) => sum + linesOf(asString(asObject(block)?.['text']) ?? ''), 0)
}

/** Hash of a value, whatever the order of its members; "" where it is nested too deeply to be compared. */
function hashOf(value: Json): string {
  try {
    return createHash('sha256').update(JSON.stringify(value, inOrder)).digest('base64url').slice(0, 16)
  } catch (error) {
    if (error instanceof RangeError) return ''
    throw error
  }
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The last event that an answer names as its stream: -1 where it names none, undefined where it does not say. */
function lastSource(named: Json | undefined): number | undefined {
  if (!Array.isArray(named)) return undefined
  return (named as readonly Json[]).reduce<number>((last, item) => {
    const end = integer(Array.isArray(item) ? (item as readonly Json[])[1] : item) ?? -1
    return Math.max(end, last)
  }, -1)
}

function linesOf(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

function readOther(type: string, data: JsonObject, before: State, facts: Draft, said: Said): void {
  switch (type) {
    case 'assistant/chunk':
      readChunk(asObject(data['chunk']), before, facts, said)
      break
    case 'assistant/attempt': {
      said.model = before.model
      said.usage = usageFrom(streamSample(data['stream']))
      const reason = finishOf(data['stream'])
      if (reason !== null) facts.reason = reason
      break
    }
    case 'tool/call':
    case 'tool/code-dispatch-start':
    case 'tool/ptc-dispatch-start':
    case 'tool/code-dispatch':
    case 'tool/ptc-dispatch':
      facts.call = shortId(type === 'tool/call' ? data['callId'] : data['subCallId'])
      facts.tool = words(data['name'])
      facts.words = mainArgument(data['arguments'])
      if (data['isError'] === true) facts.error = true
      break
    case 'request/header':
      readHeader(asObject(data['header']), data, facts, said)
      break
    case 'request/context':
      said.model = modelName(data['provider'], data['model'])
      if ((integer(data['contextWindow']) ?? 0) > 0) facts.window = Number(data['contextWindow'])
      break
    case 'turn/end':
      facts.reason = words(asObject(data['reason'])?.['kind'])
      break
    case 'session/title':
      facts.title = cut(asString(data['title']) ?? '', previewLength)
      said.preview = facts.title
      break
    case 'session/end-seed':
      if (data['inherited'] === true) facts.inherited = true
      break
    case 'session/title-llm-request':
    case 'web/deepseek-search-llm-request':
      said.usage = usageFrom(sampleOf(data['usage']))
      said.model = modelName(
        asObject(data['route'])?.['provider'] ?? data['provider'],
        asObject(data['route'])?.['model'] ?? data['model']
      )
      break
    case 'compaction/start':
    case 'compaction/summary':
    case 'compaction/prune':
    case 'compaction/end':
      readCompaction(type, data, before, facts, said)
      break
    default:
      facts.words ??= otherWords(type, data)
  }
}

function readChunk(chunk: JsonObject | null, before: State, facts: Draft, said: Said): void {
  facts.chunk = words(chunk?.['type'])
  switch (chunk?.['type']) {
    case 'usage': {
      const sample = sampleOf(chunk['usage'])
      if (sample !== null) facts.sample = sample
      said.model = before.model
      break
    }
    case 'finish':
      facts.reason = words(asObject(chunk['reason'])?.['kind'])
      said.model = before.model
      break
    case 'text-delta':
    case 'reasoning-delta':
      said.preview = cut(asString(chunk['text']) ?? '', previewLength)
      break
    case 'tool-call-delta':
      said.preview = cut(asString(chunk['argumentsDelta']) ?? '', previewLength)
      break
  }
}

function readHeader(header: JsonObject | null, data: JsonObject, facts: Draft, said: Said): void {
  const config = asObject(header?.['config'])
  said.model = modelName(config?.['provider'], config?.['model'])
  const effort = asString(config?.['reasoningEffort'])
  if (effort !== null) facts.effort = words(effort)
  if ((asString(header?.['system']) ?? '') !== '') facts.system = true
  if (asList(header?.['messagePrefix']).length > 0) facts.prefix = true
  facts.words = words(data['reason'])
}

function readCompaction(type: string, data: JsonObject, before: State, facts: Draft, said: Said): void {
  facts.compaction = shortId(data['compactionId'])
  if (asString(data['sourceCommandId']) !== null) facts.trigger = 'command'
  if (type === 'compaction/summary' || type === 'compaction/prune') {
    const shadowed = integer(data['shadowedTokenCount'])
    if (shadowed !== null) facts.shadowed = shadowed
  }
  if (type === 'compaction/summary') {
    said.preview = textStart(data['summary'])
    said.model = modelName(data['provider'], data['model'])
    const sample = sampleOf(data['usage'])
    if (sample !== null) said.usage = usageFrom(sample)
    const written = sample?.[1] ?? null
    if (written !== null) facts.written = written
  }
  if (type !== 'compaction/end') return
  const error = asObject(data['error'])
  const isOwn = before.compaction?.id === facts.compaction
  if (error !== null || typeof data['error'] === 'string') {
    facts.reason = words(error?.['message'] ?? error?.['code'] ?? data['error']) || 'failed'
  } else if (isOwn && before.compaction?.isReplaced === false) facts.reason = 'nothing was replaced'
  if (facts.reason === undefined) return
  facts.error = true
  said.kind = 'compaction'
}

/** The most telling text of an event whose shape is not looked into. */
function otherWords(type: string, data: JsonObject): string {
  if (type === 'agent/inbox/spliced') {
    const inserted = asList(data['inserted'])
    const removed = integer(data['removedCount']) ?? 0
    const first = textStart(asObject(inserted[0])?.['content'])
    return oneLine(
      [`${inserted.length} in, ${removed} out`, first].filter((part) => part !== '').join(' · '),
      wordsLength
    )
  }
  for (const name of [
    'label',
    'name',
    'text',
    'operation',
    'phase',
    'outcome',
    'policy',
    'preset',
    'mode',
    'toolName',
    'reason',
    'content'
  ]) {
    const value = data[name]
    if (typeof value === 'string' && value !== '') return words(value)
  }
  const failure = asObject(data['failure'])
  return words(failure?.['message'])
}

const modelName = (provider: Json | undefined, name: Json | undefined): string | null => {
  const model = words(name)
  if (model === '') return null
  return words(provider) === '' ? model : `${words(provider)}/${model}`
}

/** Why a stream ended, by its last finish. */
function finishOf(stream: Json | undefined): string | null {
  for (const record of asList(stream).toReversed()) {
    const chunk = chunkOf(record)
    if (chunk?.['type'] === 'finish') return words(asObject(chunk['reason'])?.['kind'])
  }
  return null
}

/** A tool call's most telling argument on one line: a command, a path, a pattern, else its first text. */
function mainArgument(stored: Json | undefined): string {
  const args = asObject(argumentsOf(stored))
  if (args === null) return words(stored)
  for (const name of ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'code', 'description', 'prompt']) {
    const value = args[name]
    if (typeof value === 'string' && value !== '') return words(value)
  }
  return words(Object.values(args).find((value) => typeof value === 'string' && value !== ''))
}

/** What the reader knows behind an event. */
export function stateBehind(before: State, { facts, kind, model }: EventContent): State {
  const next = { ...before, next: before.next + 1 }
  switch (facts.type) {
    case 'turn/start':
      return { ...next, turn: facts.turn ?? null, step: null, sample: null }
    case 'turn/end':
      return { ...next, turn: null, step: null, sample: null }
    case 'step/start':
      return { ...next, step: facts.step ?? null, sample: null }
    case 'step/end':
      return { ...next, step: null, sample: null }
    case 'llm/retry':
    case 'llm/retry-started':
      return { ...next, sample: null }
    case 'request/header':
    case 'request/context':
      return model === null ? next : { ...next, model }
    case 'assistant/chunk':
      if (facts.sample === undefined) return next
      return { ...next, sample: { turn: facts.turn ?? null, step: facts.step ?? null, counts: facts.sample } }
    case 'compaction/start':
      return { ...next, compaction: { id: facts.compaction ?? '', isReplaced: false } }
    case 'compaction/end':
      return { ...next, compaction: null }
    default:
      return kind === 'compaction' && before.compaction !== null
        ? { ...next, compaction: { ...before.compaction, isReplaced: true } }
        : next
  }
}
