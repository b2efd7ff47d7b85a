import type { EntryRecord } from '#shared/model/records.ts'
import type { TreeNode } from '../format.ts'
import type { Before } from './growing.ts'
import { NameIndex } from './name-index.ts'

/** Ids, parents and what is wrong with them, all by index in file order. */
export interface Tree {
  /** Without their labels. */
  readonly nodes: readonly TreeNode[]
  readonly leaves: readonly number[]
  /** The entry that a stored id means: the last one that has it. */
  readonly byStoredId: NameIndex
  readonly duplicates: readonly number[]
  readonly orphans: readonly number[]
  /** The entry of each cycle at which it was cut. */
  readonly cycles: readonly number[]
}

/** Version 1 has neither ids nor parents: each entry hangs on the one before it. */
export function buildTree(entries: readonly EntryRecord[], version: number, before: Before<Tree> | null): Tree {
  return (before && version > 1 && grownTree(entries, before)) || wholeTree(entries, version)
}

/** Where nothing was or becomes wrong with ids and parents; else undefined. */
function grownTree(entries: readonly EntryRecord[], { count, result }: Before<Tree>): Tree | undefined {
  const { duplicates, orphans, cycles } = result
  const isSound = result.byStoredId.size === count && duplicates.length + orphans.length + cycles.length === 0
  if (!isSound) return undefined
  const added = new Map<string, number>()
  const nodes = result.nodes.slice()
  for (let at = count; at < entries.length; at++) {
    const entry = entries[at]
    if (entry === undefined || !hasId(entry)) return undefined
    const { storedId: id, storedParent: stored } = entry
    if (result.byStoredId.has(id) || added.has(id)) return undefined
    const isRoot = stored === null || stored === undefined || stored === ''
    const parent = isRoot ? -1 : (added.get(stored) ?? result.byStoredId.get(stored))
    if (parent === undefined) return undefined
    nodes.push({ id, parent, label: null })
    added.set(id, at)
  }
  return {
    ...result,
    nodes,
    leaves: leavesAmong([...result.leaves, ...added.values()], nodes, count),
    byStoredId: result.byStoredId.grown([...added], entries.length)
  }
}

/** Those that are no parent of a node from `from` on. */
function leavesAmong(candidates: readonly number[], nodes: readonly TreeNode[], from: number): readonly number[] {
  const isParent = new Uint8Array(nodes.length)
  for (let at = from; at < nodes.length; at++) {
    const parent = nodes[at]?.parent ?? -1
    if (parent !== -1) isParent[parent] = 1
  }
  return candidates.filter((at) => isParent[at] === 0)
}

function wholeTree(entries: readonly EntryRecord[], version: number): Tree {
  const byStoredId = new Map<string, number>()
  let named = 0
  if (version > 1) {
    for (const [at, entry] of entries.entries()) {
      if (!hasId(entry)) continue
      named++
      byStoredId.set(entry.storedId, at)
    }
  }
  const areUnique = byStoredId.size === named
  const duplicates: number[] = []
  const ids: string[] = []
  let taken: Set<string> | undefined
  for (const [at, entry] of entries.entries()) {
    if (version > 1 && hasId(entry)) {
      if (areUnique || byStoredId.get(entry.storedId) === at) {
        ids.push(entry.storedId)
        continue
      }
      duplicates.push(at)
    }
    const place = entry.part === 1 ? `${entry.line}` : `${entry.line}.${entry.part}`
    taken ??= new Set(byStoredId.keys())
    ids.push(free(version > 1 && hasId(entry) ? `${entry.storedId}@${place}` : `L${place}`, taken))
  }
  if (version === 1) {
    return treeOf(
      ids,
      Int32Array.from(entries, (_, at) => at - 1),
      byStoredId,
      { duplicates, orphans: [], cycles: [] }
    )
  }
  const orphans: number[] = []
  const parents = new Int32Array(entries.length).fill(-1)
  for (const [at, entry] of entries.entries()) {
    const stored = entry.storedParent
    if (stored === null || stored === undefined || stored === '' || stored === entry.storedId) continue
    // Most entries hang on the one above: that saves the look-up, which costs more than all else here.
    if (areUnique && entries[at - 1]?.storedId === stored) parents[at] = at - 1
    else {
      const parent = byStoredId.get(stored)
      if (parent === undefined) orphans.push(at)
      else parents[at] = parent
    }
  }
  const selves = entries.flatMap((entry, at) => (hasId(entry) && entry.storedParent === entry.storedId ? [at] : []))
  const cycles = [...selves, ...cutCycles(parents)].toSorted((a, b) => a - b)
  return treeOf(ids, parents, byStoredId, { duplicates, orphans, cycles })
}

