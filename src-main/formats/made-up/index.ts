import { dirname, join } from 'node:path'
import type { Bytes } from '#main/platform/bytes.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { EntryRecord, JsonObject, LineReading, SessionRecords } from '#shared/model/records.ts'
import type { Usage } from '#shared/model/usage.ts'
import type { Assembled, Format, Line, LineReader, Listing, SessionSet, SessionView } from '../format.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'
import { decodeFrames } from './frames.ts'

/**
 * A format that no agent writes, as unlike pi's as it can be: a session is two files, `<name>.frames` and
 * `<name>.notes`; the log's lines lie in frames, have no ids and form a chain; the notes are one document that is
 * rewritten whole. It keeps the suite, the engine and everything between free of what only one format has.
 */
export const madeUp: Format = {
  id: 'shell-agent',
  label: 'Made up',
  agents: ['shell-agent'],
  can: { branch: false },
  lookedFor: 'made-up sessions (*.frames)',
  locate: () => [],
  claim: (listing: Listing) =>
    listing.files.filter((name) => name.endsWith('.frames')).map((name) => setOf(join(listing.path, name))),
  force: setOf,
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
  branchPoint: () => ({ kind: 'refused', reason: 'Nothing reads a branch of a made-up session.', nearest: [] }),
  planBranch: () => Promise.reject(new Refusal('unsupported', 'Nothing reads a branch of a made-up session.'))
}

const notesFile = 1

function idAt(view: SessionView, at: number): string {
  return view.tree.nodes[at]?.id ?? ''
}

function setOf(path: string): SessionSet {
  const notes = path.replace(/\.frames$/, '.notes')
  return {
    files: [
      { path, role: 'log', framing: 'frames' },
      { path: notes, role: 'snapshot', framing: 'document' }
    ],
    agent: 'shell-agent'
  }
}

function reader(_files: unknown, stopped: JsonObject | null): LineReader {
  let notes = stopped?.['notes'] ?? null
  return {
    read(line: Line): LineReading {
      const object = parsed(line)
      if (line.file === notesFile) {
        if (object !== null) notes = { title: asString(object['title']), pinned: asList(object['pinned']) }
        return { class: object === null ? 'fault' : 'header', entries: [], faults: [] }
      }
      if (line.length === line.end) return { class: 'blank', entries: [], faults: [] }
      if (object !== null) return { class: 'entry', entries: [recordOf(line, object)], faults: [] }
      const fault = { kind: 'malformed-line' as const, line: line.number, offset: line.offset, length: line.length }
      return { class: 'fault', entries: [], faults: [{ ...fault, entry: null, message: 'This line is not JSON.' }] }
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

function usageOf(requests: number, output: number): Usage {
  const none = { input: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, cost: null, inherited: 0, unknown: 0 }
  return { requests, ...none, output, total: output }
}

function assemble(records: SessionRecords): Assembled {
  const { entries, files } = records
  const notes = asObject(files[notesFile]?.state['notes'])
  const pinned = new Set(asList(notes?.['pinned']))
  const spent = entries.flatMap((entry) => (entry.usage === null ? [] : [entry.usage]))
  const last = entries.length - 1
  const timeAt = (at: number): string | null => {
    const time = entries[at]?.time ?? null
    return time === null ? null : new Date(time).toISOString()
  }
  return {
    agent: 'shell-agent',
    session: {
      id: files[0].path.replace(/^.*\/|\.frames$/g, ''),
      agent: 'shell-agent',
      title: asString(notes?.['title']),
      cwd: dirname(files[0].path),
      createdAt: timeAt(0),
      updatedAt: timeAt(last),
      compactions: 0,
      models: [],
      usage: usageOf(
        spent.length,
        spent.reduce((sum, usage) => sum + (usage.output ?? 0), 0)
      ),
      parent: null,
      origin: 'user'
    },
    nodes: entries.map((entry, at) => ({
      id: `f${entry.line}`,
      parent: at - 1,
      label: pinned.has(entry.line) ? 'pinned' : null
    })),
    leaves: last === -1 ? [] : [last],
    defaultLeaf:
      last === -1 ? { id: null, reason: 'empty' } : { id: `f${entries[last]?.line ?? 0}`, reason: 'only-leaf' },
    faults: [],
    preamble: [],
    row: (at) => ({
      tool: null,
      summary: (entries[at]?.preview ?? '').replaceAll('\n', ' '),
      contextTokens: null,
      failed: false
    })
  }
}
