import type { Assembled } from '../format.ts'
import type { NameIndex } from './name-index.ts'

/** What the other parts of the format need of a tree beyond what all formats give. */
export interface Links {
  readonly byStoredId: NameIndex
  /** The first kept entry of each compaction that keeps something, by the compaction's index. */
  readonly kept: ReadonlyMap<number, number>
  /** The answer that made a call, by the call's id; the last one where several used it. */
  readonly callers: NameIndex
}

const linksOfTree = new WeakMap<Assembled, Links>()

export function keepLinks(tree: Assembled, links: Links): void {
  linksOfTree.set(tree, links)
}

export function linksOf(tree: Assembled): Links {
  const links = linksOfTree.get(tree)
  if (links === undefined) throw new Error('a tree that this format did not assemble')
  return links
}
