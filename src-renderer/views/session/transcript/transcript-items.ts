import { entryKinds, type EntryKind, type Outline } from '#shared/model/entry.ts'

/**
 * What an item of the conversation is: a message, a mark between two parts of it, a line on what happened beside it, what
 * the store logged in one place, or the conversation as the agent saved it, once more.
 */
export type ItemKind = 'message' | 'separator' | 'quiet' | 'log' | 'saved'

export interface TranscriptItem {
  readonly kind: ItemKind
  /** Position in the outline. */
  readonly at: number
  /** Positions of a message's calls and results that are entries of their own; of all entries of a log or a saved conversation. */
  readonly parts: readonly number[]
}

export interface TranscriptItems {
  readonly items: readonly TranscriptItem[]
  /** For each position on the path the item that shows it. */
  readonly itemOf: ReadonlyMap<number, number>
}

const kinds: Readonly<Record<EntryKind, ItemKind>> = {
  message: 'message',
  response: 'message',
  'tool-call': 'message',
  'tool-result': 'message',
  compaction: 'separator',
  'branch-summary': 'separator',
  boundary: 'separator',
  custom: 'quiet',
  label: 'quiet',
  'model-change': 'quiet',
  'thinking-change': 'quiet',
  'session-info': 'quiet',
  unknown: 'quiet',
  // What was sent repeats all that is above it.
  request: 'log',
  usage: 'log',
  event: 'log'
}

/** So many parts of an item are shown: an answer with more goes on in further items. */
export const mostParts = 200

interface Answer {
  readonly item: number
  readonly parts: number[]
  /** False once its request is over: calls that follow are not its own. */
  isOpen: boolean
}

/**
 * The conversation along a path of the outline. Results go with the answer before them, up to the next answer or mark, and so
 * do calls that are entries of their own, up to the next prompt or request; what is logged is put together.
 */
export function transcriptItems(outline: Outline, path: ArrayLike<number>): TranscriptItems {
  const items: TranscriptItem[] = []
  const itemOf = new Map<number, number>()
  const saved = savedFrom(outline, path)
  let answer: Answer | null = null
  let log: number[] | null = null
  for (let step = 0; step < path.length; step++) {
    const at = path[step] ?? -1
    const entry = kindAt(outline, at)
    const role = outline.roleNames[outline.roles[at] ?? -1] ?? null
    // A custom entry with a role is a message that a program put into the conversation.
    const kind = step >= saved ? 'saved' : entry === 'custom' && role !== null ? 'message' : kinds[entry]
    if (kind === 'log' || kind === 'saved') {
      if (answer !== null && (entry === 'request' || entry === 'usage')) answer.isOpen = false
      if (log === null || step === saved) {
        log = []
        items.push({ kind, at, parts: log })
      }
      log.push(at)
      itemOf.set(at, items.length - 1)
      continue
    }
    const isCall = entry === 'tool-call'
    const isResult =
      !isCall && kind === 'message' && (entry === 'tool-result' || role === 'toolResult' || role === 'tool')
    if (answer !== null && answer.parts.length < mostParts && (isResult || (isCall && answer.isOpen))) {
      answer.parts.push(at)
      itemOf.set(at, answer.item)
      continue
    }
    const parts: number[] = []
    if (isCall || (kind === 'message' && role === 'assistant')) answer = { item: items.length, parts, isOpen: true }
    else if (kind === 'separator') answer = null
    else if (answer !== null && kind === 'message' && !isResult) answer.isOpen = false
    itemOf.set(at, items.length)
    items.push({ kind, at, parts })
    log = null
  }
  return { items, itemOf }
}

/** Whether an item may show what an entry says; true for one that the outline does not have yet. */
export function isShown(outline: Outline, at: number): boolean {
  const kind = kindAt(outline, at)
  return at >= outline.kinds.length || kind === 'custom' || kinds[kind] === 'message' || kinds[kind] === 'separator'
}

const kindAt = (outline: Outline, at: number): EntryKind => entryKinds[outline.kinds[at] ?? -1] ?? 'unknown'

/**
 * Where a path goes over to messages that the agent saved to go on from, in a store that logs its answers as such: they
 * repeat what stands above. The path's length where there are none.
 */
function savedFrom(outline: Outline, path: ArrayLike<number>): number {
  const assistant = outline.roleNames.indexOf('assistant')
  let from = path.length
  let hasAnswer = false
  for (; from > 0; from--) {
    const at = path[from - 1] ?? -1
    const kind = kindAt(outline, at)
    const isSaid = kind === 'message' || (kind === 'custom' && (outline.roles[at] ?? -1) >= 0)
    if (!isSaid) break
    hasAnswer ||= outline.roles[at] === assistant && assistant >= 0
  }
  if (!hasAnswer) return path.length
  for (let step = 0; step < from; step++) if (kindAt(outline, path[step] ?? -1) === 'response') return from
  return path.length
}
