import type { BranchPoint } from '#shared/contract/entry.ts'
import type { EntryKind } from '#shared/model/entry.ts'
import type { Assembled, SessionView } from '../format.ts'
import { linksOf } from './links.ts'
import { dialectOf, notLoaded } from './dialect.ts'
import type { Facts } from './schema.ts'
import { type Children, childrenOf } from './tree.ts'

/** How far the nearest possible entries are looked for, and how many later ones are named. */
const reach = 400
const laterNamed = 3

/** Behind these an agent has gone on, whatever stood open before. */
const goesOn: ReadonlySet<EntryKind> = new Set<EntryKind>(['compaction', 'boundary', 'branch-summary'])

/** Whether the agent could go on from an entry, or why not and where it could instead. */
export function ompBranchPoint(view: SessionView, at: number): BranchPoint {
  const refusal = notLoaded(view.records, dialectOf(view.records))
  if (refusal !== null) return { kind: 'refused', reason: `No branch can be made: ${refusal}.`, nearest: [] }
  const reason = refusedAt(view, at)
  return reason === null ? { kind: 'allowed' } : { kind: 'refused', reason, nearest: nearest(view, at) }
}

/** Why an entry is no end for a branch, null where it is one. */
function refusedAt(view: SessionView, at: number): string | null {
  const { records, tree } = view
  const answered = new Set<string>()
  let wentOn = false
  let holdsEntries = false
  for (let above = at; above !== -1; above = tree.nodes[above]?.parent ?? -1) {
    const record = records.entries[above]
    if (record === undefined) break
    const facts = record.facts as Facts
    if (record.kind !== 'label') holdsEntries = true
    if (facts.call !== undefined) answered.add(facts.call)
    if (record.role === 'user' || goesOn.has(record.kind)) wentOn = true
    if (record.role !== 'assistant') continue
    if (facts.stop === 'aborted' || facts.stop === 'error') return null
    const open = (facts.calls ?? []).filter(([id]) => !answered.has(id))
    if (open.length === 0 || (wentOn && !open.some(([id]) => resultFollows(view, id, at)))) return null
    const names = [...new Set(open.map(([, name]) => name || 'a tool'))].join(', ')
    return `It stands between a call of ${names} and its result, so the agent could not go on from here.`
  }
  return holdsEntries ? null : 'There is nothing before it but labels, so the branch would be empty.'
}

/** Whether a call's result stands below an entry. */
function resultFollows(view: SessionView, call: string, at: number): boolean {
  for (const result of resultsOf(view).get(call) ?? []) {
    for (
      let above = result, steps = 0;
      above !== -1 && steps < reach;
      above = view.tree.nodes[above]?.parent ?? -1, steps++
    ) {
      if (above === at) return true
    }
  }
  return false
}

const resultsOfTree = new WeakMap<Assembled, ReadonlyMap<string, readonly number[]>>()

function resultsOf(view: SessionView): ReadonlyMap<string, readonly number[]> {
  const known = resultsOfTree.get(view.tree)
  if (known !== undefined) return known
  const results = new Map<string, number[]>()
  const { callers } = linksOf(view.tree)
  view.records.entries.forEach((entry, at) => {
    const call = (entry.facts as Facts).call
    if (call === undefined || !callers.has(call)) return
    const of = results.get(call)
    if (of === undefined) results.set(call, [at])
    else of.push(at)
  })
  resultsOfTree.set(view.tree, results)
  return results
}

/** The closest possible entry above, then the first possible ones on the ways down. */
function nearest(view: SessionView, at: number): string[] {
  const { nodes } = view.tree
  const found: number[] = []
  let above = nodes[at]?.parent ?? -1
  for (let steps = 0; above !== -1 && steps < reach; steps++) {
    if (refusedAt(view, above) === null) {
      found.push(above)
      break
    }
    above = nodes[above]?.parent ?? -1
  }
  const children = childrenOfTree(view.tree)
  const waiting = [at]
  let looked = 0
  for (let next = 0; next < waiting.length && found.length <= laterNamed; next++) {
    let child = children.first[waiting[next] ?? -1] ?? -1
    for (; child !== -1 && looked < reach; child = children.next[child] ?? -1, looked++) {
      if (refusedAt(view, child) === null) found.push(child)
      else waiting.push(child)
    }
  }
  return found.slice(0, laterNamed + 1).map((index) => nodes[index]?.id ?? '')
}

const childrenByTree = new WeakMap<Assembled, Children>()

function childrenOfTree(tree: Assembled): Children {
  const known = childrenByTree.get(tree)
  if (known !== undefined) return known
  const children = childrenOf(Int32Array.from(tree.nodes, (node) => node.parent))
  childrenByTree.set(tree, children)
  return children
}
