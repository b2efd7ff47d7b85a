import type { CompactionNote, SessionView } from '../format.ts'
import { documentText } from './document-text.ts'
import { logsOf } from './logs.ts'
import { summaryName } from './schema.ts'
import { factsOf } from './timeline.ts'

const reach = 4

/**
 * What a compaction's events say of it. Only the last one's summary is stored, and only of it can be known what it kept:
 * the turns that the conversation still has (docs/formats/shell-agent.md, "Compactions").
 */
export async function shellAgentCompaction(view: SessionView, at: number): Promise<CompactionNote> {
  const { entries, timeline, lines, alignment } = logsOf(view.records)
  const isLast = timeline.compactions.at(-1) === at
  const pair = [at, ...Array.from({ length: reach }, (_, index) => at + index + 1)].find(
    (index) =>
      factsOf(entries[index]).type === 'context_update' && (index === at || factsOf(entries[index]).ofCompaction)
  )
  const trigger = pair === undefined ? '' : (factsOf(entries[pair]).trigger ?? '')
  const summary = isLast ? await documentText(view, summaryName) : ''
  const covered = new Set<number>()
  if (isLast) for (let index = lines; index < at; index++) if (!alignment.lineOf.has(index)) covered.add(index)
  return {
    trigger: trigger === '' ? null : trigger,
    summary: summary === '' ? null : summary,
    recordedBefore: null,
    recordedAfter: null,
    covered: isLast ? covered : null
  }
}
