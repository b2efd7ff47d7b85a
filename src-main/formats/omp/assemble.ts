import { basename } from 'node:path'
import type { FaultKind } from '#shared/model/fault.ts'
import type { EntryRecord, FaultDraft, SessionRecords } from '#shared/model/records.ts'
import type { Assembled } from '../format.ts'
import { oneLine } from '../cut.ts'
import { type Calls, gatherOmp, type Marks } from './gather.ts'
import { dialectOf, stateOf, versionOf } from './dialect.ts'
import { keepLinks, type Links } from './links.ts'
import { rowText } from './row-text.ts'
import type { Facts, State } from './schema.ts'
import { ancestry, type Tree } from './tree.ts'

const titleLength = 120

/** Puts a session together from its records: linear in their number, never recursive; quick where it has only grown. */
export function assembleOmp(records: SessionRecords): Assembled {
  const entries = records.entries
  const state = stateOf(records)
  const dialect = dialectOf(records)
  const version = versionOf(records)
  const { tree, marks, calls, usage } = gatherOmp(records, version)
  const labels = foldLabels(entries, marks, tree)
  const { leaves } = tree
  const nodes = tree.nodes.slice()
  for (const [at, label] of labels) {
    const node = nodes[at]
    if (node !== undefined) nodes[at] = { ...node, label }
  }
  const keptOf = resolveKept(entries, marks, tree, version)
  const isAncestor =
    marks.compactions.length > 0 ? ancestry(Int32Array.from(nodes, ({ parent }) => parent)) : () => false
  const kept = new Map<number, number>()
  const notKept: number[] = []
  for (const [at, first] of keptOf) {
    if (first !== -1 && first !== at && isAncestor(first, at)) kept.set(at, first)
    else notKept.push(at)
  }
  const links: Links = { byStoredId: tree.byStoredId, kept, callers: calls.callers }
  const last = entries.length - 1
  const assembled: Assembled = {
    agent: dialect,
    session: {
      id: state.header?.id ?? idFromName(records.files[0].path),
      agent: dialect,
      title: titleOf(entries, marks, state),
      cwd: state.header?.cwd ?? null,
      createdAt: isoTime(state.header === null ? (entries[0]?.time ?? null) : state.header.time),
      updatedAt: isoTime(lastTime(entries) ?? records.files[0].modified),
      compactions: marks.compactions.length,
      models: [...marks.models],
      usage,
      ...lineageOf(state)
    },
    nodes,
    leaves,
    defaultLeaf:
      last === -1
        ? { id: null, reason: 'empty' }
        : {
            id: nodes[last]?.id ?? null,
            reason: leaves.length === 1 && leaves[0] === last ? 'only-leaf' : 'last-entry'
          },
    faults: treeFaults(entries, tree, state, { notKept, keptOf, ...calls }),
    preamble: state.preamble,
    row: (at) => rowText(entries, nodes, links, at)
  }
  keepLinks(assembled, links)
  return assembled
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

function lastTime(entries: readonly EntryRecord[]): number | null {
  return entries.findLast((entry) => entry.time !== null)?.time ?? null
}

/** `<time>_<id>.jsonl` names the session; any other name stands for itself. */
function idFromName(path: string): string {
  const name = basename(path).replace(/\.jsonl$/, '')
  return /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)$/.exec(name)?.[1] ?? name
}

function titleOf(entries: readonly EntryRecord[], marks: Marks, state: State): string | null {
  if (state.slot !== null && state.slot.title !== '') return oneLine(state.slot.title, titleLength)
  const named = entries[marks.names.at(-1) ?? -1]
  const title = (named === undefined ? state.header?.title : (named.facts as Facts).name) ?? ''
  if (title !== '') return oneLine(title, titleLength)
  const own = entries[marks.ask ?? -1]?.preview.trim()
  return own === undefined ? null : oneLine(own.split('\n', 1)[0] ?? '', titleLength)
}

function lineageOf(state: State): Pick<Assembled['session'], 'parent' | 'origin'> {
  if (state.enclosing !== null) return { parent: { id: null, file: state.enclosing }, origin: 'subagent' }
  if (state.lineage === null) return { parent: null, origin: 'user' }
  return { parent: { id: state.lineage.id, file: state.lineage.file }, origin: 'fork' }
}

