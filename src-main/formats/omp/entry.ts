import type { EntryKind } from '#shared/model/entry.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'
import { cut, oneLine } from '../cut.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'
import { type CallFact, type Facts, kindOfType, newestVersion } from './schema.ts'
import { taskAgents, taskUsage, usageOf } from './usage.ts'

const previewLength = 200
const argumentLength = 100
const idLength = 512

/** What an entry's object says, without its place in the file. */
export interface EntryContent {
  readonly storedId: string | null
  readonly storedParent: string | null | undefined
  readonly kind: EntryKind
  readonly role: string | null
  readonly time: number | null
  readonly preview: string
  readonly model: string | null
  readonly usage: Usage | null
  readonly facts: Facts
}

type Draft = { -readonly [K in keyof Facts]: Facts[K] }

/** `isCut`: long strings have only their beginnings, so their lines cannot be counted. */
export function readEntry(object: JsonObject, version: number, isCut: boolean): EntryContent {
  const type = asString(object['type'])
  const message = type === 'message' ? asObject(object['message']) : null
  const kind = (type === null ? undefined : kindOfType.get(type)) ?? 'unknown'
  const facts: Draft = {}
  if (type !== null && type !== 'message' && needsType(kind, type)) facts.type = cut(type, 64)
  const said = message === null ? readRest(object, type, facts) : readMessage(message, facts, isCut)
  const parent = object['parentId']
  const role = message === null ? null : asString(message['role'])
  return {
    storedId: asString(object['id']),
    storedParent: parent === null || typeof parent === 'string' ? parent : undefined,
    kind,
    role: message === null ? (type === 'custom_message' ? 'custom' : null) : migratedRole(role, version),
    time: timeOf(object['timestamp']),
    preview: said.preview,
    model: said.model,
    usage: usageOf(object, message),
    facts
  }
}

/** Milliseconds of an ISO 8601 time, else null. */
export function timeOf(value: Json | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(T|$)/.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : time
}

/** Text blocks of a message's content, joined as a context joins them, no more of them than needed. */
function textStart(content: Json | undefined, limit: number): string {
  if (typeof content === 'string') return cut(content, limit)
  let text = ''
  let first = true
  for (const block of asList(content)) {
    const own = asObject(block)
    if (own === null || own['type'] !== 'text') continue
    const piece = asString(own['text']) ?? ''
    text += first ? cut(piece, limit) : `\n${cut(piece, limit)}`
    first = false
    if (text.length >= limit) break
  }
  return cut(text, limit)
}

/** A role under the name that the newest version has for it. */
export function migratedRole(role: string | null, version: number): string | null {
  return role === 'hookMessage' && version < newestVersion ? 'custom' : role
}

/** A tool call's most telling argument on one line: a command, a path, a pattern, else its first text. */
function mainArgument(args: JsonObject | null): string {
  if (args === null) return ''
  for (const name of ['command', 'path', 'file_path', 'filePath', 'pattern', 'query', 'url', 'description', 'prompt']) {
    const value = args[name]
    if (typeof value === 'string' && value !== '') return oneLine(value, argumentLength)
  }
  const first = Object.values(args).find((value) => typeof value === 'string' && value !== '')
  return typeof first === 'string' ? oneLine(first, argumentLength) : ''
}

/** Ids are compared in this length, so that no hostile one is kept whole. */
const shortId = (id: string): string => cut(id, idLength)

function needsType(kind: EntryKind, type: string): boolean {
  return kind === 'event' || kind === 'unknown' || kind === 'custom' || kind === 'usage' || type === 'title_change'
}

interface Said {
  readonly preview: string
  readonly model: string | null
}

function readMessage(message: JsonObject, facts: Draft, isCut: boolean): Said {
  const content = message['content']
  switch (message['role']) {
    case 'assistant':
      return readAssistant(message, facts)
    case 'toolResult':
      readToolResult(message, facts, isCut)
      return { preview: textStart(content, previewLength), model: null }
    case 'bashExecution':
    case 'pythonExecution': {
      const source = asString(message[message['role'] === 'bashExecution' ? 'command' : 'code']) ?? ''
      const output = asString(message['output']) ?? ''
      facts.words = oneLine(source, argumentLength)
      facts.tool = message['role'] === 'bashExecution' ? 'bash' : 'python'
      const exit = asNumber(message['exitCode'])
      if (exit !== null) facts.exit = exit
      if ((exit !== null && exit !== 0) || message['cancelled'] === true) facts.error = true
      if (message['excludeFromContext'] === true) facts.excluded = true
      return {
        preview: cut(`${cut(source, previewLength)}\n${cut(output, previewLength)}`, previewLength),
        model: null
      }
    }
    case 'custom':
    case 'hookMessage':
      facts.customType = cut(asString(message['customType']) ?? '', argumentLength)
      return { preview: textStart(content, previewLength), model: null }
    default:
      return { preview: textStart(content, previewLength), model: null }
  }
}

function readAssistant(message: JsonObject, facts: Draft): Said {
  const calls: CallFact[] = []
  for (const block of asList(message['content'])) {
    const call = asObject(block)
    if (call?.['type'] !== 'toolCall') continue
    const name = asString(call['name']) ?? ''
    calls.push([
      shortId(asString(call['id']) ?? ''),
      cut(name, argumentLength),
      mainArgument(asObject(call['arguments']))
    ])
  }
  if (calls.length > 0) facts.calls = calls
  const stop = asString(message['stopReason'])
  if (stop !== null) facts.stop = cut(stop, 64)
  const model = modelOf(asString(message['provider']), asString(message['model']), facts)
  return { preview: textStart(message['content'], previewLength), model }
}

