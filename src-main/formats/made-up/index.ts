import { basename, dirname, join } from 'node:path'
import type { Bytes } from '#main/platform/bytes.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type {
  EntryRecord,
  FaultDraft,
  JsonObject,
  LineReading,
  SessionRecords,
  SourceFile
} from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'
import type { Assembled, Format, Line, LineReader, Listing, SessionSet, SessionView } from '../format.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'
import { shellQuote } from '../shell-quote.ts'
import { decodeFrames } from './frames.ts'

/**
 * A format that no agent writes, as unlike pi's as it can be: a session is two files, `<name>.frames` and
 * `<name>.notes`; the log's lines lie in frames, have no ids and form a chain; the notes are one document that is
 * rewritten whole. A branch is a log without frames, `<name>.plain`. It keeps the suite, the engine and everything
 * between free of what only one format has.
 */
export const madeUp: Format = {
  id: 'shell-agent',
  label: 'Made up',
  agents: ['shell-agent'],
  can: { branch: true },
  lookedFor: 'made-up sessions (*.frames, *.plain)',
  locate: () => [],
  claim: (listing: Listing) => listing.files.filter((name) => isLog.test(name)).map((name) => setOf(listing, name)),
  force: (path) => ({ files: [logAt(path)], agent: 'shell-agent' }),
  decode: (source, raw): Bytes => (source.framing === 'frames' ? decodeFrames(raw) : raw),
  reader,
  assemble,
  context: async (view, at) => {
    const end = at ?? view.records.entries.length - 1
    const wanted = view.records.entries.flatMap((entry, index) =>
      index <= end && entry.kind === 'message' ? [index] : []
    )
    const messages = []
    let position = 0
    for await (const object of view.content.objects(wanted)) {
      const index = wanted[position++] ?? -1
      const text = asString(object?.['say']) ?? ''
      messages.push({
        kind: 'message' as const,
        role: asString(object?.['who']) ?? '',
        text,
        blocks: [{ type: 'text' as const, text }],
        stopReason: null,
        sources: [idAt(view, index)],
        recordedTokens: null
      })
    }
    return { entry: end < 0 ? null : idAt(view, end), model: null, thinking: null, messages, omitted: [], faults: [] }
  },
  compaction: () => Promise.reject(new Error('made-up sessions have no compactions')),
  requests: ({ entries }) =>
    entries.flatMap(({ usage }, at) =>
      usage === null ? [] : [{ at, inherited: false, contextTokens: null, subagents: null }]
    ),
  blocks: async (view, at) => {
    for await (const object of view.content.objects([at])) {
      const text = asString(object?.['say']) ?? ''
      const block = {
        type: 'text' as const,
        text,
        length: text.length,
        name: null,
        callId: null,
        isError: false,
        bytes: null
      }
      return { blocks: [block], facts: [], own: object?.['who'] === 'person' }
    }
    return { blocks: [], facts: [], own: false }
  },
  image: () => Promise.resolve(undefined),
  branchPoint: (view, at) =>
    isAnswer(view, at)
      ? { kind: 'allowed' }
      : { kind: 'refused', reason: 'Only an answer can be gone on from.', nearest: answersBefore(view, at) },
  async planBranch(view, { at, into }) {
    const record = view.records.entries[at]
    const [{ path }] = view.records.files
    if (record === undefined || !isAnswer(view, at)) {
      throw new Refusal('not-resumable', 'Only an answer can be gone on from.', { file: path })
    }
    const sessionId = `${nameOf(path)}-${idAt(view, at)}`
    const folder = into ?? dirname(path)
    const end = record.bytes[0] + record.bytes[1]
    return {
      sessionId,
      files: [
        {
          path: join(folder, `${sessionId}.plain`),
          pieces: [
            { kind: 'copy', file: 0, range: [0, end] },
            { kind: 'text', text: '\n' }
          ]
        }
      ],
      entries: at + 1,
      resume: `cd ${shellQuote(folder)} && made-up ${shellQuote(sessionId)}`
    }
  }
}

function isAnswer(view: SessionView, at: number): boolean {
  return view.records.entries[at]?.role === 'model'
}

function answersBefore(view: SessionView, at: number): string[] {
  const before = view.records.entries.slice(0, at).findLastIndex(({ role }) => role === 'model')
  return before === -1 ? [] : [idAt(view, before)]
}

const notesFile = 1

function idAt(view: SessionView, at: number): string {
  return view.tree.nodes[at]?.id ?? ''
}

const isLog = /\.(?:frames|plain)$/
const nameOf = (path: string) => basename(path).replace(isLog, '')

function logAt(path: string): SourceFile {
  return { path, role: 'log', framing: path.endsWith('.frames') ? 'frames' : 'lines' }
}

