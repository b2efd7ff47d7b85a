import fc from 'fast-check'
import type { JsonObject } from '#shared/model/records.ts'

/**
 * Session files as an agent may leave them and worse: any shape of tree, ids that occur twice or are missing, parents
 * that are unknown, later or the entry itself, compactions that name anything, labels and edits everywhere.
 */
export function arbitrarySession(version: 1 | 2 | 3): fc.Arbitrary<string> {
  return fc.array(arbitraryDraft, { minLength: 1, maxLength: 24 }).map((drafts) => {
    const header = {
      type: 'session',
      ...(version === 1 ? {} : { version }),
      id: 'made',
      timestamp: '2026-01-01T00:00:00.000Z',
      cwd: '/p'
    }
    const entries = drafts.map((draft, at) => entryOf(draft, at, version))
    return [header, ...entries].map((object) => `${JSON.stringify(object)}\n`).join('')
  })
}

interface Draft {
  readonly kind: (typeof kinds)[number]
  /** How far up the parent stands, mostly just above. */
  readonly up: number
  readonly odd: 'twice' | 'no-id' | 'orphan' | 'self' | 'later' | 'none'
  readonly target: number
  readonly flag: boolean
  readonly text: string
}

const kinds = [
  'user',
  'assistant',
  'call',
  'result',
  'failed',
  'hook',
  'custom_message',
  'branch_summary',
  'compaction',
  'label',
  'context_edit',
  'reset_boundary',
  'model_change',
  'thinking_level_change'
] as const

const arbitraryDraft: fc.Arbitrary<Draft> = fc.record({
  kind: fc.constantFrom(...kinds),
  up: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 6 }) }),
  odd: fc.oneof(
    { weight: 12, arbitrary: fc.constant('none' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'twice' as const,
        'no-id' as const,
        'orphan' as const,
        'self' as const,
        'later' as const
      )
    }
  ),
  target: fc.integer({ min: 1, max: 8 }),
  flag: fc.boolean(),
  text: fc.string({ maxLength: 6 })
})

const idOf = (at: number): string => `e${at}`

function entryOf(draft: Draft, at: number, version: number): JsonObject {
  const target = idOf(Math.max(0, at - draft.target))
  const body = { timestamp: '2026-01-01T00:00:01.000Z', ...bodyOf(draft, at, target, version) }
  if (version === 1) return body
  return { ...placeOf(draft, at), ...body }
}

function placeOf(draft: Draft, at: number): JsonObject {
  const id = draft.odd === 'twice' ? idOf(Math.max(0, at - 2)) : idOf(at)
  const parents = { orphan: 'unknown', self: id, later: idOf(at + 2) } as const
  const above = at < draft.up ? null : idOf(at - draft.up)
  const parentId = draft.odd in parents ? parents[draft.odd as keyof typeof parents] : above
  return draft.odd === 'no-id' ? { parentId } : { id, parentId }
}

function bodyOf(draft: Draft, at: number, target: string, version: number): JsonObject {
  const message = (own: JsonObject): JsonObject => ({ type: 'message', message: own })
  const answer = { role: 'assistant', provider: 'p', model: 'm', usage: { input: 1, output: 2 } }
  const say = [{ type: 'text', text: `${draft.text} ${at}` }]
  switch (draft.kind) {
    case 'user':
      return message({ role: 'user', content: draft.flag ? say : draft.text })
    case 'assistant':
      return message({ ...answer, content: say, stopReason: 'stop' })
    case 'call': {
      const call = { type: 'toolCall', id: `c${at}`, name: 'read', arguments: { path: draft.text } }
      return message({ ...answer, content: draft.flag ? [...say, call] : [call], stopReason: 'toolUse' })
    }
    case 'result':
      return message({
        role: 'toolResult',
        toolCallId: `c${at - draft.target}`,
        toolName: 'read',
        content: say,
        isError: draft.flag
      })
    case 'failed':
      return message({
        ...answer,
        content: draft.flag ? say : [],
        stopReason: draft.target % 2 === 0 ? 'error' : 'aborted'
      })
    case 'hook':
      return message({ role: version < 3 ? 'hookMessage' : 'custom', customType: 'h', content: draft.text })
    case 'custom_message':
      return {
        type: 'custom_message',
        customType: draft.flag ? 'interrupted-thinking' : 'x',
        content: draft.text,
        display: draft.flag
      }
    case 'branch_summary':
      return { type: 'branch_summary', fromId: target, summary: draft.flag ? draft.text : '' }
    case 'compaction': {
      const kept = version === 1 ? { firstKeptEntryIndex: at + 1 - draft.target } : { firstKeptEntryId: target }
      return { type: 'compaction', summary: draft.text, ...kept, tokensBefore: 9 }
    }
    case 'label':
      return { type: 'label', targetId: target, ...(draft.flag ? { label: draft.text } : {}) }
    case 'context_edit':
      return { type: 'context_edit', targetId: target, replacement: draft.flag ? { content: draft.text } : null }
    case 'reset_boundary':
      return { type: 'reset_boundary' }
    case 'model_change':
      return draft.flag
        ? { type: 'model_change', provider: 'q', modelId: draft.text }
        : { type: 'model_change', model: 'q/n', role: 'default' }
    case 'thinking_level_change':
      return { type: 'thinking_level_change', thinkingLevel: draft.flag ? 'high' : null }
  }
}