function readToolResult(message: JsonObject, facts: Draft, isCut: boolean): void {
  facts.call = shortId(asString(message['toolCallId']) ?? '')
  facts.tool = cut(asString(message['toolName']) ?? '', argumentLength)
  if (message['isError'] === true) facts.error = true
  if (asObject(message['usage']) === null && taskUsage(message) !== null) {
    facts.task = true
    const agents = taskAgents(message)
    if (agents.length > 0) facts.agents = agents
  }
  if (isCut) return
  let lines = 0
  for (const block of asList(message['content'])) {
    const text = asString(asObject(block)?.['text'])
    if (text === null || text === '') continue
    lines += linesOf(text)
    const exit = facts.error === true ? /exited with code (\d{1,4})\s*$/.exec(text.slice(-80)) : null
    if (exit !== null) facts.exit = Number(exit[1])
  }
  facts.lines = lines
}

function linesOf(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

function modelOf(provider: string | null, name: string | null, facts: Draft): string | null {
  if (name === null) return null
  if (provider === null) return cut(name, argumentLength)
  facts.provider = cut(provider, argumentLength)
  return `${facts.provider}/${cut(name, argumentLength)}`
}

function readRest(object: JsonObject, type: string | null, facts: Draft): Said {
  const said = (preview: string, model: string | null = null): Said => ({ preview, model })
  const name = (member: string): string => oneLine(asString(object[member]) ?? '', argumentLength)
  switch (type) {
    case 'model_change': {
      const own = asString(object['model'])
      if (own !== null) {
        facts.role = cut(asString(object['role']) ?? 'default', argumentLength)
        return said('', cut(own, argumentLength))
      }
      return said('', modelOf(asString(object['provider']), asString(object['modelId']), facts))
    }
    case 'thinking_level_change':
      facts.level = object['thinkingLevel'] === null ? null : name('thinkingLevel')
      return said('')
    case 'compaction':
      readCompaction(object, facts)
      return said(cut(asString(object['summary']) ?? '', previewLength))
    case 'branch_summary': {
      const summary = asString(object['summary']) ?? ''
      if (summary === '') facts.empty = true
      facts.target = shortId(asString(object['fromId']) ?? '')
      return said(cut(summary, previewLength))
    }
    case 'custom_message': {
      facts.customType = name('customType')
      const content = object['content']
      if (typeof content !== 'string' && !Array.isArray(content)) facts.empty = true
      return said(textStart(content, previewLength))
    }
    case 'custom': {
      facts.customType = name('customType')
      const data = asObject(object['data'])
      const text = asString(data?.['text'])
      const isNotes = object['customType'] === 'experimental_context_notes' && data?.['version'] === 1
      if (isNotes && text !== null) facts.notes = text !== ''
      return said('')
    }
    case 'label':
      facts.target = shortId(asString(object['targetId']) ?? '')
      facts.name = cut(asString(object['label']) ?? '', previewLength)
      return said(facts.name)
    case 'session_info':
      facts.name = cut(asString(object['name']) ?? '', previewLength)
      return said(facts.name)
    case 'title_change':
      facts.name = cut(asString(object['title']) ?? '', previewLength)
      return said(facts.name)
    case 'usage':
    case 'model_usage':
      facts.words = name(type === 'usage' ? 'kind' : 'purpose')
      return said('', modelOf(asString(object['provider']), asString(object['model']), facts))
    case 'context_edit':
      facts.target = shortId(asString(object['targetId']) ?? '')
      facts.empty = object['replacement'] === null
      return said('')
    case 'mode_change':
      facts.words = name('mode')
      return said('')
    case 'service_tier_change':
      facts.words = typeof object['serviceTier'] === 'string' ? name('serviceTier') : ''
      return said('')
    case 'ttsr_injection':
      facts.words = oneLine(
        asList(object['injectedRules'])
          .slice(0, 20)
          .map((rule) => asString(rule) ?? '')
          .join(', '),
        argumentLength
      )
      return said('')
    case 'session_init':
      facts.words = name('task')
      return said('')
    case 'credential_pin':
      facts.words = name('provider')
      return said('')
    default:
      return said('')
  }
}

function readCompaction(object: JsonObject, facts: Draft): void {
  const kept = asString(object['firstKeptEntryId'])
  if (kept !== null) facts.kept = shortId(kept)
  const index = asNumber(object['firstKeptEntryIndex'])
  if (index !== null) facts.keptIndex = index
  const before = asNumber(object['tokensBefore'])
  if (before !== null) facts.before = before
  const after = asNumber(object['tokensAfter'])
  if (after !== null) facts.after = after
  const remote = asObject(asObject(object['preserveData'])?.['openaiRemoteCompaction'])
  const history = remote?.['replacementHistory']
  const provider = asString(remote?.['provider'])
  if (
    provider !== null &&
    provider !== '' &&
    Array.isArray(history) &&
    history.every((item) => asObject(item) !== null)
  ) {
    facts.remote = true
    const through = asString(object['providerReplayThroughEntryId'])
    if (through !== null) facts.replay = shortId(through)
  }
  if (asObject(object['details'])?.['kind'] === 'experimental-context-rollover') facts.rollover = true
}
