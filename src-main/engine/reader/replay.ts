import { imageText } from '#main/export/block-words.ts'
import { entryContents, type EntryContent, startsTurn } from '#main/export/readable.ts'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { ReplayEvent } from '#shared/contract/replay.ts'
import type { EntryRow } from '#shared/model/entry.ts'
import type { ReadSession } from './read-session.ts'
import { entryRow } from '../session-views.ts'

/** What the agent showed in the last turns, in order: by its own log, else on the default path. */
export async function replay(session: ReadSession, turns: number, signal: AbortSignal): Promise<ReplayEvent[]> {
  const logged = await session.format.replay?.(session, turns, signal)
  return logged === undefined ? replayPath(session, turns, signal) : [...logged]
}

async function replayPath(session: ReadSession, turns: number, signal: AbortSignal): Promise<ReplayEvent[]> {
  const { id } = session.tree.defaultLeaf
  const path = id === null ? [] : session.path(session.at(id))
  const starts = path.flatMap((at, position) => {
    const record = session.records.entries[at]
    return record !== undefined && startsTurn(record) ? [position] : []
  })
  const skipped = Math.max(0, starts.length - turns)
  const at = starts.length < turns ? path : path.slice(starts[skipped])
  const source = { view: session, format: session.format, at, row: (index: number) => entryRow(session, index) }
  const events: ReplayEvent[] = []
  let turn = skipped
  for await (const content of entryContents(source, signal)) {
    if (startsTurn(content.row)) turn++
    events.push(...eventsOf(content, turn))
  }
  return events
}

const shown: ReadonlySet<EntryRow['kind']> = new Set(['message', 'compaction', 'branch-summary', 'custom'])

function eventsOf({ row, blocks, facts }: EntryContent, turn: number): ReplayEvent[] {
  if (!shown.has(row.kind)) return []
  const place = { turn, time: row.time, entry: row.id }
  const events = blocks.map((block) => ({
    kind: kindOf(row, block),
    text: block.type === 'image' ? imageText(block.name ?? '', block.bytes) : block.text,
    tool: block.type === 'tool-call' || block.type === 'tool-result' ? (block.name ?? row.tool) : null,
    ...place
  }))
  const error = row.role === 'assistant' ? facts.find(([name]) => name === 'Error') : undefined
  return error === undefined ? events : [...events, { kind: 'error', text: error[1], tool: null, ...place }]
}

function kindOf({ kind, role }: EntryRow, { type }: DetailBlock): ReplayEvent['kind'] {
  if (kind === 'compaction' || kind === 'branch-summary') return kind
  if (type !== 'text' && type !== 'other') return type
  if (kind === 'message' && role === 'user') return 'user'
  return kind === 'message' && role === 'assistant' ? 'text' : 'custom'
}