function treeOf(
  ids: readonly string[],
  parents: Int32Array,
  byStoredId: Map<string, number>,
  wrong: Pick<Tree, 'duplicates' | 'orphans' | 'cycles'>
): Tree {
  const nodes = ids.map((id, at) => ({ id, parent: parents[at] ?? -1, label: null }))
  return {
    nodes,
    leaves: leavesAmong([...nodes.keys()], nodes, 0),
    byStoredId: new NameIndex(byStoredId, nodes.length),
    ...wrong
  }
}

function hasId(entry: EntryRecord): entry is EntryRecord & { readonly storedId: string } {
  return entry.storedId !== null && entry.storedId !== ''
}

function free(id: string, taken: Set<string>): string {
  let candidate = id
  while (taken.has(candidate)) candidate += '+'
  taken.add(candidate)
  return candidate
}

/** Makes the first entry of each cycle a root; returns these entries. Each entry is visited at most twice. */
function cutCycles(parents: Int32Array): readonly number[] {
  const walks = new Int32Array(parents.length).fill(-1)
  const cut: number[] = []
  for (let start = 0; start < parents.length; start++) {
    let at = start
    while (at !== -1 && walks[at] === -1) {
      walks[at] = start
      at = parents[at] ?? -1
    }
    if (at === -1 || walks[at] !== start) continue
    let first = at
    for (let next = parents[at] ?? -1; next !== at; next = parents[next] ?? -1) first = Math.min(first, next)
    parents[first] = -1
    cut.push(first)
  }
  return cut
}

/** Children of each entry in file order, as linked lists: `first[at]`, then `next[child]`; -1 ends a list. */
export interface Children {
  readonly first: Int32Array
  readonly next: Int32Array
}

export function childrenOf(parents: ArrayLike<number>): Children {
  const first = new Int32Array(parents.length).fill(-1)
  const next = new Int32Array(parents.length).fill(-1)
  for (let at = parents.length - 1; at >= 0; at--) {
    const parent = parents[at] ?? -1
    if (parent === -1) continue
    next[at] = first[parent] ?? -1
    first[parent] = at
  }
  return { first, next }
}

/** Tells in constant time whether an entry stands on the path to another. */
export function ancestry(parents: ArrayLike<number>): (ancestor: number, of: number) => boolean {
  const { first, next } = childrenOf(parents)
  const enter = new Int32Array(parents.length)
  const leave = new Int32Array(parents.length)
  let time = 0
  for (let root = 0; root < parents.length; root++) {
    if (parents[root] !== -1) continue
    let at = root
    enter[at] = time++
    for (;;) {
      const child = first[at] ?? -1
      if (child !== -1) {
        at = child
        enter[at] = time++
        continue
      }
      leave[at] = time
      while (at !== root && next[at] === -1) {
        at = parents[at] ?? root
        leave[at] = time
      }
      if (at === root) break
      at = next[at] ?? root
      enter[at] = time++
    }
  }
  return (ancestor, of) => (enter[ancestor] ?? 0) <= (enter[of] ?? 0) && (enter[of] ?? 0) < (leave[ancestor] ?? 0)
}

/** Indexes from the root to an entry. */
export function pathTo(nodes: readonly { readonly parent: number }[], at: number): readonly number[] {
  const path: number[] = []
  for (let next = at; next !== -1; next = nodes[next]?.parent ?? -1) path.push(next)
  return path.toReversed()
}
