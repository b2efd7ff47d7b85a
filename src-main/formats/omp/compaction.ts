import type { CompactionNote, SessionView } from '../format.ts'
import { asString } from '../json.ts'
import { keptFrom } from './context.ts'
import { dialectOf } from './dialect.ts'
import type { Facts } from './schema.ts'
import { pathTo } from './tree.ts'

/**
 * A compaction's summary stands for the path up to the first entry that is kept, and takes in the summaries before it
 * (docs/formats/omp.md, "Compactions"). Neither agent records who asked for it, save an extension of its own.
 */
export async function ompCompaction(view: SessionView, at: number, signal?: AbortSignal): Promise<CompactionNote> {
  const { records, tree, content } = view
  const facts = (records.entries[at]?.facts ?? {}) as Facts
  const path = pathTo(tree.nodes, at)
  const first = keptFrom(view, path, path.length - 1, facts, dialectOf(records))
  const covered = path.filter((index, position) => position < first || records.entries[index]?.kind === 'compaction')
  let summary: string | null = null
  let byExtension = false
  for await (const object of content.objects([at], signal)) {
    summary = asString(object?.['summary'])
    byExtension = object?.['fromHook'] === true || object?.['fromExtension'] === true
  }
  return {
    trigger: byExtension ? 'extension' : null,
    summary,
    recordedBefore: facts.before ?? null,
    recordedAfter: facts.after ?? null,
    covered: new Set(covered)
  }
}
