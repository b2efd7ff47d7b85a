import type { DetailBlock } from '#shared/contract/entry.ts'

/** Indexes of blocks in order, each by itself but for neighbours of other types than are shown, which go together. */
export function blockGroups(blocks: readonly Pick<DetailBlock, 'type'>[]): readonly (readonly number[])[] {
  const groups: number[][] = []
  for (const [index, { type }] of blocks.entries()) {
    const before = groups.at(-1)
    if (type === 'other' && before !== undefined && blocks[index - 1]?.type === 'other') before.push(index)
    else groups.push([index])
  }
  return groups
}
