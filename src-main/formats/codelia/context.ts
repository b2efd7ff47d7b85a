import type { ContextDraft, MessageDraft, SessionView } from '../format.ts'
import { type Held, type History, historyAt } from './history.ts'
import { linksOf } from './links.ts'
import { messageDraft } from './message-draft.ts'
import { type Facts, stateFromJson } from './schema.ts'

/** What the model saw at an entry; `at` null: at the default entry (docs/formats/codelia.md, "Context"). */
export async function codeliaContext(
  view: SessionView,
  at: number | null,
  signal?: AbortSignal
): Promise<ContextDraft> {
  const { nodes, defaultEntry } = view.tree
  const end = at ?? nodes.findIndex(({ id }) => id === defaultEntry)
  if (end < 0) return { entry: null, model: null, thinking: null, messages: [], omitted: [], faults: [] }
  const history = await historyAt(view, end, signal)
  return {
    entry: idOf(view, end),
    ...settings(view, end, history.request),
    messages: history.messages.map((held) => draftOf(view, held)),
    omitted: omitted(view, end, history),
    faults: faultsOf(view, end, history)
  }
}

const idOf = (view: SessionView, at: number): string => view.tree.nodes[at]?.id ?? ''
const factsAt = (view: SessionView, at: number): Facts => (view.records.entries[at]?.facts ?? {}) as Facts

function draftOf(view: SessionView, { message, from }: Held): MessageDraft {
  const [origin = -1] = from
  const record = view.records.entries[origin]
  const isAnswer = record?.kind === 'response' && message['role'] === 'assistant'
  // The figure is that of the whole answer.
  const isAlone = isAnswer && factsAt(view, origin).prints?.length === 1
  const tokens = isAlone ? (record.usage?.output ?? 0) : 0
  return messageDraft(message, {
    sources: from.map((index) => idOf(view, index)),
    stopReason: isAnswer ? (factsAt(view, origin).stop ?? null) : null,
    recordedTokens: tokens > 0 ? tokens : null
  })
}

function settings(view: SessionView, end: number, before: number | null): Pick<ContextDraft, 'model' | 'thinking'> {
  const { runs, messages, invocations } = linksOf(view.tree)
  const request = end >= messages ? (invocations.findLast((one) => one.request !== null)?.request ?? null) : before
  const run = runs.find(({ from, to }) => end >= from && end < to) ?? runs.at(-1)
  const setup = run === undefined ? undefined : stateFromJson(view.records.files[run.file]?.state ?? {}).header?.setup
  const asked = request === null ? null : (view.records.entries[request]?.model ?? null)
  const provider = request === null ? undefined : factsAt(view, request).provider
  const own = asked ?? setup?.model ?? null
  return {
    model: own === null ? null : modelOf(own, asked === null ? undefined : provider),
    thinking: (request === null ? undefined : factsAt(view, request).reasoning) ?? setup?.reasoning ?? null
  }
}

function modelOf(own: string, provider: string | undefined): { provider: string; name: string } {
  if (provider !== undefined) return { provider, name: own.slice(provider.length + 1) }
  const slash = own.indexOf('/')
  return slash === -1 ? { provider: '', name: own } : { provider: own.slice(0, slash), name: own.slice(slash + 1) }
}

/** What was said up to an entry and is not in its context. */
function omitted(view: SessionView, end: number, { messages }: History): ContextDraft['omitted'] {
  const links = linksOf(view.tree)
  if (end >= links.messages) return []
  const held = new Set(messages.flatMap(({ from }) => from))
  const { entries } = view.records
  const compaction = entries.findLastIndex(({ kind }, at) => at <= end && kind === 'compaction')
  return entries.slice(0, end + 1).flatMap((entry, at) => {
    const speaks = entry.kind === 'message' || entry.kind === 'response' || entry.kind === 'tool-result'
    if (!speaks || held.has(at)) return []
    return [{ entry: idOf(view, at), reason: reasonOf(view, at, compaction) }]
  })
}

function reasonOf(view: SessionView, at: number, compaction: number): string {
  if (factsAt(view, at).command === true) return 'a command of the agent’s own is not sent'
  return at < compaction ? 'the compaction took it out' : 'the request does not hold it'
}

function faultsOf(view: SessionView, end: number, { unread, isUnknown }: History): ContextDraft['faults'] {
  const place = (at: number) => {
    const record = view.records.entries[at]
    return {
      file: record?.file ?? 0,
      line: record?.line ?? null,
      offset: record?.bytes[0] ?? null,
      length: record?.bytes[1] ?? null,
      entry: idOf(view, at)
    }
  }
  const gone = 'The bytes of this entry no longer hold it: the file was changed since it was read.'
  const unknown = 'No request and no messages behind this compaction show what it left.'
  return [
    ...unread.map((at) => ({ kind: 'unreadable' as const, ...place(at), message: gone })),
    ...(isUnknown ? [{ kind: 'request-response-mismatch' as const, ...place(end), message: unknown }] : [])
  ]
}