function setOf({ path, files }: Listing, name: string): SessionSet {
  const notes = `${nameOf(name)}.notes`
  const log = logAt(join(path, name))
  const others: SourceFile[] = files.includes(notes)
    ? [{ path: join(path, notes), role: 'snapshot', framing: 'document' }]
    : []
  return { files: [log, ...others], agent: 'shell-agent' }
}

function reader(_files: unknown, stopped: JsonObject | null): LineReader {
  let notes = stopped?.['notes'] ?? null
  return {
    read(line: Line): LineReading {
      const object = parsed(line)
      if (line.length > 0 && line.length === line.end) return { class: 'blank', entries: [], faults: [] }
      if (object === null) return { class: 'fault', entries: [], faults: [faultOf(line)] }
      if (line.file !== notesFile) return { class: 'entry', entries: [recordOf(line, object)], faults: [] }
      notes = { title: asString(object['title']), pinned: asList(object['pinned']) }
      return { class: 'header', entries: [], faults: [] }
    },
    state: () => ({ notes })
  }
}

function parsed(line: Line): JsonObject | null {
  try {
    return asObject(JSON.parse(line.bytes?.toString() ?? ''))
  } catch {
    return null
  }
}

function faultOf({ file, number, offset, length, end }: Line): FaultDraft {
  const place = { line: number, offset, length, entry: null }
  return end === 0 && file !== notesFile
    ? { kind: 'torn-tail', ...place, message: 'The last line is not complete.' }
    : { kind: 'malformed-line', ...place, message: 'This is not JSON.' }
}

function recordOf(line: Line, object: JsonObject): EntryRecord {
  const spent = asNumber(object['spent'])
  return {
    file: line.file,
    line: line.number,
    part: 1,
    bytes: [line.offset, line.length - line.end],
    storedId: null,
    storedParent: undefined,
    kind: typeof object['say'] === 'string' ? 'message' : 'event',
    role: asString(object['who']),
    time: asNumber(object['at']),
    preview: (asString(object['say']) ?? '').slice(0, 200),
    model: null,
    usage: spent === null ? null : usageOf(1, spent),
    facts: {}
  }
}

/** Behind a pause the agent would say that it goes on. */
function resumed({ files }: SessionRecords): EntryRecord {
  return {
    file: 0,
    line: 0,
    part: 1,
    bytes: [files[0].length, 0],
    synthetic: { event: 'resumed' },
    storedId: null,
    storedParent: undefined,
    kind: 'event',
    role: null,
    time: null,
    preview: '',
    model: null,
    usage: null,
    facts: {}
  }
}

function usageOf(requests: number, output: number): Usage {
  const none = { input: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, cost: null, inherited: 0, unknown: 0 }
  return { requests, ...none, output, total: output }
}

function assemble(records: SessionRecords): Assembled {
  const { entries, files } = records
  const notes = asObject(files[notesFile]?.state['notes'])
  const pinned = new Set(asList(notes?.['pinned']))
  const spent = entries.flatMap((entry) => (entry.usage === null ? [] : [entry.usage]))
  const synthetic = entries.at(-1)?.kind === 'event' ? [resumed(records)] : []
  const all = [...entries, ...synthetic]
  const last = all.length - 1
  const timeAt = (at: number): string | null => {
    const time = entries[at]?.time ?? null
    return time === null ? null : new Date(time).toISOString()
  }
  return {
    agent: 'shell-agent',
    session: {
      id: nameOf(files[0].path),
      agent: 'shell-agent',
      title: asString(notes?.['title']),
      cwd: dirname(files[0].path),
      createdAt: timeAt(0),
      updatedAt: timeAt(entries.length - 1),
      compactions: 0,
      models: [],
      usage: usageOf(
        spent.length,
        spent.reduce((sum, usage) => sum + (usage.output ?? 0), 0)
      ),
      parent: null,
      origin: 'user'
    },
    synthetic,
    nodes: all.map((entry, at) => ({
      id: `f${entry.line}`,
      parent: at - 1,
      label: pinned.has(entry.line) ? 'pinned' : null
    })),
    leaves: last === -1 ? [] : [last],
    defaultLeaf: last === -1 ? { id: null, reason: 'empty' } : { id: `f${all[last]?.line ?? 0}`, reason: 'only-leaf' },
    faults: [],
    preamble: [],
    row: (at) => ({
      tool: null,
      summary: (entries[at]?.preview ?? '').replaceAll('\n', ' '),
      contextTokens: null,
      failed: false,
      marks: pinned.has(entries[at]?.line ?? null)
        ? [{ text: 'pinned', tone: 'good', why: 'The notes name its line.' }]
        : []
    }),
    position: (at) => ({ turn: at + 1, step: null, run: null, invocation: null }),
    notes: [{ tone: 'info', text: `${pinned.size} pinned`, detail: null }]
  }
}
