import { dirname, join } from 'node:path'
import { Refusal } from '#shared/contract/refusal.ts'
import type { BranchPoint } from '#shared/contract/entry.ts'
import type { BranchPlan, BranchRequest, PlannedFile, SessionView } from '../format.ts'
import { shellQuote } from '../shell-quote.ts'
import { type Logs, logsOf } from './logs.ts'
import { conversationName, draftName, eventsName, planName, statsName, summaryName } from './schema.ts'
import { factsOf } from './timeline.ts'
import { fileNamed } from './totals.ts'
import { eventLine, newSessionId } from './write.ts'

const laterNamed = 3

/** A turn's end: the answer that calls nothing more, or a prompt whose call gave none (docs/formats/shell-agent.md, "Branching"). */
export function shellAgentBranchPoint(view: SessionView, at: number): BranchPoint {
  const logs = logsOf(view.records)
  const reason = refusedAt(logs, at)
  return reason === null ? { kind: 'allowed' } : { kind: 'refused', reason, nearest: nearest(view, logs, at) }
}

function refusedAt(logs: Logs, at: number): string | null {
  const { entries, lines } = logs
  if (at >= lines) return 'An event is not what the model is sent: branch from a line of the conversation.'
  const entry = entries[at]
  if (entry?.kind === 'tool-result') return 'The model has not answered to these results yet, so the turn is not over.'
  if ((factsOf(entry).calls ?? []).length > 0)
    return 'It stands between a call and its result, so the agent could not go on from here.'
  if (entry?.kind !== 'message') return 'The agent does not know this line, so it could not go on from here.'
  const next = entries.slice(at + 1, lines).find(({ kind }) => kind !== 'unknown')
  const isTurnEnd = next === undefined || (next.kind === 'message' && next.role === 'user')
  return isTurnEnd ? null : 'The turn goes on behind this line: branch at its end.'
}

/** The nearest turn's end above, then the first ones below; of an event, of the line that it tells of. */
function nearest(view: SessionView, logs: Logs, at: number): string[] {
  const { lines, alignment } = logs
  const from = at < lines ? at : (alignment.lineOf.get(at) ?? alignment.behind.findLastIndex((event) => event <= at))
  const allowed = (line: number): boolean => refusedAt(logs, line) === null
  const found: number[] = []
  for (let line = Math.min(from, lines - 1); line >= 0 && found.length === 0; line--)
    if (allowed(line)) found.push(line)
  for (let line = Math.max(0, from + 1); line < lines && found.length <= laterNamed; line++)
    if (allowed(line)) found.push(line)
  return found.map((line) => view.tree.nodes[line]?.id ?? '')
}

/**
 * A new directory as the agent's own fork makes it: the conversation up to a turn's end, plan and summary copied, an
 * event log of its own that names its source, an empty draft and counters. Refused as `not-resumable`.
 */
export async function planShellAgentBranch(view: SessionView, { at, now, into }: BranchRequest): Promise<BranchPlan> {
  const { records, tree } = view
  const source = records.files[0].path
  const point = shellAgentBranchPoint(view, at)
  const entry = tree.nodes[at]?.id ?? null
  if (point.kind === 'refused') {
    throw new Refusal('not-resumable', point.reason, { file: source, entry, nearest: point.nearest })
  }
  const sessionId = newSessionId(now)
  const directory = join(into ?? dirname(dirname(source)), sessionId)
  const [offset = 0, length = 0] = records.entries[at]?.bytes ?? []
  const start = eventLine({ type: 'session_start', session_id: sessionId })
  const fork = eventLine({ type: 'session_fork', session_id: sessionId, source_session_id: tree.session.id })
  const file = (name: string, pieces: PlannedFile['pieces']): PlannedFile => ({ path: join(directory, name), pieces })
  const copied = (name: string): PlannedFile => {
    const position = fileNamed(records, name)
    const size = records.files[position]?.length ?? 0
    return file(name, size === 0 ? [] : [{ kind: 'copy', file: position, range: [0, size] }])
  }
  return {
    sessionId,
    files: [
      file(conversationName, [
        { kind: 'copy', file: 0, range: [0, offset + length] },
        { kind: 'text', text: '\n' }
      ]),
      file(eventsName, [{ kind: 'text', text: start + fork }]),
      copied(summaryName),
      copied(planName),
      file(draftName, []),
      file(statsName, [])
    ],
    directory,
    entries: at + 1,
    resume: `bash-agent --session ${shellQuote(sessionId)}`
  }
}
