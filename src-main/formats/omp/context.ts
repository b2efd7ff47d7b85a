import type { Json, JsonObject } from '#shared/model/records.ts'
import type { ContextDraft, MessageDraft, SessionView } from '../format.ts'
import { asList, asObject, asString } from '../json.ts'
import { linksOf } from './links.ts'
import { dialectOf, notLoaded, versionOf } from './dialect.ts'
import { timeOf } from './entry.ts'
import { contentBlocks, messageDraft, type Origin, textDraft, textOf } from './messages.ts'
import type { Dialect, Facts } from './schema.ts'
import { pathTo } from './tree.ts'

/** omp leaves these out of every request: they steer its own modes. */
const modeMessages = new Set(['prewalk-plan', 'vibe-mode-context'])
const interruptedThinking = 'interrupted-thinking'

/**
 * What the model saw at an entry: the path to it, cut by the last compaction on it, by the rules of the agent that
 * reads it (docs/formats/omp.md, "Context"). `at` null: the last entry of the file.
 */
export async function ompContext(view: SessionView, at: number | null, signal?: AbortSignal): Promise<ContextDraft> {
  const request = requestAt(view, at)
  const objects = new Map<number, JsonObject | null>()
  let position = 0
  for await (const object of view.content.objects(request.wanted, signal)) {
    objects.set(request.wanted[position++] ?? -1, object)
  }
  return contextOf(view, request, objects).draft
}

/** What a context is made of, by the records alone: the entries on the path, and those whose objects it takes. */
export interface ContextRequest {
  /** Index of the entry at its end, -1 for the context of a file without entries. */
  readonly end: number
  readonly path: readonly number[]
  readonly dialect: Dialect
  /** Null where the agent would load nothing of the file, for the reason given. */
  readonly selection: Selection | null
  readonly refusal: string | null
  readonly wanted: readonly number[]
}

export function requestAt(view: SessionView, at: number | null): ContextRequest {
  const { records, tree } = view
  const end = at ?? records.entries.length - 1
  const dialect = dialectOf(records)
  const path = end < 0 ? [] : pathTo(tree.nodes, end)
  const refusal = notLoaded(records, dialect)
  if (refusal !== null) return { end, path, dialect, selection: null, refusal, wanted: [] }
  const selection = select(view, path, dialect)
  const edits = dialect === 'pi' ? [...editsOf(view, selection).values()] : []
  return { end, path, dialect, selection, refusal, wanted: [...new Set([...entriesOf(selection), ...edits])] }
}

const entriesOf = ({ emitted }: Selection): readonly number[] => emitted.map(([at]) => at)

/** A context in our words and its messages as the agent itself has them, of the objects that it asked for. */
export function contextOf(
  view: SessionView,
  { end, path, dialect, selection, refusal }: ContextRequest,
  objects: ReadonlyMap<number, JsonObject | null>
): { readonly draft: ContextDraft; readonly messages: readonly JsonObject[] } {
  const { records, tree } = view
  const entry = tree.nodes[end]?.id ?? null
  if (selection === null) {
    const omitted =
      refusal === null
        ? []
        : path.filter((index) => speaks(view, index)).map((index) => ({ entry: idOf(view, index), reason: refusal }))
    return { draft: { entry, model: null, thinking: null, messages: [], omitted, faults: [] }, messages: [] }
  }
  const omissions = new Map(selection.omitted)
  const { loaded, unread } = load(view, selection.emitted, omissions, objects)
  const items =
    dialect === 'pi' ? editedAsPi(view, selection, loaded, omissions, objects) : cleanedAsOmp(loaded, omissions)
  const draft: ContextDraft = {
    entry,
    ...settings(view, path, dialect),
    messages: items.map((item) => item.message),
    omitted: path.flatMap((index) => {
      const reason = omissions.get(index)
      return reason === undefined ? [] : [{ entry: idOf(view, index), reason }]
    }),
    faults: unread.map((index) => {
      const record = records.entries[index]
      return {
        kind: 'unreadable',
        line: record?.line ?? null,
        offset: record?.bytes[0] ?? null,
        length: record?.bytes[1] ?? null,
        entry: idOf(view, index),
        message: 'The bytes of this entry no longer hold it: the file was changed since it was read.'
      }
    })
  }
  return { draft, messages: items.map((item) => item.stored) }
}