/** The label of each entry: the last one in file order, whatever the branch; an empty one clears. */
function foldLabels(entries: readonly EntryRecord[], marks: Marks, tree: Tree): ReadonlyMap<number, string> {
  const labels = new Map<number, string>()
  for (const at of marks.labels) {
    const facts = (entries[at]?.facts ?? {}) as Facts
    const target = tree.byStoredId.get(facts.target ?? '')
    if (target === undefined) continue
    if (facts.name === undefined || facts.name === '') labels.delete(target)
    else labels.set(target, facts.name)
  }
  return labels
}

/** What each compaction names as its first kept entry, -1 where that is no entry of the file. */
function resolveKept(
  entries: readonly EntryRecord[],
  marks: Marks,
  tree: Tree,
  version: number
): ReadonlyMap<number, number> {
  const named = new Map<number, number>()
  let byValue: Map<number, number> | undefined
  for (const at of marks.compactions) {
    const { kept, keptIndex } = (entries[at]?.facts ?? {}) as Facts
    if (version === 1 && keptIndex !== undefined) {
      byValue ??= new Map(entries.map((other, index) => [(other.facts as Facts).value ?? index + 1, index]))
      named.set(at, byValue.get(keptIndex) ?? -1)
    } else named.set(at, tree.byStoredId.get(kept ?? '') ?? -1)
  }
  return named
}

interface Findings extends Calls {
  readonly notKept: readonly number[]
  readonly keptOf: ReadonlyMap<number, number>
}

function treeFaults(
  entries: readonly EntryRecord[],
  tree: Tree,
  state: State,
  findings: Findings
): readonly FaultDraft[] {
  const faults: FaultDraft[] = []
  const report = (kind: FaultKind, at: number, message: string): void => {
    const entry = entries[at]
    if (entry === undefined) return
    faults.push({
      kind,
      line: entry.line,
      offset: entry.bytes[0],
      length: entry.bytes[1],
      entry: tree.nodes[at]?.id ?? null,
      message
    })
  }
  if (state.header === null) {
    faults.push({
      kind: 'missing-header',
      line: state.ended?.line ?? null,
      offset: state.ended?.offset ?? null,
      length: null,
      entry: null,
      message: 'The file has no session header. Its entries are shown; the agents load nothing of it.'
    })
  }
  if (state.lineage?.found === false) {
    faults.push({
      kind: 'missing-parent-session',
      line: null,
      offset: null,
      length: null,
      entry: null,
      message: `The session that this one was forked from was not found: ${oneLine(state.lineage.file ?? state.lineage.id ?? '', 200)}`
    })
  }
  for (const at of tree.duplicates) {
    report(
      'duplicate-id',
      at,
      `The id ${oneLine(entries[at]?.storedId ?? '', 60)} occurs again further down; the later entry keeps it.`
    )
  }
  for (const at of tree.orphans) {
    report(
      'orphan-parent',
      at,
      `The parent ${oneLine(entries[at]?.storedParent ?? '', 60)} is not in the file; the entry is shown as a root.`
    )
  }
  for (const at of tree.cycles) {
    report(
      'cycle',
      at,
      'Following parents from this entry leads back to it; the cycle is cut here and the entry shown as a root.'
    )
  }
  for (const [at, tool] of findings.openCalls)
    report('unpaired-tool-call', at, `A call of ${tool || 'a tool'} has no result recorded.`)
  for (const at of findings.openResults)
    report('unpaired-tool-result', at, 'No answer in the file made the call that this result belongs to.')
  for (const at of findings.notKept) {
    const named = findings.keptOf.get(at) ?? -1
    const why = named === -1 ? 'is no entry of this file' : 'does not stand before it on its path'
    report('kept-entry-not-ancestor', at, `The first entry that this compaction keeps ${why}, so nothing is kept.`)
  }
  const last = entries.length - 1
  if (last > 0 && entries[last]?.kind !== 'message' && tree.nodes[last]?.parent !== last - 1) {
    report(
      'stale-leaf',
      last,
      'The last entry is no message and hangs on another branch than the entry before it: the agents go on from here.'
    )
  }
  return faults
}
