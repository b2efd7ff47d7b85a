import type { Block } from '#shared/model/message.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { MessageDraft } from '../format.ts'
import { asList, asObject, asString } from '../json.ts'
import { argumentsOf, markOf, objectsIn } from './entry.ts'

/** Where a message of a context comes from, and what is known of it. */
export interface Origin {
  readonly sources: readonly string[]
  readonly stopReason: string | null
  readonly recordedTokens: number | null
}

/** A stored message as part of a context. */
export function messageDraft(message: JsonObject, { sources, stopReason, recordedTokens }: Origin): MessageDraft {
  const role = asString(message['role']) ?? 'unknown'
  const blocks = blocksOf(message)
  return {
    kind: kindOf(role, message['content'] ?? null),
    role,
    text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    blocks: [...blocks],
    stopReason,
    sources: [...sources],
    recordedTokens,
    ...(role === 'tool'
      ? { callId: asString(message['tool_call_id']) ?? '', isError: message['is_error'] === true }
      : {})
  }
}

function kindOf(role: string, content: Json): MessageDraft['kind'] {
  if (role === 'system') return 'system'
  const mark = role === 'user' ? markOf(content) : null
  if (mark === null) return 'message'
  return mark === 'summary' ? 'compaction-summary' : 'custom'
}

/** A message's blocks; the reasoning is thinking. */
export function blocksOf(message: JsonObject): readonly Block[] {
  if (message['role'] === 'reasoning') return [{ type: 'thinking', text: asString(message['content']) ?? '' }]
  const refusal = asString(message['refusal'])
  return [
    ...contentBlocks(message['content'] ?? null),
    ...(refusal === null ? [] : [{ type: 'text', text: refusal } as const]),
    ...objectsIn(message['tool_calls']).map(callBlock)
  ]
}

function callBlock(call: JsonObject): Block {
  const made = asObject(call['function'])
  return {
    type: 'tool-call',
    id: asString(call['id']) ?? '',
    name: asString(made?.['name']) ?? '',
    arguments: argumentsOf(made?.['arguments']) ?? made?.['arguments'] ?? null
  }
}

export function contentBlocks(content: Json): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asList(content).map(partBlock)
}

function partBlock(stored: Json): Block {
  const part = asObject(stored)
  switch (part?.['type']) {
    case 'text':
      return { type: 'text', text: asString(part['text']) ?? '' }
    case 'image_url': {
      const image = imageIn(part)
      if (image === null) return { type: 'other', name: 'image_url' }
      return { type: 'image', mimeType: image.mimeType, bytes: base64Size(image.data) }
    }
    default:
      return { type: 'other', name: asString(part?.['type']) ?? typeof stored }
  }
}

/** The base64 of an image part; null for an address, which is not followed. */
export function imageIn(part: JsonObject): { readonly mimeType: string; readonly data: string } | null {
  const image = asObject(part['image_url'])
  const url = asString(image?.['url']) ?? ''
  const head = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,100};base64,/.exec(url.slice(0, 300))
  if (head === null) return null
  const mimeType = head[1] ?? asString(image?.['media_type']) ?? 'application/octet-stream'
  return { mimeType, data: url.slice(head[0].length) }
}

function base64Size(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.floor((data.length * 3) / 4) - padding
}