const idOf = (view: SessionView, at: number): string => view.tree.nodes[at]?.id ?? ''

function factsOf(view: SessionView, at: number): Facts {
  return (view.records.entries[at]?.facts ?? {}) as Facts
}

/** Whether an entry holds something that a context could carry. */
function speaks(view: SessionView, at: number): boolean {
  const record = view.records.entries[at]
  if (record === undefined) return false
  if (record.kind === 'message' || record.kind === 'compaction') return true
  if (record.kind === 'custom') return record.role === 'custom'
  return record.kind === 'branch-summary' && factsOf(view, at).empty !== true
}

type Emission = 'entry' | 'summary' | 'system' | 'notes'

interface Selection {
  /** Entries of which a message is made, in the order of the context. */
  readonly emitted: readonly (readonly [at: number, as: Emission])[]
  /** Entries whose edits count, in the order of the context. */
  readonly edits: readonly number[]
  /** Entries in front of the compaction that were kept. */
  readonly kept: ReadonlySet<number>
  readonly omitted: ReadonlyMap<number, string>
}

/** Which entries of a path a context is made of, by the records alone. */
function select(view: SessionView, path: readonly number[], dialect: Dialect): Selection {
  const kindAt = (index: number): string | undefined => view.records.entries[index]?.kind
  const compactionAt = path.findLastIndex((index) => kindAt(index) === 'compaction')
  const resetAt = dialect === 'omp' ? path.findLastIndex((index) => kindAt(index) === 'boundary') : -1
  const omitted = new Map<number, string>()
  const omit = (from: number, to: number, reason: string): void => {
    for (const index of path.slice(from, to)) if (speaks(view, index)) omitted.set(index, reason)
  }
  const emitted: (readonly [number, Emission])[] = []
  const edits: number[] = []
  const kept = new Set<number>()
  const emit = (from: number, to: number, keep: boolean): void => {
    for (const index of path.slice(from, to)) {
      const facts = factsOf(view, index)
      if (facts.type === 'context_edit') edits.push(index)
      if (kindAt(index) === 'compaction') omitted.set(index, 'a later compaction takes its place')
      else if (speaks(view, index)) {
        if (facts.empty === true && dialect === 'omp') omitted.set(index, 'omp does not send a message without content')
        else if (dialect === 'omp' && facts.type === 'custom_message' && modeMessages.has(facts.customType ?? '')) {
          omitted.set(index, 'omp leaves this message out of every request')
        } else {
          emitted.push([index, 'entry'])
          if (keep) kept.add(index)
        }
      }
    }
  }
  const notes =
    dialect === 'omp'
      ? path.findLast((index, position) => position > resetAt && factsOf(view, index).notes !== undefined)
      : undefined
  if (notes !== undefined && factsOf(view, notes).notes === true) emitted.push([notes, 'notes'])

  if (compactionAt === -1 || resetAt > compactionAt) {
    omit(0, resetAt + 1, 'the context was cleared after it')
    emit(resetAt + 1, path.length, false)
    return { emitted, edits, kept, omitted }
  }
  const compaction = path[compactionAt] ?? -1
  const facts = factsOf(view, compaction)
  if (dialect === 'pi') emitted.push([compaction, 'system'])
  emitted.push([compaction, 'summary'])
  const first = keptFrom(view, path, compactionAt, facts, dialect)
  omit(
    0,
    first,
    facts.remote === true && dialect === 'omp'
      ? "the provider's own replacement stands for it"
      : 'the compaction summarises it'
  )
  const rollover = dialect === 'omp' && facts.rollover === true ? lastUser(view, path, resetAt, compactionAt) : -1
  const latest = path[rollover]
  // Where the first kept entry is not on the path, omp takes no prompt back either.
  if (latest !== undefined && rollover < Math.min(first, path.indexOf(namedKept(view, facts)))) {
    emitted.push([latest, 'entry'])
    omitted.delete(latest)
  }
  emit(first, compactionAt, true)
  emit(compactionAt + 1, path.length, false)
  return { emitted, edits, kept, omitted }
}

