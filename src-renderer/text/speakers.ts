import type { EntryKind } from '#shared/model/entry.ts'

/** What colour and shape an entry has. */
export const tones = ['user', 'assistant', 'tool', 'compaction', 'branch', 'plain'] as const
export type Tone = (typeof tones)[number]

export interface Speaker {
  readonly name: string
  readonly tone: Tone
}

const byKind: Readonly<Record<EntryKind, Speaker>> = {
  message: { name: 'Message', tone: 'plain' },
  compaction: { name: 'Compaction', tone: 'compaction' },
  'branch-summary': { name: 'Summary', tone: 'branch' },
  custom: { name: 'Custom', tone: 'plain' },
  label: { name: 'Label', tone: 'plain' },
  'model-change': { name: 'Model', tone: 'plain' },
  'thinking-change': { name: 'Thinking', tone: 'plain' },
  'session-info': { name: 'Session', tone: 'plain' },
  usage: { name: 'Usage', tone: 'plain' },
  boundary: { name: 'Boundary', tone: 'plain' },
  request: { name: 'Request', tone: 'plain' },
  response: { name: 'Response', tone: 'assistant' },
  'tool-call': { name: 'Tool call', tone: 'tool' },
  'tool-result': { name: 'Tool', tone: 'tool' },
  event: { name: 'Event', tone: 'plain' },
  unknown: { name: 'Unknown', tone: 'plain' }
}

/** Kinds in which the one speaks who has the role. */
const spoken: ReadonlySet<EntryKind> = new Set(['message', 'request', 'response'])

/** Who speaks in an entry, in the words of a row; a tool speaks under its own name. */
export function speakerOf(kind: EntryKind, role: string | null, tool: string | null): Speaker {
  if (kind === 'compaction') return byKind.compaction
  if (tool !== null) return { name: tool, tone: 'tool' }
  if (!spoken.has(kind)) return byKind[kind]
  if (role === 'user') return { name: 'You', tone: 'user' }
  if (role === 'assistant') return { name: 'Assistant', tone: 'assistant' }
  if (role === 'toolResult' || role === 'bashExecution' || role === 'tool') return { name: 'Tool', tone: 'tool' }
  if (role === 'reasoning') return { name: 'Reasoning', tone: 'plain' }
  if (role === 'system') return { name: 'System', tone: 'plain' }
  const speaker = byKind[kind]
  return kind === 'message' && role !== null ? { ...speaker, name: role } : speaker
}
