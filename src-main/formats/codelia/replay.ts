import type { DetailBlock } from '#shared/contract/entry.ts'
import type { ReplayEvent } from '#shared/contract/replay.ts'
import type { SessionView } from '../format.ts'
import type { Run } from './assemble.ts'
import { codeliaBlocks } from './blocks.ts'
import { linksOf } from './links.ts'
import type { Facts } from './schema.ts'

/**
 * What the agent showed in the last runs: the prompt, then its events in their own order, whatever the order of the
 * lines; undefined for a session without runs (docs/formats/codelia.md, "Playback").
 */
export async function codeliaReplay(
  view: SessionView,
  turns: number,
  signal?: AbortSignal
): Promise<readonly ReplayEvent[] | undefined> {
  const runs = (linksOf(view.tree).runs as readonly Run[]).map((run, index) => ({ run, turn: index + 1 }))
  if (runs.length === 0) return undefined
  const events: ReplayEvent[] = []
  for (const { run, turn } of runs.filter((one) => one.run.copy === 1).slice(-turns)) {
    for (const at of shownIn(view, run)) {
      signal?.throwIfAborted()
      events.push(...(await eventsOf(view, at, turn)))
    }
  }
  return events
}

const factsAt = (view: SessionView, at: number): Facts => (view.records.entries[at]?.facts ?? {}) as Facts

const isEvent = (view: SessionView, at: number): boolean => factsAt(view, at).type?.startsWith('agent.event') === true

/** Indexes of what was shown, the events by their place in the run. */
function shownIn(view: SessionView, { from, to }: Run): readonly number[] {
  const all = Array.from({ length: to - from }, (_, index) => from + index)
  const shown = all.filter(
    (at) => isEvent(view, at) || ['run.start', 'run.error'].includes(factsAt(view, at).type ?? '')
  )
  const events = shown.filter((at) => isEvent(view, at))
  const sorted = events.toSorted((one, other) => (factsAt(view, one).event ?? 0) - (factsAt(view, other).event ?? 0))
  let next = 0
  return shown.map((at) => (isEvent(view, at) ? (sorted[next++] ?? at) : at))
}

const unseen = new Set(['agent.event:step_start', 'agent.event:step_complete', 'agent.event:compaction_start'])

async function eventsOf(view: SessionView, at: number, turn: number): Promise<readonly ReplayEvent[]> {
  const record = view.records.entries[at]
  const { type = '' } = factsAt(view, at)
  if (record === undefined || unseen.has(type)) return []
  const time = record.time === null ? null : new Date(record.time).toISOString()
  const place = { turn, time, entry: view.tree.nodes[at]?.id ?? '' }
  const row = view.tree.row(at)
  if (record.kind === 'compaction') return [{ kind: 'compaction', text: row.summary, tool: null, ...place }]
  if (!told.has(type)) return [{ kind: 'custom', text: row.summary, tool: row.tool, ...place }]
  const { blocks } = await codeliaBlocks(view, at)
  return blocks.map((block) => ({
    kind: kindOf(type, block),
    text: block.type === 'image' ? `Image, ${block.name ?? 'of unknown type'}, ${block.bytes ?? 0} bytes` : block.text,
    tool: block.type === 'tool-call' || block.type === 'tool-result' ? row.tool : null,
    ...place
  }))
}

/** What is told by its blocks; the rest by what its row says. */
const told = new Map<string, ReplayEvent['kind']>([
  ['run.start', 'user'],
  ['run.error', 'error'],
  ['agent.event:text', 'text'],
  ['agent.event:final', 'text'],
  ['agent.event:reasoning', 'thinking'],
  ['agent.event:tool_call', 'tool-call'],
  ['agent.event:tool_result', 'tool-result'],
  ['agent.event:hidden_user_message', 'custom']
])

const kindOf = (type: string, block: DetailBlock): ReplayEvent['kind'] =>
  block.type === 'image' ? 'image' : (told.get(type) ?? 'custom')
