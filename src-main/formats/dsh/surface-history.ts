import type { EntryRecord } from '#shared/model/records.ts'
import { factsOf } from './schema.ts'
import { Surface } from './surface.ts'

/** An event of the surface, and what took its place; both by index. */
export interface HistoryNode {
  readonly at: number
  /** Index of the event that replaced it; infinite for one that still stands. */
  readonly until: number
}

/** Every event that was ever part of the surface, in the surface's order, so that the surface at any event can be had of it. */
export interface SurfaceHistory {
  readonly nodes: readonly HistoryNode[]
  /** What each replacement took the place of, in the surface's order. */
  readonly replaced: ReadonlyMap<number, readonly number[]>
  /** What took the place of an event. */
  readonly replacing: ReadonlyMap<number, number>
  /** Where the surface ends, as an event breaks its rules: nothing behind it takes part. */
  readonly broken: { readonly at: number; readonly why: string } | null
}

/** Folds the surface out of the records (docs/formats/dsh.md, "Surface"); linear, as each node is replaced at most once. */
export function surfaceHistory(entries: readonly EntryRecord[]): SurfaceHistory {
  const surface = new Surface()
  /** What follows each node in the surface's order, replaced ones too. */
  const next = new Map<number, number>()
  const replaced = new Map<number, readonly number[]>()
  const replacing = new Map<number, number>()
  let broken: SurfaceHistory['broken'] = null
  let last = -1
  for (const [at, entry] of entries.entries()) {
    const step = factsOf(entry).surface
    if (step === undefined) continue
    const shadowed = step.kind === 'invalid' ? step : surface.shadowedBy(step)
    const why = 'why' in shadowed ? shadowed.why : wrongRewrite(entries, entry, shadowed)
    if (why !== null || 'why' in shadowed) {
      broken = { at, why: why ?? '' }
      break
    }
    surface.commit(at, shadowed)
    const before = shadowed.at(-1) ?? last
    const behind = next.get(before)
    next.set(before, at)
    if (behind !== undefined) next.set(at, behind)
    if (before === last) last = at
    for (const gone of shadowed) replacing.set(gone, at)
    if (shadowed.length > 0) replaced.set(at, shadowed)
  }
  const nodes: HistoryNode[] = []
  for (let at = next.get(-1); at !== undefined; at = next.get(at)) {
    nodes.push({ at, until: replacing.get(at) ?? Infinity })
  }
  return { nodes, replaced, replacing, broken }
}

/** A tool's result may take the place of one result only, and have another content than it. */
function wrongRewrite(entries: readonly EntryRecord[], entry: EntryRecord, shadowed: readonly number[]): string | null {
  const { type, rest, surface } = factsOf(entry)
  if (type !== 'tool/result' || surface?.kind !== 'replace') return null
  const [only, ...more] = shadowed
  const original = only === undefined ? undefined : entries[only]
  const facts = original === undefined || more.length > 0 ? undefined : factsOf(original)
  if (facts?.type !== 'tool/result') return 'a tool/result replaces exactly one tool/result'
  return facts.rest === rest && rest !== ''
    ? null
    : 'a tool/result changes nothing but the content of the one that it replaces'
}

/** Indexes of the events that make up the surface once an event was written, in its order. */
export function surfaceAt({ nodes, broken }: SurfaceHistory, end: number): readonly number[] {
  const limit = broken === null ? end : Math.min(end, broken.at - 1)
  return nodes.flatMap(({ at, until }) => (at <= limit && until > limit ? [at] : []))
}
