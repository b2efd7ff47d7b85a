import type { EntryRecord, SessionRecords } from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'
import { type Before, growing } from './growing.ts'
import { NameIndex } from './name-index.ts'
import type { Dialect, Facts } from './schema.ts'
import { buildTree, type Tree } from './tree.ts'
import { meterOf, totalUsage } from './usage.ts'

/** What follows from all entries of a session together. */
export interface Gathered {
  readonly tree: Tree
  readonly marks: Marks
  readonly calls: Calls
  readonly usage: Usage
}

/** What is looked for among all entries, by their indexes in file order. */
export interface Marks {
  readonly labels: readonly number[]
  readonly compactions: readonly number[]
  /** Entries that name the session. */
  readonly names: readonly number[]
  /** The person's first message with words in it. */
  readonly ask: number | null
  /** Those that answered, each once. */
  readonly models: readonly string[]
}

export interface Calls {
  /** The answer that made a call, by the call's id. */
  readonly callers: NameIndex
  /** Calls that have a result; handed on from state to state. */
  readonly answered: Set<string>
  /** Answers with a call that has no result anywhere in the file, with the first such call's name. */
  readonly openCalls: readonly (readonly [at: number, tool: string])[]
  readonly openResults: readonly number[]
}

/** Goes through the entries; through those alone that are new where a session has grown. */
export function gatherOmp(records: SessionRecords, version: number): Gathered {
  const { dialect, inheritedBefore } = meterOf(records)
  return gather(records.entries, version, dialect, inheritedBefore)
}

const gather = growing<Gathered, [version: number, dialect: Dialect, inheritedBefore: number | null]>(
  (entries, before, version, dialect, inheritedBefore) => {
    const part = <K extends keyof Gathered>(name: K): Before<Gathered[K]> | null =>
      before && { count: before.count, result: before.result[name] }
    return {
      tree: buildTree(entries, version, part('tree')),
      marks: findMarks(entries, part('marks')),
      calls: pairCalls(entries, part('calls')),
      usage: totalUsage(entries, { dialect, inheritedBefore }, part('usage'))
    }
  }
)

function findMarks(entries: readonly EntryRecord[], before: Before<Marks> | null): Marks {
  const labels = [...(before?.result.labels ?? [])]
  const compactions = [...(before?.result.compactions ?? [])]
  const names = [...(before?.result.names ?? [])]
  let ask = before?.result.ask ?? null
  const models = new Set(before?.result.models)
  for (let at = before?.count ?? 0; at < entries.length; at++) {
    const entry = entries[at]
    if (entry?.kind === 'label') labels.push(at)
    else if (entry?.kind === 'compaction') compactions.push(at)
    else if (entry?.kind === 'session-info') names.push(at)
    if (entry?.role === 'user' && entry.preview.trim() !== '') ask ??= at
    if (entry?.role === 'assistant' && entry.model !== null) models.add(entry.model)
  }
  return { labels, compactions, names, ask, models: [...models] }
}

/** What has its other half keeps it when entries come. */
function pairCalls(entries: readonly EntryRecord[], before: Before<Calls> | null): Calls {
  const from = before?.count ?? 0
  const made: [string, number][] = []
  const answered = before?.result.answered ?? new Set()
  const factsAt = (at: number): Facts => (entries[at]?.facts ?? {}) as Facts
  const added = Array.from({ length: entries.length - from }, (_, index) => from + index)
  for (const at of added) {
    const facts = factsAt(at)
    for (const [id] of facts.calls ?? []) made.push([id, at])
    if (facts.call !== undefined) answered.add(facts.call)
  }
  const callers = (before?.result.callers ?? new NameIndex(new Map(), 0)).grown(made, entries.length)
  const calling = [...(before?.result.openCalls ?? []).map(([at]) => at), ...added]
  const openCalls = calling.flatMap((at): (readonly [number, string])[] => {
    const open = factsAt(at).calls?.find(([id]) => !answered.has(id))
    return open === undefined ? [] : [[at, open[1]]]
  })
  const openResults = [...(before?.result.openResults ?? []), ...added].filter((at) => {
    const { call } = factsAt(at)
    return call !== undefined && !callers.has(call)
  })
  return { callers, answered, openCalls, openResults }
}