/** Position on the path of the first entry before the compaction that stays; the compaction's own where none does. */
export function keptFrom(
  view: SessionView,
  path: readonly number[],
  compactionAt: number,
  facts: Facts,
  dialect: Dialect
): number {
  const links = linksOf(view.tree)
  if (dialect === 'omp' && facts.remote === true) {
    const through = links.byStoredId.get(facts.replay ?? '')
    const position = through === undefined ? -1 : path.indexOf(through)
    return position === -1 || position >= compactionAt ? compactionAt : position + 1
  }
  const first = links.kept.get(path[compactionAt] ?? -1)
  const position = first === undefined ? -1 : path.indexOf(first)
  return position === -1 || position > compactionAt ? compactionAt : position
}

/** The entry that a compaction names as its first kept one, wherever it stands; -1 where there is none. */
const namedKept = (view: SessionView, facts: Facts): number => linksOf(view.tree).byStoredId.get(facts.kept ?? '') ?? -1

function lastUser(view: SessionView, path: readonly number[], from: number, to: number): number {
  for (let position = to - 1; position > from; position--) {
    if (view.records.entries[path[position] ?? -1]?.role === 'user') return position
  }
  return -1
}

interface Loaded {
  readonly at: number
  readonly object: JsonObject
  readonly message: MessageDraft
  /** The message as the agent itself has it. */
  readonly stored: JsonObject
}

function load(
  view: SessionView,
  emitted: Selection['emitted'],
  omissions: Map<number, string>,
  objects: ReadonlyMap<number, JsonObject | null>
): { readonly loaded: readonly Loaded[]; readonly unread: readonly number[] } {
  const loaded: Loaded[] = []
  const unread = new Set<number>()
  const version = versionOf(view.records)
  const path = view.records.files[0].path
  for (const [at, as] of emitted) {
    const object = objects.get(at) ?? null
    if (object === null) {
      unread.add(at)
      omissions.set(at, 'its bytes no longer hold it')
      continue
    }
    const message = draftOf(object, as, { id: idOf(view, at), path, version })
    if (message !== null) loaded.push({ at, object, message, stored: agentMessage(object, as, message.role) })
    else if (as === 'entry') omissions.set(at, 'it holds nothing that is sent')
  }
  return { loaded, unread: [...unread] }
}

function draftOf(object: JsonObject, as: Emission, origin: Origin): MessageDraft | null {
  switch (as) {
    case 'summary':
      return textDraft('compaction-summary', 'compactionSummary', asString(object['summary']) ?? '', origin)
    case 'system': {
      const stored = object['systemMessage']
      if (typeof stored === 'string') return textDraft('system', 'system', stored, origin)
      const message = asObject(stored)
      return message === null
        ? null
        : { ...messageDraft(message, origin), kind: 'system', role: asString(message['role']) ?? 'system' }
    }
    case 'notes':
      return textDraft('custom', 'custom', asString(asObject(object['data'])?.['text']) ?? '', origin)
    case 'entry':
      break
  }
  if (object['type'] === 'branch_summary') {
    const summary = asString(object['summary']) ?? ''
    return summary === '' ? null : textDraft('branch-summary', 'branchSummary', summary, origin)
  }
  if (object['type'] === 'custom_message') return textDraft('custom', 'custom', object['content'], origin)
  const message = asObject(object['message'])
  return message === null ? null : messageDraft(message, origin)
}

