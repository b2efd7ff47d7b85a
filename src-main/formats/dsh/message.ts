import type { Block } from '#shared/model/message.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'

/** The call that a tool's result answers. */
export function resultCall(message: JsonObject): string | null {
  const wrapper = resultBlock(message)
  return (
    asString(message['toolCallId']) ??
    asString(wrapper?.['toolCallId']) ??
    asString(asObject(message['source'])?.['callId'])
  )
}

export function isFailedResult(message: JsonObject): boolean {
  return (resultBlock(message) ?? message)['isError'] === true
}

/** The content of a tool's result, out of its wrapper where it has one. */
export function resultContent(message: JsonObject): readonly Json[] {
  return asList((resultBlock(message) ?? message)['content'])
}

/** The block that wraps a result up to the third generation. */
function resultBlock({ content }: JsonObject): JsonObject | undefined {
  return (
    asList(content)
      .map((block) => asObject(block))
      .find((block) => block?.['type'] === 'tool-result') ?? undefined
  )
}

/** Blocks as a context shows them. */
export function blocksOf(content: Json | undefined): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(blockOf)
}

function blockOf(stored: Json): Block {
  const block = asObject(stored)
  const text = asString(block?.['text']) ?? ''
  switch (block?.['type']) {
    case 'text':
      return { type: 'text', text }
    case 'reasoning':
      return { type: 'thinking', text }
    case 'tool-call':
      return {
        type: 'tool-call',
        id: asString(block['id']) ?? '',
        name: asString(block['name']) ?? '',
        arguments: argumentsOf(block['arguments'])
      }
    case 'tool-result':
      return {
        type: 'tool-result',
        callId: asString(block['toolCallId']) ?? '',
        isError: block['isError'] === true,
        text: textOf(blocksOf(block['content']))
      }
    case 'image': {
      const attachment = asObject(block['attachment'])
      return {
        type: 'image',
        mimeType: asString(attachment?.['mediaType']) ?? 'application/octet-stream',
        bytes: asNumber(attachment?.['bytes'])
      }
    }
    default:
      return { type: 'other', name: asString(block?.['type']) ?? 'unknown' }
  }
}

/** Texts of the text blocks and of tool results, one a line. */
export function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (block.type === 'text' || block.type === 'tool-result' ? [block.text] : []))
    .join('\n')
}

/** A call's arguments, which are stored as JSON in a string; the string where it is none. */
export function argumentsOf(stored: Json | undefined): Json {
  if (typeof stored !== 'string') return stored ?? null
  try {
    return JSON.parse(stored) as Json
  } catch {
    return stored
  }
}
