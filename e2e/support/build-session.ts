/** Members that any entry may be given; the rest is filled in by `sessionFile`. */
export interface EntryOptions {
  readonly id?: string
  /** Id of the parent; null for a root; the entry above where left out. */
  readonly parent?: string | null
  readonly timestamp?: string
}

type Draft = { readonly type: string } & Readonly<Record<string, unknown>>

const start = Date.UTC(2026, 2, 1, 10)

/** Time of the n-th line of a made file: one a minute. */
const timeOf = (index: number) => new Date(start + index * 60_000).toISOString()

const entry = (type: string, members: object, options: EntryOptions): Draft => {
  const { parent, ...rest } = options
  return { type, ...rest, ...(parent === undefined ? {} : { parentId: parent }), ...members }
}

export const header = (members: Readonly<Record<string, unknown>> = {}): Draft => ({
  type: 'session',
  version: 3,
  id: '0199f000-0000-7000-8000-000000000001',
  cwd: '/home/me/shop',
  ...members
})

/** The line of exactly 256 bytes that omp writes in front of the header. */
export const titleSlot = (title: string): Draft => {
  const slot = { type: 'title', v: 1, title, source: 'user', updatedAt: timeOf(0), pad: '' }
  return { ...slot, pad: ' '.repeat(255 - Buffer.byteLength(JSON.stringify(slot))) }
}

export const user = (text: string, options: EntryOptions = {}): Draft =>
  entry('message', { message: { role: 'user', content: [{ type: 'text', text }] } }, options)

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface AssistantOptions extends EntryOptions {
  readonly thinking?: string
  readonly calls?: readonly ToolCall[]
  readonly usage?: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
  }
  readonly stopReason?: string
}

export const assistant = (text: string, options: AssistantOptions = {}): Draft => {
  const {
    thinking,
    calls = [],
    usage = { input: 1200, output: 80, cacheRead: 900, cacheWrite: 100 },
    stopReason,
    ...rest
  } = options
  const { input, output, cacheRead, cacheWrite } = usage
  const message = {
    role: 'assistant',
    content: [
      ...(thinking === undefined ? [] : [{ type: 'thinking', thinking }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'toolCall', ...call }))
    ],
    api: 'messages',
    provider: 'acme',
    model: 'large-1',
    usage: {
      ...usage,
      totalTokens: input + output + cacheRead + cacheWrite,
      cost: { input: 0.01, output: 0.002, cacheRead: 0.0005, cacheWrite: 0.0005, total: 0.013 }
    },
    stopReason: stopReason ?? (calls.length > 0 ? 'toolUse' : 'stop')
  }
  return entry('message', { message }, rest)
}

export const toolResult = (toolCallId: string, toolName: string, text: string, options: EntryOptions = {}): Draft =>
  entry(
    'message',
    { message: { role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text }], isError: false } },
    options
  )

export const modelChange = (provider: string, modelId: string, options: EntryOptions = {}): Draft =>
  entry('model_change', { provider, modelId }, options)

export const compaction = (summary: string, firstKeptEntryId: string, options: EntryOptions = {}): Draft =>
  entry('compaction', { summary, firstKeptEntryId, tokensBefore: 50_000 }, options)

export const branchSummary = (summary: string, fromId: string, options: EntryOptions = {}): Draft =>
  entry('branch_summary', { summary, fromId }, options)

export const label = (targetId: string, text: string, options: EntryOptions = {}): Draft =>
  entry('label', { targetId, label: text }, options)

/** A pi or omp session file: one JSON line each, ids `e0000001`, …, parents the entry above, times a minute apart. */
export function sessionFile(drafts: readonly Draft[]): string {
  let above: unknown = null
  return drafts
    .map((draft, index) => {
      if (draft.type === 'title') return JSON.stringify(draft)
      if (draft.type === 'session') return JSON.stringify({ timestamp: timeOf(index), ...draft })
      const placed = {
        ...draft,
        id: draft['id'] ?? idAt(index),
        parentId: draft['parentId'] === undefined ? above : draft['parentId']
      }
      above = placed.id
      const { type, id, parentId, timestamp, ...rest } = { timestamp: timeOf(index), ...placed } as Draft
      return JSON.stringify({ type, id, parentId, timestamp, ...rest })
    })
    .map((line) => `${line}\n`)
    .join('')
}

/** The id that `sessionFile` gives to the entry at an index of its list. */
export const idAt = (index: number) => `e${String(index).padStart(7, '0')}`
