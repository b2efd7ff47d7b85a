import type { ReplayEvent } from '#shared/contract/replay.ts'
import type { EntryRecord } from '#shared/model/records.ts'
import type { SessionView } from '../format.ts'
import { replayTurns } from './recent-turns.ts'

/** What was shown in the last turns, read from the end of the event log (docs/formats/shell-agent.md, "Replay"). */
export async function shellAgentReplay(
  { records, tree, open }: SessionView,
  turns: number,
  signal?: AbortSignal
): Promise<readonly ReplayEvent[] | undefined> {
  const file = records.files.findIndex(({ role }) => role === 'events')
  const source = records.files[file]
  if (source === undefined) return undefined
  await using events = await open(file)
  const messages = await replayTurns(events, source.length, turns, signal)

  const indexes = [...records.entries.keys()].filter((at) => records.entries[at]?.file === file)
  let next = 0
  let turn = 0
  return messages.map(({ kind, text, tool, offset }) => {
    for (; next < indexes.length; next++) {
      const entry = records.entries[indexes[next] ?? -1]
      if (entry === undefined || entry.bytes[0] > offset) break
      if (isPrompt(entry)) turn++
    }
    const at = indexes[next - 1] ?? -1
    const time = records.entries[at]?.time ?? null
    const entry = tree.nodes[at]?.id ?? ''
    return { kind, turn, text, tool, time: time === null ? null : new Date(time).toISOString(), entry }
  })
}

const isPrompt = ({ kind, role }: EntryRecord): boolean => kind === 'message' && role === 'user'
