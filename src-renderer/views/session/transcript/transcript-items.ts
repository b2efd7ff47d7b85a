import { entryKinds, type EntryKind, type Outline } from '#shared/model/entry.ts'

/** What an item of the conversation is: a message, a mark between two parts of it, or a line on what happened beside it. */
export type ItemKind = 'message' | 'separator' | 'quiet'

export interface TranscriptItem {
  readonly kind: ItemKind
  /** Position in the outline. */
  readonly at: number
  /** Positions of the tool results that belong to the calls of this answer. */
  readonly results: readonly number[]
}

export interface TranscriptItems {
  readonly items: readonly TranscriptItem[]
  /** For each position on the path the item that shows it. */
  readonly itemOf: ReadonlyMap<number, number>
}

const kinds: Readonly<Record<EntryKind, ItemKind>> = {
  message: 'message',
  request: 'message',
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
  usage: 'quiet',
  event: 'quiet',
  unknown: 'quiet'
}

const noResults: readonly number[] = []

/** The conversation along a path of the outline: tool results go with the answer before them, up to the next answer or mark. */
export function transcriptItems(outline: Outline, path: ArrayLike<number>): TranscriptItems {
  const items: TranscriptItem[] = []
  const itemOf = new Map<number, number>()
  let answer: { readonly item: number; readonly results: number[] } | null = null
  for (let step = 0; step < path.length; step++) {
    const at = path[step] ?? -1
    const entryKind = entryKinds[outline.kinds[at] ?? -1] ?? 'unknown'
    const role = outline.roleNames[outline.roles[at] ?? -1] ?? null
    const isResult = role === 'toolResult' || role === 'tool' || entryKind === 'tool-result'
    if (isResult && answer !== null) {
      answer.results.push(at)
      itemOf.set(at, answer.item)
      continue
    }
    // A custom entry with a role is a message that a program put into the conversation.
    const kind = entryKind === 'custom' && role !== null ? 'message' : kinds[entryKind]
    itemOf.set(at, items.length)
    if (role === 'assistant') answer = { item: items.length, results: [] }
    else if (kind === 'separator') answer = null
    items.push({ kind, at, results: role === 'assistant' && answer !== null ? answer.results : noResults })
  }
  return { items, itemOf }
}
