import { detailBlocks } from '#main/formats/detail-blocks.ts'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { Message } from '#shared/model/message.ts'

/** A message's blocks with their whole texts, calls as indented JSON. */
export const messageBlocks = (message: Message): readonly DetailBlock[] => detailBlocks(message.blocks, [])

/** All that a message says, in one text, to be compared with another's. */
export function messageText(message: Message): string {
  return messageBlocks(message)
    .map(({ type, name, text }) => {
      if (type === 'text' || type === 'tool-result') return text
      return [`[${name === null ? type : `${type} ${name}`}]`, text].filter((part) => part !== '').join('\n')
    })
    .join('\n')
}
