import type { JsonObject } from '#shared/model/records.ts'
import type { ContextDraft, MessageDraft, SessionView } from '../format.ts'
import { asObject, asString } from '../json.ts'
import { linksOf } from './links.ts'
import { dialectOf, notLoaded, versionOf } from './dialect.ts'
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
  const { records, tree } = view
  const end = at ?? records.entries.length - 1
  const entry = tree.nodes[end]?.id ?? null
  const dialect = dialectOf(records)
  const path = end < 0 ? [] : pathTo(tree.nodes, end)
  const refusal = notLoaded(records, dialect)
  if (refusal !== null) {
    const omitted = path
      .filter((index) => speaks(view, index))
      .map((index) => ({ entry: idOf(view, index), reason: refusal }))
    return { entry, model: null, thinking: null, messages: [], omitted, faults: [] }
  }
  const selection = select(view, path, dialect)
  const omissions = new Map(selection.omitted)
  const { loaded, unread } = await load(view, selection.emitted, omissions, signal)
  const messages =
    dialect === 'pi' ? await editedAsPi(view, selection, loaded, omissions, signal) : cleanedAsOmp(loaded, omissions)
  return {
    entry,
    ...settings(view, path, dialect),
    messages: messages.map((item) => item.message),
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
function keptFrom(
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
}

async function load(
  view: SessionView,
  emitted: Selection['emitted'],
  omissions: Map<number, string>,
  signal?: AbortSignal
): Promise<{ readonly loaded: readonly Loaded[]; readonly unread: readonly number[] }> {
  const loaded: Loaded[] = []
  const unread: number[] = []
  const version = versionOf(view.records)
  const path = view.records.files[0].path
  const wanted = emitted.map(([at]) => at)
  let position = 0
  for await (const object of view.content.objects(wanted, signal)) {
    const [at, as] = emitted[position++] ?? [-1, 'entry']
    if (object === null) {
      unread.push(at)
      omissions.set(at, 'its bytes no longer hold it')
      continue
    }
    const message = draftOf(object, as, { id: idOf(view, at), path, version })
    if (message !== null) loaded.push({ at, object, message })
    else if (as === 'entry') omissions.set(at, 'it holds nothing that is sent')
  }
  return { loaded, unread }
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

interface Kept {
  readonly at: number
  readonly message: MessageDraft
}

const editable = new Set(['user', 'assistant', 'toolResult', 'custom'])

/** pi: the last edit of each entry, and no system message of the kept range. */
async function editedAsPi(
  view: SessionView,
  selection: Selection,
  loaded: readonly Loaded[],
  omissions: Map<number, string>,
  signal?: AbortSignal
): Promise<readonly Kept[]> {
  const editOf = new Map<number, number>()
  const { byStoredId } = linksOf(view.tree)
  for (const edit of selection.edits) {
    const target = byStoredId.get(factsOf(view, edit).target ?? '')
    if (target !== undefined) editOf.set(target, edit)
  }
  const replacements = await replacementsOf(view, [...editOf.values()], signal)
  return loaded.flatMap(({ at, message }): Kept[] => {
    if (message.role === 'system' && selection.kept.has(at)) {
      omissions.set(at, 'system messages of the kept range are dropped')
      return []
    }
    const edit = editOf.get(at)
    if (edit === undefined) return [{ at, message }]
    const replacement = replacements.get(edit)
    if (replacement === null) {
      omissions.set(at, 'an edit of the context took it out')
      return []
    }
    if (replacement === undefined || !editable.has(message.role)) return [{ at, message }]
    const blocks = contentBlocks(replacement['content'], view.records.files[0].path)
    const sources = [...message.sources, idOf(view, edit)]
    return [{ at, message: { ...message, blocks, text: textOf(blocks), sources, recordedTokens: null } }]
  })
}

/** What each edit puts in its target's place; null takes the target out. */
async function replacementsOf(
  view: SessionView,
  edits: readonly number[],
  signal?: AbortSignal
): Promise<ReadonlyMap<number, JsonObject | null>> {
  const replacements = new Map<number, JsonObject | null>()
  let position = 0
  for await (const object of view.content.objects(edits, signal)) {
    const edit = edits[position++] ?? -1
    const stored = object?.['replacement']
    if (stored === null) replacements.set(edit, null)
    else if (asObject(stored) !== null) replacements.set(edit, asObject(stored))
  }
  return replacements
}

/** omp: no failed answers, no calls without a result. */
function cleanedAsOmp(loaded: readonly Loaded[], omissions: Map<number, string>): readonly Kept[] {
  const items: { readonly at: number; message: MessageDraft; readonly customType: string | null }[] = []
  for (const { at, object, message } of loaded) {
    const stored = asObject(object['message'])
    if (message.role === 'assistant' && stored?.['retryRecovery'] !== undefined && stored['retryRecovery'] !== false) {
      omissions.set(at, 'omp does not send answers that a retry took the place of')
    } else if (message.role === 'assistant' && isEmptyFailure(message)) {
      omissions.set(at, 'the answer failed without any content')
    } else items.push({ at, message, customType: asString(object['customType'] ?? stored?.['customType']) })
  }
  const answered = new Set(
    items.flatMap(({ message }) => (message.role === 'toolResult' ? [message.callId ?? ''] : []))
  )
  const alive = new Uint8Array(items.length).fill(1)
  items.forEach((item, position) => {
    const stripped = withoutOpenCalls(item.message, answered)
    if (stripped === item.message) return
    item.message = stripped
    if (stripped.blocks.length > 0) return
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

function withoutOpenCalls(message: MessageDraft, answered: ReadonlySet<string>): MessageDraft {
  if (message.role !== 'assistant') return message
  const isOpen = (block: MessageDraft['blocks'][number]): boolean =>
    block.type === 'tool-call' && !answered.has(block.id)
  if (!message.blocks.some(isOpen)) return message
  const blocks = message.blocks.filter(
    (block) => !isOpen(block) && !(block.type === 'other' && block.name === 'redactedThinking')
  )
  return { ...message, blocks, recordedTokens: null }
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
