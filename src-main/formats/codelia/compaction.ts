import type { CompactionNote, SessionView } from '../format.ts'
import { markOf, textStart } from './entry.ts'
import { historyAt } from './history.ts'
import { linksOf } from './links.ts'

/**
 * A compaction's summary stands for what was said before it, but for the messages that an earlier compaction wrote
 * (docs/formats/codelia.md, "Compactions"). A run that was begun by a command says so; sizes are not recorded.
 */
export async function codeliaCompaction(view: SessionView, at: number, signal?: AbortSignal): Promise<CompactionNote> {
  const { entries } = view.records
  const { messages } = await historyAt(view, at, signal)
  const found = messages.findLast(
    ({ message }) => message['role'] === 'user' && markOf(message['content'] ?? null) === 'summary'
  )
  const { from = 0 } = linksOf(view.tree).runs.find((run) => at >= run.from && at < run.to) ?? {}
  const prompt = entries.slice(from, at).find(({ kind, role }) => kind === 'message' && role === 'user')
  const isCommand = prompt?.preview.startsWith('/compact') === true
  const covered = new Set<number>()
  for (let index = 0; index < at; index++) if (entries[index]?.kind !== 'compaction') covered.add(index)
  return {
    trigger: isCommand ? (prompt.preview.split(/\s/, 1)[0] ?? null) : null,
    summary: found === undefined ? null : textStart(found.message['content'] ?? null, Infinity),
    recordedBefore: null,
    recordedAfter: null,
    covered
  }
}
