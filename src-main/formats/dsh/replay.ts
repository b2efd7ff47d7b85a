import type { DetailBlock } from '#shared/contract/entry.ts'
import type { ReplayEvent } from '#shared/contract/replay.ts'
import type { EntryRecord } from '#shared/model/records.ts'
import type { SessionView } from '../format.ts'
import { isoTime } from './assemble.ts'
import { dshBlocks } from './blocks.ts'
import { factsOf } from './schema.ts'

/**
 * What was shown in the last turns, by the turns of the log: what was said where it was said, as what took its place later
 * was for the model alone.
 */
export async function dshReplay(
  view: SessionView,
  turns: number,
  signal?: AbortSignal
): Promise<readonly ReplayEvent[]> {
  const { entries } = view.records
  const starts = entries.flatMap((entry, at) => (factsOf(entry).type === 'turn/start' ? [at] : []))
  const first = starts.length <= turns ? 0 : (starts.at(-turns) ?? 0)
  const events: ReplayEvent[] = []
  let turn = 0
  for (let at = first; at < entries.length; at++) {
    signal?.throwIfAborted()
    const entry = entries[at]
    if (entry === undefined) continue
    const { type, turn: own = 0, reason } = factsOf(entry)
    if (type === 'turn/start') turn = own
    const place = { turn, time: isoTime(entry.time), entry: String(at) }
    if (type === 'turn/end' && reason !== 'completed') {
      events.push({ kind: 'error', text: `Turn ${turn} ended: ${reason ?? 'unknown'}`, tool: null, ...place })
    }
    if (!isShown(entry)) continue
    const { tool } = view.tree.row(at)
    const { blocks } = await dshBlocks(view, at)
    if (entry.kind === 'compaction') {
      events.push({ kind: 'compaction', text: blocks.map(textOf).join('\n'), tool: null, ...place })
      continue
    }
    for (const block of blocks) {
      // The stream that an answer holds says the same once more.
      if (block.type === 'other' && block.name?.startsWith('stream: ') === true) continue
      const isCall = block.type === 'tool-call' || block.type === 'tool-result'
      events.push({
        kind: kindOf(entry, block),
        text: textOf(block),
        tool: isCall ? (block.name ?? tool) : null,
        ...place
      })
    }
  }
  return events
}

function isShown(entry: EntryRecord): boolean {
  const { type, surface } = factsOf(entry)
  if (surface === undefined || type === 'system/message' || type === 'developer/message') return false
  return surface.kind === 'append' || entry.role !== 'tool'
}

function kindOf({ kind, role }: EntryRecord, { type }: DetailBlock): ReplayEvent['kind'] {
  if (type !== 'text' && type !== 'other') return type
  if (role === 'assistant') return 'text'
  return kind === 'message' ? 'user' : 'custom'
}

const textOf = ({ type, text, name, bytes }: DetailBlock): string =>
  type === 'image' ? `${name ?? 'image'}, ${bytes === null ? 'size unknown' : `${bytes} bytes`}` : text