/** A message as the agents hand it to the model's provider: stored ones as they are, others in the agents' own shape. */
function agentMessage(object: JsonObject, as: Emission, role: string): JsonObject {
  const timestamp = timeOf(object['timestamp']) ?? 0
  const own = (...names: readonly string[]): JsonObject =>
    Object.fromEntries(names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])))
  switch (as) {
    case 'summary':
      return { role, ...own('summary', 'tokensBefore'), timestamp }
    case 'system': {
      const system = object['systemMessage']
      return { ...(asObject(system) ?? { content: system ?? '' }), role }
    }
    case 'notes':
      return {
        role,
        ...own('customType'),
        content: asObject(object['data'])?.['text'] ?? '',
        display: false,
        timestamp
      }
    case 'entry':
      break
  }
  if (object['type'] === 'branch_summary') return { role, ...own('summary', 'fromId'), timestamp }
  if (object['type'] === 'custom_message') {
    return { role, ...own('customType', 'content', 'display', 'details', 'attribution'), timestamp }
  }
  return { ...asObject(object['message']), role }
}

interface Kept {
  readonly at: number
  readonly message: MessageDraft
  readonly stored: JsonObject
}

const editable = new Set(['user', 'assistant', 'toolResult', 'custom'])

/** The last edit of each entry that has one, by the entry. */
function editsOf(view: SessionView, { edits }: Selection): ReadonlyMap<number, number> {
  const { byStoredId } = linksOf(view.tree)
  const editOf = new Map<number, number>()
  for (const edit of edits) {
    const target = byStoredId.get(factsOf(view, edit).target ?? '')
    if (target !== undefined) editOf.set(target, edit)
  }
  return editOf
}

/** pi: the last edit of each entry, and no system message of the kept range. */
function editedAsPi(
  view: SessionView,
  selection: Selection,
  loaded: readonly Loaded[],
  omissions: Map<number, string>,
  objects: ReadonlyMap<number, JsonObject | null>
): readonly Kept[] {
  const editOf = editsOf(view, selection)
  return loaded.flatMap(({ at, message, stored }): Kept[] => {
    if (message.role === 'system' && selection.kept.has(at)) {
      omissions.set(at, 'system messages of the kept range are dropped')
      return []
    }
    const edit = editOf.get(at)
    if (edit === undefined) return [{ at, message, stored }]
    const replacement = objects.get(edit)?.['replacement']
    if (replacement === null) {
      omissions.set(at, 'an edit of the context took it out')
      return []
    }
    const content = asObject(replacement)?.['content']
    if (asObject(replacement) === null || !editable.has(message.role)) return [{ at, message, stored }]
    const blocks = contentBlocks(content, view.records.files[0].path)
    const sources = [...message.sources, idOf(view, edit)]
    const edited = { ...message, blocks, text: textOf(blocks), sources, recordedTokens: null }
    return [{ at, message: edited, stored: { ...stored, content: asAgentContent(content, message.role) } }]
  })
}

/** pi makes one text block of a text in the place of an answer's or a result's blocks. */
function asAgentContent(content: Json | undefined, role: string): Json {
  if (typeof content !== 'string') return content ?? []
  return role === 'assistant' || role === 'toolResult' ? [{ type: 'text', text: content }] : content
}

/** omp: no failed answers, no calls without a result. */
function cleanedAsOmp(loaded: readonly Loaded[], omissions: Map<number, string>): readonly Kept[] {
  const items: (Kept & { readonly customType: string | null })[] = []
  for (const { at, object, message, stored } of loaded) {
    const retried = message.role === 'assistant' ? asObject(object['message'])?.['retryRecovery'] : undefined
    if (retried !== undefined && retried !== false) {
      omissions.set(at, 'omp does not send answers that a retry took the place of')
    } else if (message.role === 'assistant' && isEmptyFailure(message)) {
      omissions.set(at, 'the answer failed without any content')
    } else items.push({ at, message, stored, customType: asString(stored['customType']) })
  }
  const answered = new Set(
    items.flatMap(({ message }) => (message.role === 'toolResult' ? [message.callId ?? ''] : []))
  )
  const alive = new Uint8Array(items.length).fill(1)
  items.forEach((item, position) => {
    const stripped = withoutOpenCalls(item, answered)
    if (stripped === item) return
    items[position] = { ...item, ...stripped }
    if (stripped.message.blocks.length > 0) return
    alive[position] = 0
    omissions.set(item.at, 'its calls have no result, so omp takes it out')
  })
  dropFailures(items, alive, omissions)
  return items.filter((_, position) => alive[position] === 1)
}

