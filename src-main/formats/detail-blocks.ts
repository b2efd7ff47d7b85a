import type { DetailBlock } from '#shared/contract/entry.ts'
import type { Block } from '#shared/model/message.ts'
import type { Json } from '#shared/model/records.ts'
import { indented } from './json.ts'

/** A block for the inspector, with its whole text. */
export function detailBlock(type: DetailBlock['type'], text: string, more: Partial<DetailBlock> = {}): DetailBlock {
  return { type, text, length: text.length, name: null, callId: null, isError: false, bytes: null, ...more }
}

/** The blocks of a message for the inspector; `stored` are the same ones as they lie in the file, shown where nothing else is known. */
export function detailBlocks(blocks: readonly Block[], stored: readonly Json[]): readonly DetailBlock[] {
  return blocks.map((own, index): DetailBlock => {
    switch (own.type) {
      case 'text':
      case 'thinking':
        return detailBlock(own.type, own.text)
      case 'tool-call':
        return detailBlock('tool-call', indented(own.arguments as Json), { name: own.name, callId: own.id })
      case 'image':
        return detailBlock('image', '', { name: own.mimeType, bytes: own.bytes })
      case 'tool-result':
        return detailBlock('tool-result', own.text, { callId: own.callId, isError: own.isError })
      case 'other':
        return detailBlock('other', indented(stored[index]), { name: own.name })
    }
  })
}
