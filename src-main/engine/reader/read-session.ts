import type { Format, SessionView } from '#main/formats/format.ts'
import type { StoredSession } from '#main/index/types.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { childrenOf, rootsOf, treeOf } from '#shared/tree/tree.ts'
import { defaultPath } from '../session-views.ts'
import { placeOf } from './entry-places.ts'
import { nearestIds } from './nearest-ids.ts'

/** A session as the reader holds it: put together once for each revision and dialect. */
export interface ReadSession extends SessionView {
  readonly stored: StoredSession
  readonly format: Format
  /** Index of an entry. Refused as `not-found`, with the nearest ids. */
  at(entry: string): number
  /** Indexes of the entries below one, -1: of the roots, in file order. */
  children(parent: number): readonly number[]
  /** Indexes from the root to an entry. */
  path(at: number): readonly number[]
  /** A path with what a log beside the messages tells of it. */
  toldUpTo(at: number): readonly number[]
  onDefaultPath(at: number): boolean
  /** Id of the first entry that begins on a line. */
  entryOnLine(line: number, file: number): string | null
}

export function readSession(stored: StoredSession, format: Format, view: SessionView): ReadSession {
  const { nodes } = view.tree
  const file = stored.files[0].path
  const shape = once(() => treeOf(nodes.map(({ parent }) => parent)))
  const byLine = once(() => {
    const found = view.records.files.map(() => new Map<number, number>())
    view.records.entries.forEach(({ file: position, line }, index) => {
      if (found[position]?.has(line) === false) found[position].set(line, index)
    })
    return found
  })

  const at = (entry: string): number => {
    const index = placeOf(nodes, entry)
    if (index !== undefined) return index
    const nearest = nearestIds(
      nodes.map(({ id }) => id),
      entry
    )
    throw new Refusal('not-found', `${file} has no entry ${entry}. Choose one that it has.`, { file, entry, nearest })
  }
  const path = (end: number): number[] => {
    const indexesUp: number[] = []
    for (let index = end; index >= 0; index = nodes[index]?.parent ?? -1) indexesUp.push(index)
    return indexesUp.toReversed()
  }

  return {
    ...view,
    stored,
    format,
    at,
    path,
    toldUpTo: (end) => [...path(end), ...(view.tree.alongside?.(end) ?? [])],
    children: (parent) => [...(parent === -1 ? rootsOf(shape()) : childrenOf(shape(), parent))],
    onDefaultPath: defaultPath(view.tree),
    entryOnLine(line, among) {
      const index = byLine()[among]?.get(line)
      return (index === undefined ? undefined : nodes[index]?.id) ?? null
    }
  }
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => (known ??= { value: compute() }).value
}
