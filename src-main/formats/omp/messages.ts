import type { Block } from '#shared/model/message.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { MessageDraft } from '../format.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'
import { blobDigest, blobSize } from './blobs.ts'
import { migratedRole } from './entry.ts'

/** Where a message comes from: the public id of its entry, and the session's file for its blobs. */
export interface Origin {
  readonly id: string
  readonly path: string
  readonly version: number
}

/** A stored message as part of a context. */
export function messageDraft(message: JsonObject, origin: Origin): MessageDraft {
  const role = migratedRole(asString(message['role']), origin.version) ?? 'unknown'
  const blocks = blocksOf(message, origin.path)
  const usage = asObject(message['usage'])
  const recorded = role === 'assistant' ? asNumber(usage?.['output']) : null
  return {
    kind: role === 'custom' ? 'custom' : role === 'system' ? 'system' : 'message',
    role,
    text: textOf(blocks),
    blocks,
    stopReason: asString(message['stopReason']),
    sources: [origin.id],
    // Providers that report nothing are recorded as 0.
    recordedTokens: recorded !== null && recorded > 0 && Number.isSafeInteger(recorded) ? recorded : null,
    ...(role === 'toolResult'
      ? { callId: asString(message['toolCallId']) ?? '', isError: message['isError'] === true }
      : {}),
    ...(message['excludeFromContext'] === true ? { sent: false } : {})
  }
}

/** A message that the agent makes of something else: a summary, an injected text, notes. */
export function textDraft(
  kind: MessageDraft['kind'],
  role: string,
  content: Json | undefined,
  origin: Origin
): MessageDraft {
  const blocks = contentBlocks(content, origin.path)
  return { kind, role, text: textOf(blocks), blocks, stopReason: null, sources: [origin.id], recordedTokens: null }
}

/** Texts of the text blocks and of tool results, one a line. */
export function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (block.type === 'text' || block.type === 'tool-result' ? [block.text] : []))
    .join('\n')
}

function blocksOf(message: JsonObject, path: string): Block[] {
  switch (message['role']) {
    case 'bashExecution':
      return [executed(asString(message['command']), message['output'])]
    case 'pythonExecution':
      return [executed(asString(message['code']), message['output'])]
    case 'fileMention':
      return asList(message['files']).map((item) => {
        const file = asObject(item)
        return { type: 'text', text: `${asString(file?.['path']) ?? ''}\n${asString(file?.['content']) ?? ''}` }
      })
    default:
      return contentBlocks(message['content'], path)
  }
}

function executed(source: string | null, output: Json | undefined): Block {
  return { type: 'text', text: `${source ?? ''}\n${asString(output) ?? ''}` }
}

export function contentBlocks(content: Json | undefined, path: string): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asList(content).map((stored) => blockOf(stored, path))
}

function blockOf(stored: Json, path: string): Block {
  const block = asObject(stored)
  if (block === null)
    return typeof stored === 'string' ? { type: 'text', text: stored } : { type: 'other', name: typeof stored }
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: asString(block['text']) ?? '' }
    case 'thinking':
      return { type: 'thinking', text: asString(block['thinking']) ?? '' }
    case 'toolCall':
      return {
        type: 'tool-call',
        id: asString(block['id']) ?? '',
        name: asString(block['name']) ?? '',
        arguments: block['arguments'] ?? null
      }
    case 'image': {
      const data = asString(block['data']) ?? ''
      const digest = blobDigest(data)
      const bytes = digest === undefined ? base64Size(data) : blobSize(path, digest)
      return { type: 'image', mimeType: asString(block['mimeType']) ?? 'application/octet-stream', bytes }
    }
    default:
      return { type: 'other', name: asString(block['type']) ?? 'unknown' }
  }
}

function base64Size(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.floor((data.length * 3) / 4) - padding
}
