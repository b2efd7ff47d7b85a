import { type EntryKind, entryKinds, type Outline } from '#shared/model/entry.ts'

export const treeFilters = ['all', 'conversation', 'without-tools', 'only-mine', 'labelled'] as const
export type TreeFilter = (typeof treeFilters)[number]

const toolRoles: readonly string[] = ['toolResult', 'tool', 'bashExecution', 'pythonExecution']

/** What an entry is to a filter, by its kind: `log` is what a store writes down beside the conversation. */
const parts: Readonly<Record<EntryKind, 'said' | 'tool' | 'log' | 'other'>> = {
  message: 'said',
  response: 'said',
  compaction: 'said',
  'branch-summary': 'said',
  'tool-call': 'tool',
  'tool-result': 'tool',
  request: 'log',
  event: 'log',
  // A program's message where somebody says it, else a program's note.
  custom: 'other',
  label: 'other',
  'model-change': 'other',
  'thinking-change': 'other',
  'session-info': 'other',
  usage: 'other',
  boundary: 'other',
  unknown: 'other'
}

/** 1 for each entry that the filter shows, 0 for the others. */
export function shownBy(filter: TreeFilter, outline: Outline): Uint8Array {
  const shown = new Uint8Array(outline.ids.length)
  if (filter === 'labelled') {
    for (const { at } of outline.labels) shown[at] = 1
    return shown
  }
  const isShown = entryKinds.map((kind) =>
    [-1, ...outline.roleNames.keys()].map((role) => shows(filter, kind, outline.roleNames[role] ?? null))
  )
  for (let at = 0; at < shown.length; at++) {
    if (isShown[outline.kinds[at] ?? -1]?.[(outline.roles[at] ?? -1) + 1] === true) shown[at] = 1
  }
  return shown
}

function shows(filter: Exclude<TreeFilter, 'labelled'>, kind: EntryKind, role: string | null): boolean {
  const part = parts[kind]
  switch (filter) {
    case 'all':
      return true
    case 'conversation':
      return part === 'said' || part === 'tool' || (kind === 'custom' && role !== null)
    case 'without-tools':
      return part !== 'tool' && part !== 'log' && (role === null || !toolRoles.includes(role))
    case 'only-mine':
      return role === 'user' && (kind === 'message' || kind === 'request')
  }
}