function isEmptyFailure(message: MessageDraft): boolean {
  return (
    message.stopReason === 'error' &&
    !message.blocks.some(
      (block) =>
        block.type === 'tool-call' || ((block.type === 'text' || block.type === 'thinking') && block.text.trim() !== '')
    )
  )
}

function withoutOpenCalls(item: Kept, answered: ReadonlySet<string>): Kept {
  const { message, stored } = item
  if (message.role !== 'assistant') return item
  const isOpen = (block: MessageDraft['blocks'][number]): boolean =>
    block.type === 'tool-call' && !answered.has(block.id)
  if (!message.blocks.some(isOpen)) return item
  const isLeft = message.blocks.map(
    (block) => !isOpen(block) && !(block.type === 'other' && block.name === 'redactedThinking')
  )
  const blocks = message.blocks.filter((_, index) => isLeft[index])
  return {
    ...item,
    message: { ...message, blocks, recordedTokens: null },
    stored: { ...stored, content: asList(stored['content']).filter((_, index) => isLeft[index]) }
  }
}

/** From the end on: answers that failed or were aborted go, with the results of their calls. */
function dropFailures(
  items: readonly { readonly at: number; readonly message: MessageDraft; readonly customType: string | null }[],
  alive: Uint8Array,
  omissions: Map<number, string>
): void {
  const results = new Map<string, number[]>()
  items.forEach(({ message }, position) => {
    if (message.role !== 'toolResult') return
    const of = results.get(message.callId ?? '')
    if (of === undefined) results.set(message.callId ?? '', [position])
    else of.push(position)
  })
  // Each position's link towards the next one that is still there, shortened as it is followed.
  const onward = Int32Array.from({ length: items.length + 1 }, (_, position) => position)
  const firstAlive = (from: number): number => {
    let at = from
    while (at < items.length && alive[at] === 0) at = onward[at] === at ? at + 1 : (onward[at] ?? items.length)
    for (let step = from; step < at;) {
      const next = onward[step] === step ? step + 1 : (onward[step] ?? at)
      onward[step] = at
      step = next
    }
    return at
  }
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items[position]
    if (item === undefined || alive[position] === 0 || item.message.role !== 'assistant') continue
    const stop = item.message.stopReason
    if (stop !== 'aborted' && stop !== 'error') continue
    const next = items[firstAlive(position + 1)]
    if (next?.message.role === 'custom' && next.customType === interruptedThinking) continue
    alive[position] = 0
    omissions.set(item.at, `the answer was ${stop === 'error' ? 'an error' : 'aborted'}, so omp leaves it out`)
    for (const block of item.message.blocks) {
      if (block.type !== 'tool-call') continue
      for (const result of results.get(block.id) ?? []) {
        if (result < position || alive[result] === 0) continue
        alive[result] = 0
        omissions.set(items[result]?.at ?? -1, 'it answers a call of an answer that omp leaves out')
      }
    }
  }
}

/** Model and thinking level on a path, each agent by its own form of the change. */
function settings(
  view: SessionView,
  path: readonly number[],
  dialect: Dialect
): Pick<ContextDraft, 'model' | 'thinking'> {
  let model: ContextDraft['model'] = null
  let thinking = 'off'
  let explicit = false
  for (const index of path) {
    const record = view.records.entries[index]
    const facts = factsOf(view, index)
    if (record?.kind === 'thinking-change') thinking = facts.level ?? 'off'
    if (record === undefined || record.model === null) continue
    if (record.kind === 'model-change') {
      if (dialect === 'pi' && facts.role === undefined) model = modelOf(record.model, facts.provider)
      if (dialect === 'omp' && facts.role === 'default') {
        model = modelOf(record.model, undefined)
        explicit = true
      }
    } else if (record.role === 'assistant' && !explicit) model = modelOf(record.model, facts.provider)
  }
  return { model, thinking }
}

function modelOf(full: string, provider: string | undefined): ContextDraft['model'] {
  const end = provider === undefined ? full.indexOf('/') : provider.length
  return end === -1 ? { provider: '', name: full } : { provider: full.slice(0, end), name: full.slice(end + 1) }
}
