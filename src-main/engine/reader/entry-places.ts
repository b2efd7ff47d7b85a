import type { TreeNode } from '#main/formats/format.ts'

/** Revisions of which one goes on behind the other share their places: each may find some that it does not have. */
const known = new WeakMap<readonly TreeNode[], Map<string, number>>()

/** Index of the entry with an id; undefined where there is none. */
export function placeOf(nodes: readonly TreeNode[], id: string): number | undefined {
  const places = known.get(nodes) ?? new Map<string, number>()
  if (!known.has(nodes)) {
    addPlaces(places, nodes, 0)
    known.set(nodes, places)
  }
  const place = places.get(id)
  return place !== undefined && nodes[place]?.id === id ? place : undefined
}

/** Hands the places on from a session's earlier revision, as making them anew costs more than all else of an append. */
export function handOnPlaces(before: readonly TreeNode[], nodes: readonly TreeNode[]): void {
  const places = known.get(before)
  if (places === undefined || known.has(nodes) || !before.every(({ id }, at) => nodes[at]?.id === id)) return
  addPlaces(places, nodes, before.length)
  known.set(nodes, places)
}

function addPlaces(places: Map<string, number>, nodes: readonly TreeNode[], from: number): void {
  for (let at = from; at < nodes.length; at++) places.set(nodes[at]?.id ?? '', at)
}
