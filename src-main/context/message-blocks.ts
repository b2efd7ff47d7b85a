import { indented } from '#main/formats/json.ts'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { Block, Message } from '#shared/model/message.ts'
import type { Json } from '#shared/model/records.ts'

/** A message's blocks with their whole texts, calls as indented JSON. */
export const messageBlocks = (message: Message): DetailBlock[] => message.blocks.map(detailOf)

function detailOf(block: Block): DetailBlock {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return detail(block.type, block.text)
    case 'tool-call':
      return detail('tool-call', indented(block.arguments as Json), { name: block.name, callId: block.id })
    case 'tool-result':
      return detail('tool-result', block.text, { callId: block.callId, isError: block.isError })
    case 'image':
      return detail('image', '', { name: block.mimeType, bytes: block.bytes })
    case 'other':
      return detail('other', '', { name: block.name })
  }
}

function detail(type: DetailBlock['type'], text: string, more: Partial<DetailBlock> = {}): DetailBlock {
  return { type, text, length: text.length, name: null, callId: null, isError: false, bytes: null, ...more }
}

/** All that a message says, in one text, to be compared with another's. */
export function messageText(message: Message): string {
  return messageBlocks(message)
    .map(({ type, name, text }) => {
      if (type === 'text' || type === 'tool-result') return text
      return [`[${name === null ? type : `${type} ${name}`}]`, text].filter((part) => part !== '').join('\n')
    })
    .join('\n')
}
