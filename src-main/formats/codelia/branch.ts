import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { BranchPoint } from '#shared/contract/entry.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { BranchPlan, BranchRequest, ContextDraft, SessionView } from '../format.ts'
import { asObject, asString } from '../json.ts'
import { shellQuote } from '../shell-quote.ts'
import { type Run, unknownVersion } from './assemble.ts'
import { objectsIn } from './entry.ts'
import { type Held, historyAt } from './history.ts'
import { linksOf } from './links.ts'
import { messageDraft } from './message-draft.ts'
import { sessionsRoot } from './locate.ts'
import type { BaseMessage } from './messages.ts'
import type { Facts } from './schema.ts'
import { metaOf } from './session-rows.ts'
import { type SessionState, snapshotPath, snapshotText } from './snapshot.ts'

/** How far the nearest possible entries are looked for, and how many later ones are named. */
const reach = 400
const laterNamed = 3

/** Whether codelia could go on from an entry, or why not and where it could instead. */
export function codeliaBranchPoint(view: SessionView, at: number): BranchPoint {
  const version = unknownVersion(view.records)
  if (version !== null) return { kind: 'refused', reason: `No branch can be made: ${version}.`, nearest: [] }
  const reason = refusedAt(view, at)
  return reason === null ? { kind: 'allowed' } : { kind: 'refused', reason, nearest: nearest(view, at) }
}

const factsAt = (view: SessionView, at: number): Facts => (view.records.entries[at]?.facts ?? {}) as Facts
const kindAt = (view: SessionView, at: number) => view.records.entries[at]?.kind

/** Why an entry is no end for a branch, null where it is one. */
function refusedAt(view: SessionView, at: number): string | null {
  const { messages, invocationOf } = linksOf(view.tree)
  if (at >= messages) {
    const open = openCalls(view, messages, at)
    return open === null ? null : between(open)
  }
  let holdsPrompt = false
  for (let above = at; above >= 0; above--) {
    const kind = kindAt(view, above)
    if (kind === 'message' && factsAt(view, above).command !== true) holdsPrompt = true
    if (kind === 'compaction')
      return isLeftKnown(view, above) ? null : 'Nothing shows what the compaction before it left.'
    if (kind !== 'request') continue
    const response = invocationOf.get(above)?.response ?? null
    if (response === null || response > at) {
      return factsAt(view, above).empty === true && !holdsPrompt ? nothingSaid : null
    }
    const open = isOver(view, above, at) ? null : openCalls(view, response, at)
    return open === null ? null : between(open)
  }
  return holdsPrompt ? null : nothingSaid
}

const nothingSaid = 'Nothing was said before it, so the branch would be empty.'

const between = (names: string): string =>
  `It stands between a call of ${names} and its result, so the agent could not go on from here.`

/** The tools of the calls between two entries that have no result up to the second; null where all have. */
function openCalls(view: SessionView, from: number, to: number): string | null {
  const open = new Map<string, string>()
  for (let at = from; at <= to; at++) {
    const { calls = [], call } = factsAt(view, at)
    for (const [id, name] of calls) open.set(id, name || 'a tool')
    // An event repeats what an output says.
    if (call !== undefined && kindAt(view, at) !== 'event') open.delete(call)
  }
  return open.size === 0 ? null : [...new Set(open.values())].join(', ')
}

/** Whether the run of a request has ended at an entry: what it left open is taken out. */
function isOver(view: SessionView, request: number, at: number): boolean {
  const run = runAt(view, request)
  if (run === undefined || at >= run.to) return true
  for (let index = request; index <= at; index++) if (factsAt(view, index).type === 'run.end') return true
  return false
}

const runAt = (view: SessionView, at: number): Run | undefined =>
  (linksOf(view.tree).runs as readonly Run[]).find(({ from, to }) => at >= from && at < to)

function isLeftKnown(view: SessionView, compaction: number): boolean {
  const { entries } = view.records
  const isAnything = entries.slice(0, compaction).some(({ kind }) => kind === 'request')
  if (!isAnything) return false
  return (
    linksOf(view.tree).messages < entries.length || entries.slice(compaction).some(({ kind }) => kind === 'request')
  )
}

/** The closest possible entry before, then the first possible ones behind. */
function nearest(view: SessionView, at: number): string[] {
  const { nodes } = view.tree
  const found: number[] = []
  for (let above = at - 1; above >= 0 && at - above < reach; above--) {
    if (refusedAt(view, above) !== null) continue
    found.push(above)
    break
  }
  for (let below = at + 1; below < nodes.length && below - at < reach && found.length <= laterNamed; below++) {
    if (refusedAt(view, below) === null) found.push(below)
  }
  return found.map((index) => nodes[index]?.id ?? '')
}

/**
 * A new session as a snapshot, which codelia takes over when it opens it: the messages at an entry without those of the
 * system, calls and results in pairs (docs/formats/codelia.md, "Branching"). Refuses with `not-resumable` where
 * `branchPoint` does, with `stale` where the files no longer hold what was read.
 */
