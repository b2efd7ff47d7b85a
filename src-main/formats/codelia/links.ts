import type { Assembled } from '../format.ts'

/** A request and its answer, by their indexes; one of them may be missing. */
export interface Invocation {
  readonly request: number | null
  readonly response: number | null
  readonly seq: number | null
  /** True in a further file of the same run. */
  readonly isCopy: boolean
}

/** A run by the indexes of its entries. */
export interface RunSpan {
  readonly file: number
  readonly from: number
  /** Behind its last entry. */
  readonly to: number
}

/** What follows from a session's records and is needed to read its contents. */
export interface Links {
  readonly runs: readonly RunSpan[]
  /** Index of the first message that is resumed from; the number of entries where there is none. */
  readonly messages: number
  readonly invocations: readonly Invocation[]
  /** The invocation of each request and each answer. */
  readonly invocationOf: ReadonlyMap<number, Invocation>
}

const linksOfTree = new WeakMap<Assembled, Links>()

export function keepLinks(tree: Assembled, links: Links): void {
  linksOfTree.set(tree, links)
}

export function linksOf(tree: Assembled): Links {
  const links = linksOfTree.get(tree)
  if (links === undefined) throw new Error('these are no links of a codelia session')
  return links
}
