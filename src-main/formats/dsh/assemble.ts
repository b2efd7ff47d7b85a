import { basename, dirname } from 'node:path'
import type { FaultKind } from '#shared/model/fault.ts'
import type { EntryRecord, FaultDraft, SessionRecords } from '#shared/model/records.ts'
import { oneLine } from '../cut.ts'
import type { Assembled } from '../format.ts'
import { closersOf } from './closers.ts'
import { marksOf, notesOf } from './notes.ts'
import { rowText } from './row-text.ts'
import { type CallFact, embeddedStreams, factsOf, type State, stateFromJson } from './schema.ts'
import { type ChunkStream, chunkStreams, streamHolding } from './streams.ts'
import { type SurfaceHistory, surfaceHistory } from './surface-history.ts'
import { inheritedCount, totalUsage } from './usage.ts'

const titleLength = 120
const histories = new WeakMap<Assembled, SurfaceHistory>()

/** The surface of a session that was put together. */
export function historyOf(tree: Assembled): SurfaceHistory {
  const history = histories.get(tree)
  if (history === undefined) throw new Error('this session was not put together by its format')
  return history
}

/** Puts a session together from its records: linear in their number, never recursive. Events are a chain. */
export function assembleDsh(records: SessionRecords): Assembled {
  const [file] = records.files
  const state = stateFromJson(file.state)
  const synthetic = state.break?.isCorrupt === true ? [] : closersOf(records.entries, state, file.length)
  const entries = synthetic.length === 0 ? records.entries : [...records.entries, ...synthetic]
  const history = surfaceHistory(entries)
  const calls = callsOf(entries)
  const last = entries.length - 1
  const { header } = state
  const parent = header?.parent ?? null
  const inheritedBefore = inheritedCount(entries, header?.seedLength ?? 0)
  const assembled: Assembled = {
    agent: 'dsh',
    session: {
      id: header?.id ?? basename(dirname(file.path)),
      agent: 'dsh',
      title: titleOf(entries),
      cwd: header?.cwd ?? null,
      createdAt: isoTime(header === null ? (entries[0]?.time ?? null) : header.createdAt),
      updatedAt: isoTime(entries.findLast(({ time }) => time !== null)?.time ?? file.modified),
      compactions: entries.filter(({ kind }) => kind === 'compaction').length,
      models: [
        ...new Set(entries.flatMap(({ role, model }) => (role === 'assistant' && model !== null ? [model] : [])))
      ],
      usage: totalUsage(records),
      parent: parent === null ? null : { id: parent, file: state.parentFile },
      origin: header?.isSubagent === true ? 'subagent' : parent === null ? 'user' : 'fork'
    },
    nodes: entries.map((_, at) => ({ id: String(at), parent: at - 1, label: null })),
    ...(synthetic.length > 0 && { synthetic }),
    leaves: last < 0 ? [] : [last],
    defaultLeaf: last < 0 ? { id: null, reason: 'empty' } : { id: String(last), reason: 'only-leaf' },
    faults: [...sessionFaults(state), ...surfaceFaults(entries, history), ...callFaults(entries)],
    preamble: state.preamble,
    row(at) {
      const entry = entries[at]
      if (entry === undefined) return { tool: null, summary: '', contextTokens: null, failed: false }
      return { ...rowText(entry, calls), marks: marksOf(entry, at, history, inheritedBefore) }
    },
    position(at) {
      const { turn = null, step = null } = entries[at] === undefined ? {} : factsOf(entries[at])
      return { turn, step, run: null, invocation: null }
    },
    ...((header?.version ?? 0) < embeddedStreams && { streamOf: streamsIn(entries) }),
    notes: notesOf(records, state, history, synthetic.length)
  }
  histories.set(assembled, history)
  return assembled
}

/** Finds streams of chunks, once they are asked for. */
function streamsIn(entries: readonly EntryRecord[]): (at: number) => ChunkStream | null {
  let streams: readonly ChunkStream[] | undefined
  return (at) => {
    const entry = entries[at]
    if (entry === undefined || factsOf(entry).type !== 'assistant/chunk') return null
    return streamHolding((streams ??= chunkStreams(entries)), at) ?? null
  }
}

/** ISO 8601 UTC; null where unknown or beyond what a date can be. */
export function isoTime(time: number | null): string | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.valueOf()) ? null : date.toISOString()
}

function titleOf(entries: readonly EntryRecord[]): string | null {
  const title = entries.findLast((entry) => (factsOf(entry).title ?? '') !== '')
  const prompts = entries.filter(({ role, preview }) => role === 'user' && preview.trim() !== '')
  const own = prompts.find(({ kind }) => kind === 'message') ?? prompts[0]
  const text = title === undefined ? (own?.preview.trim().split('\n', 1)[0] ?? '') : (factsOf(title).title ?? '')
  return text === '' ? null : oneLine(text, titleLength)
}

/** The last call of each id. */
function callsOf(entries: readonly EntryRecord[]): ReadonlyMap<string, CallFact> {
  const calls = new Map<string, CallFact>()
  for (const entry of entries) for (const call of factsOf(entry).calls ?? []) calls.set(call[0], call)
  return calls
}

const nowhere = { line: null, offset: null, length: null, entry: null }

function sessionFaults({ header, parentFile }: State): readonly FaultDraft[] {
  const parent = header?.parent ?? null
  if (parent === null || parentFile !== null) return []
  const message = `The session that this one came from was not found in its project: ${oneLine(parent, 200)}`
  return [{ kind: 'missing-parent-session', ...nowhere, message }]
}

function faultAt(entries: readonly EntryRecord[], at: number, kind: FaultKind, message: string): FaultDraft[] {
  const entry = entries[at]
  if (entry === undefined) return []
  const [offset, length] = entry.bytes
  return [{ kind, line: entry.line, offset, length, entry: String(at), message }]
}

/** Of operations that are wrong by themselves the reader has told. */
function surfaceFaults(entries: readonly EntryRecord[], { broken }: SurfaceHistory): readonly FaultDraft[] {
  const entry = broken === null ? undefined : entries[broken.at]
  if (broken === null || entry === undefined || factsOf(entry).surface?.kind === 'invalid') return []
  return faultAt(entries, broken.at, 'bad-surface-op', `Event ${broken.at}: ${broken.why}.`)
}

/** Calls and results without each other; closers count as results. */
function callFaults(entries: readonly EntryRecord[]): readonly FaultDraft[] {
  const open = new Map<string, { readonly at: number; readonly tool: string }>()
  const known = new Set<string>()
  const faults: FaultDraft[] = []
  for (const [at, entry] of entries.entries()) {
    const { type, calls = [], call = '', surface } = factsOf(entry)
    for (const [id, tool] of calls) {
      known.add(id)
      open.set(id, { at, tool })
    }
    if (type !== 'tool/result' || surface?.kind === 'replace') continue
    open.delete(call)
    if (!known.has(call)) {
      faults.push(
        ...faultAt(entries, at, 'unpaired-tool-result', 'No answer made the call that this result belongs to.')
      )
    }
  }
  for (const { at, tool } of open.values()) {
    faults.push(...faultAt(entries, at, 'unpaired-tool-call', `A call of ${tool || 'a tool'} has no result recorded.`))
  }
  return faults
}
