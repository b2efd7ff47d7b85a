import type { DetailBlock } from '#shared/contract/entry.ts'
import { entryContents, type EntryContent, type ReadableSource } from './readable.ts'
import type { SecretFilter } from './secret-filter.ts'

/** Lines of JSON: a header, then an entry each (docs/export-normalized.md). */
export async function* normalizedLines(
  source: ReadableSource,
  filter: SecretFilter,
  signal?: AbortSignal
): AsyncGenerator<string> {
  yield lineOf(headerOf(source, filter), filter)
  for await (const content of entryContents(source, signal)) yield lineOf(entryOf(content, filter), filter)
}

const lineOf = (value: object, filter: SecretFilter) => `${filter.json(JSON.stringify(value))}\n`

function headerOf({ view, at, end, sha256 }: ReadableSource, filter: SecretFilter) {
  const { id, title, cwd, createdAt, parent } = view.tree.session
  const [{ path: file, size: bytes }] = view.records.files
  return {
    schema: 'treeline.normalized',
    version: 1,
    agent: view.tree.agent,
    source: { file, bytes, sha256 },
    session: { id, title: title === null ? null : filter.uncut(title), cwd, createdAt, parent },
    entry: end,
    entries: at.length,
    entriesInSession: view.tree.nodes.length,
    redacted: filter.redacts
  }
}

function entryOf({ row, blocks, facts }: EntryContent, filter: SecretFilter) {
  const { id, parent, kind, role, time, preview, bytes, line, label, model, usage, onDefaultPath } = row
  return {
    id,
    parent,
    kind,
    role,
    time,
    preview: filter.uncut(preview),
    bytes,
    line,
    label,
    model,
    usage,
    onDefaultPath,
    blocks: blocks.map(blockOf),
    facts: facts.map(([name, value]) => [name, filter.uncut(value)])
  }
}

function blockOf({ type, text, name, callId, isError, bytes }: DetailBlock) {
  switch (type) {
    case 'text':
    case 'thinking':
      return { type, text }
    case 'tool-call':
      return { type, id: callId ?? '', name: name ?? '', arguments: valueOf(text) }
    case 'tool-result':
      return { type, callId: callId ?? '', isError, text, name }
    case 'image':
      return { type, mimeType: name ?? 'application/octet-stream', bytes }
    case 'other':
      return { type, name: name ?? 'unknown', value: valueOf(text) }
  }
}

/** What a text of JSON stands for; the text itself where it is none. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
