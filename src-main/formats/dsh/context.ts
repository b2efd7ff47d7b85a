import type { EntryKind } from '#shared/model/entry.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { ContextDraft, MessageDraft, SessionView } from '../format.ts'
import { asList, asObject, asString } from '../json.ts'
import { historyOf } from './assemble.ts'
import { deriveEventMessage } from './derive-messages.ts'
import { blocksOf, isFailedResult, resultCall, textOf } from './message.ts'
import { type Facts, factsOf, stateFromJson } from './schema.ts'
import { surfaceAt, type SurfaceHistory } from './surface-history.ts'

/**
 * What the model saw once an event was written: the system prompt and the messages in front by the last request header,
 * then the surface (docs/formats/dsh.md, "Context"). `at` null: the last event, closers included.
 */
export async function dshContext(view: SessionView, at: number | null, signal?: AbortSignal): Promise<ContextDraft> {
  const { records, tree } = view
  const end = at ?? records.entries.length - 1
  const history = historyOf(tree)
  const nodes = surfaceAt(history, end)
  const header = headerAt(view, end)
  const isHeaderRead = header !== null && (header.facts.system === true || header.facts.prefix === true)
  const wanted = [...(isHeaderRead ? [header.at] : []), ...nodes]
  const messages: MessageDraft[] = []
  const omitted = new Map<number, string>(omissions(view, history, end))
  const unread: number[] = []
  let position = 0
  for await (const object of view.content.objects(wanted, signal)) {
    const index = wanted[position++] ?? -1
    const isHeader = isHeaderRead && position === 1
    if (object === null) {
      unread.push(index)
      if (!isHeader) omitted.set(index, 'its bytes no longer hold it')
    } else if (isHeader) messages.push(...headerMessages(object, index))
    else {
      const message = messageAt(view, index, object)
      if (message === null) omitted.set(index, 'a message without content is not sent')
      else messages.push(message)
    }
  }
  return {
    entry: tree.nodes[end]?.id ?? null,
    model: modelAt(view, end),
    thinking: header?.facts.effort ?? null,
    messages,
    omitted: [...omitted]
      .toSorted(([one], [other]) => one - other)
      .map(([index, reason]) => ({ entry: String(index), reason })),
    faults: unread.map((index) => {
      const record = records.entries[index]
      return {
        kind: 'unreadable',
        line: record?.line ?? null,
        offset: record?.bytes[0] ?? null,
        length: record?.bytes[1] ?? null,
        entry: String(index),
        message: 'The bytes of this event no longer hold it: the file was changed since it was read.'
      }
    })
  }
}

interface HeaderPlace {
  readonly at: number
  readonly facts: Facts
}

/** The last request header up to an event. */
function headerAt({ records }: SessionView, end: number): HeaderPlace | null {
  const at = records.entries.findLastIndex((entry, index) => index <= end && factsOf(entry).type === 'request/header')
  const entry = records.entries[at]
  return entry === undefined ? null : { at, facts: factsOf(entry) }
}

/** The model by the last answer, header or context up to an event. */
function modelAt({ records }: SessionView, end: number): ContextDraft['model'] {
  const last = records.entries.findLast((entry, index) => {
    const { type } = factsOf(entry)
    const names = type === 'request/header' || type === 'request/context' || entry.role === 'assistant'
    return index <= end && names && entry.model !== null
  })
  const model = last?.model ?? null
  if (model === null) return null
  const slash = model.indexOf('/')
  return { provider: model.slice(0, Math.max(0, slash)), name: model.slice(slash + 1) }
}

/** What spoke up to an event and is not in its context, with the reason. */
function* omissions(
  { records }: SessionView,
  { replacing, broken }: SurfaceHistory,
  end: number
): Generator<readonly [number, string]> {
  for (const [at, entry] of records.entries.entries()) {
    if (at > end) return
    const { surface } = factsOf(entry)
    if (surface === undefined) continue
    const by = replacing.get(at)
    if (broken !== null && at >= broken.at) yield [at, `the surface ends at event ${broken.at}, which breaks its rules`]
    else if (by !== undefined && by <= end) yield [at, `event ${by} took its place`]
  }
}

/** System prompt and messages in front, which older request headers hold. */
function headerMessages(object: JsonObject, at: number): readonly MessageDraft[] {
  const header = asObject(asObject(object['data'])?.['header'])
  const system = asString(header?.['system']) ?? ''
  const before = asList(header?.['messagePrefix']).flatMap((stored) => {
    const message = asObject(stored)
    return message === null ? [] : [draftOf(message, at, 'message')]
  })
  return system === '' ? before : [draftOf({ role: 'system', content: system }, at, 'system'), ...before]
}

function messageAt({ records }: SessionView, at: number, object: JsonObject): MessageDraft | null {
  const record = records.entries[at]
  if (record === undefined) return null
  const facts = factsOf(record)
  const { header } = stateFromJson(records.files[0].state)
  const id = `legacy-message:${header?.id ?? ''}:${at}`
  const message = deriveEventMessage({ type: facts.type, seq: at, data: object['data'] ?? null }, id)
  if (message === null) return null
  const draft = draftOf(message, at, kindOf(record.kind, facts))
  if (facts.type === 'assistant/message') {
    // Older answers name the chunk that says how they ended.
    const last = records.entries[facts.stream ?? -1]
    const ended = facts.reason ?? (last === undefined ? undefined : factsOf(last).reason)
    const output = record.usage?.output ?? null
    return { ...draft, stopReason: ended ?? null, recordedTokens: output !== null && output > 0 ? output : null }
  }
  return message['role'] === 'tool'
    ? { ...draft, callId: resultCall(message) ?? '', isError: isFailedResult(message) }
    : draft
}

function kindOf(kind: EntryKind, { type, surface }: Facts): MessageDraft['kind'] {
  if (type === 'system/message' || type === 'developer/message') return 'system'
  if (type === 'user/message' && surface?.kind === 'replace') return 'compaction-summary'
  return kind === 'custom' ? 'custom' : 'message'
}

function draftOf(message: JsonObject, at: number, kind: MessageDraft['kind']): MessageDraft {
  const blocks = blocksOf(message['content'])
  return {
    kind,
    role: asString(message['role']) ?? 'unknown',
    text: textOf(blocks),
    blocks: [...blocks],
    stopReason: null,
    sources: [String(at)],
    recordedTokens: null
  }
}
