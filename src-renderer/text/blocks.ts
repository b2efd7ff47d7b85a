import type { DetailBlock } from '#shared/contract/entry.ts'

/** What the text of a block is, by the block's type. */
export const blockNames: Readonly<Record<DetailBlock['type'], string>> = {
  text: 'Output',
  thinking: 'Thinking',
  'tool-call': 'Arguments',
  'tool-result': 'Result',
  image: 'Image',
  other: 'Content'
}