export async function planCodeliaBranch(view: SessionView, request: BranchRequest): Promise<BranchPlan> {
  const point = codeliaBranchPoint(view, request.at)
  const [main] = view.records.files
  const entry = view.tree.nodes[request.at]?.id ?? null
  if (point.kind === 'refused') {
    throw new Refusal('not-resumable', point.reason, { file: main.path, entry, nearest: point.nearest })
  }
  const history = await historyAt(view, request.at)
  if (history.unread.length > 0) {
    throw new Refusal('stale', 'The files were changed since they were read; open the session again.', {
      file: main.path,
      entry
    })
  }
  const messages = paired(durable(view, history.messages, history.request))
  const sessionId = randomUUID()
  const { run, seq } = placeOf(view, request.at)
  const cwd = view.tree.session.cwd
  const meta = {
    ...(await storedMeta(view)),
    ...(cwd === null ? {} : { codelia_workspace_root: cwd }),
    'x.forked_from': view.tree.session.id,
    ...(run === null ? {} : { 'x.forked_at_run': run }),
    ...(seq === null ? {} : { 'x.forked_at_seq': seq })
  }
  const state: SessionState = {
    schema_version: 1,
    session_id: sessionId,
    updated_at: request.now.toISOString(),
    ...(run === null ? {} : { run_id: run }),
    ...(seq === null ? {} : { invoke_seq: seq }),
    messages: messages as unknown as readonly BaseMessage[],
    meta
  }
  const text = textOf(state, main.path, entry)
  const own = snapshotPath(sessionsRoot(main.path), sessionId)
  const path = request.into === null ? own : join(request.into, basename(own))
  const resume = `codelia --resume ${shellQuote(sessionId)}`
  return {
    sessionId,
    files: [{ path, pieces: [{ kind: 'text', text }] }],
    ...(request.into === null ? { parent: dirname(own) } : {}),
    entries: messages.length,
    context: contextOf(messages),
    resume: cwd === null ? resume : `cd ${shellQuote(cwd)} && ${resume}`
  }
}

/** What a snapshot's messages are to the agent: nothing is recorded with them, and none is of the system. */
function contextOf(messages: readonly JsonObject[]): ContextDraft {
  const drafts = messages.map((message, index) =>
    messageDraft(message, { sources: [`m${index + 1}`], stopReason: null, recordedTokens: null })
  )
  const entry = drafts.at(-1)?.sources[0] ?? null
  return { entry, model: null, thinking: null, messages: drafts, omitted: [], faults: [] }
}

/** JSON of any depth can be read, but not written. */
function textOf(state: SessionState, file: string, entry: string | null): string {
  try {
    return snapshotText(state)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Refusal('not-resumable', 'Its messages are nested too deeply to be written.', { file, entry })
  }
}

/** What stays of a history: no message of the system, no prompt for a last answer and not the answer. */
function durable(view: SessionView, messages: readonly Held[], request: number | null): readonly JsonObject[] {
  const kept = messages.filter(({ message }) => message['role'] !== 'system')
  if (request === null || factsAt(view, request).last !== true) return kept.map(({ message }) => message)
  const prompt = kept.findLastIndex(({ message, from }) => message['role'] === 'user' && from[0] === request)
  return (prompt === -1 ? kept : kept.slice(0, prompt)).map(({ message }) => message)
}

/** Calls without a result are taken off their message and results without a call left out, as codelia does itself. */
function paired(messages: readonly JsonObject[]): readonly JsonObject[] {
  const made = new Set(messages.flatMap((message) => (message['role'] === 'assistant' ? idsOf(message) : [])))
  const answered = new Set(messages.flatMap((message) => (message['role'] === 'tool' ? resultOf(message) : [])))
  return messages.flatMap((message): JsonObject[] => {
    if (message['role'] === 'tool') return made.has(resultOf(message)) ? [message] : []
    const ids = message['role'] === 'assistant' ? idsOf(message) : []
    if (ids.every((id) => answered.has(id))) return [message]
    const { tool_calls: calls, ...rest } = message
    const kept = objectsIn(calls).filter((call) => answered.has(asString(call['id']) ?? ''))
    return [kept.length === 0 ? rest : { ...rest, tool_calls: kept }]
  })
}

const idsOf = (message: JsonObject): readonly string[] =>
  objectsIn(message['tool_calls']).map((call) => asString(call['id']) ?? '')

const resultOf = (message: JsonObject): string => asString(message['tool_call_id']) ?? ''

/** The run and the number of the invocation that an entry stands in; of a message those that the session was saved at. */
function placeOf(view: SessionView, at: number): { readonly run: string | null; readonly seq: number | null } {
  const position = view.tree.position?.(at)
  if (at < linksOf(view.tree).messages) {
    return { run: position?.run ?? null, seq: position?.invocation ?? null }
  }
  const last = linksOf(view.tree).runs.at(-1) as Run | undefined
  const seq = linksOf(view.tree).invocations.at(-1)?.seq ?? null
  return { run: last?.id ?? asString(view.records.beside?.['run_id']), seq }
}

/** What codelia keeps of the session beside its messages: in the database, or in the snapshot itself. */
async function storedMeta(view: SessionView): Promise<JsonObject> {
  const [main] = view.records.files
  if (main.role !== 'snapshot') return metaOf(view.records.beside) ?? {}
  await using bytes = await view.open(0)
  const buffer = Buffer.alloc(main.length)
  const length = await bytes.read(buffer, 0)
  try {
    return asObject(asObject(JSON.parse(buffer.toString('utf8', 0, length)) as Json)?.['meta']) ?? {}
  } catch {
    return {}
  }
}
