import type { EntryRecord, JsonObject } from '#shared/model/records.ts'
import { readEvent, stateBehind } from './event.ts'
import { factsOf, type State, unverified } from './schema.ts'

const unknownOutcome =
  'The tool call was interrupted after it was recorded, but no result was durably recorded. Its outcome is unknown. Decide whether to retry from the tool semantics: retry only if the operation is read-only or idempotent; if it may have side effects, first verify external state or ask the user. Do not retry blindly.'
const notStarted =
  'The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.'

/** What dsh would write to close a turn that was left open, before it goes on (docs/formats/dsh.md, "Closers"). */
export function closersOf(entries: readonly EntryRecord[], behind: State, end: number): readonly EntryRecord[] {
  const last = entries.at(-1)
  if (behind.turn === null || last === undefined) return []
  const { turn, step } = behind
  const time = last.time ?? 0
  const events: JsonObject[] = []
  const add = (type: string, data: JsonObject, more: JsonObject = {}): void => {
    events.push({ type, seq: behind.next + events.length, time, data, ...more })
  }
  for (const { callId, inStep, started } of openCalls(entries)) {
    const source = { kind: 'tool', callId }
    const id = `interrupted-tool-result-${callId}-${behind.next + events.length}`
    const content = [{ type: 'text', text: started === null ? notStarted : unknownOutcome }]
    const version = behind.header?.version ?? 0
    const message =
      version < unverified
        ? { id, role: 'user', source, content: [{ type: 'tool-result', toolCallId: callId, isError: true, content }] }
        : { id, role: 'tool', source, toolCallId: callId, content, isError: true }
    const error =
      started === null
        ? { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' }
        : { name: 'ToolOutcomeUnknownError', code: 'TOOL_OUTCOME_UNKNOWN' }
    const sources = started === null ? {} : { sourceEventSeqs: [started] }
    add('tool/result', { turn, step: inStep, message, error }, { surfaceOp: 'append', ...sources })
  }
  if (step !== null) add('step/end', { turn, step })
  add('turn/end', { turn, reason: { kind: 'interrupted' } })
  let state = behind
  return events.map((event) => {
    const content = readEvent(event, state, false)
    const { facts, ...said } = content
    const record: EntryRecord = {
      file: 0,
      line: 0,
      part: 1,
      bytes: [end, 0],
      synthetic: event,
      storedId: `${state.next}`,
      storedParent: undefined,
      ...said,
      facts: facts as unknown as JsonObject
    }
    state = stateBehind(state, content)
    return record
  })
}

interface OpenCall {
  readonly callId: string
  readonly inStep: number | null
  /** Number of the event that says that the call was begun. */
  readonly started: number | null
}

/** Calls of the answers of the open step without a result, in their order. */
function openCalls(entries: readonly EntryRecord[]): readonly OpenCall[] {
  const begin = entries.findLastIndex((entry) => {
    const { type } = factsOf(entry)
    return type === 'turn/start' || type === 'step/end' || type === 'turn/end'
  })
  const open = new Map<string, OpenCall>()
  for (let at = begin + 1; at < entries.length; at++) {
    const entry = entries[at]
    if (entry === undefined) continue
    const { type, calls = [], call = '', step = null } = factsOf(entry)
    for (const [callId] of calls) open.set(callId, { callId, inStep: step, started: null })
    if (type === 'tool/result') open.delete(call)
    const known = type === 'tool/call' ? open.get(call) : undefined
    if (known !== undefined) open.set(call, { ...known, started: at })
  }
  return [...open.values()]
}
