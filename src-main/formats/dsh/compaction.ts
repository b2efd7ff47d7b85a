import type { CompactionNote, SessionView } from '../format.ts'
import { asObject } from '../json.ts'
import { historyOf } from './assemble.ts'
import { blocksOf, textOf } from './message.ts'
import { factsOf } from './schema.ts'

/**
 * What a replacement stands for: the events that it took out of the surface. Its summary and figures are those of the
 * events around it, from where its compaction begins (docs/formats/dsh.md, "Compactions").
 */
export async function dshCompaction(view: SessionView, at: number, signal?: AbortSignal): Promise<CompactionNote> {
  const { entries } = view.records
  const own = entries[at]
  const facts = own === undefined ? null : factsOf(own)
  const covered = new Set(historyOf(view.tree).replaced.get(at))
  if (facts?.type === 'compaction/end') {
    const failed = facts.reason === undefined ? null : `Failed: ${facts.reason}`
    return { trigger: triggerOf(view, at), summary: failed, recordedBefore: null, recordedAfter: null, covered }
  }
  const note = noteBefore(view, at)
  const noted = entries[note]
  const { shadowed = null, written = null } = noted === undefined ? {} : factsOf(noted)
  if (facts?.type === 'tool/result') {
    return { trigger: 'prune', summary: null, recordedBefore: shadowed, recordedAfter: null, covered: new Set() }
  }
  return {
    trigger: triggerOf(view, at),
    summary: await summaryOf(view, note === -1 ? at : note, signal),
    recordedBefore: shadowed,
    recordedAfter: written,
    covered
  }
}

/** The summary or prune that a replacement belongs to: the last one behind the event before it that replaced or closed something. */
function noteBefore({ records }: SessionView, at: number): number {
  for (let index = at - 1; index >= 0; index--) {
    const entry = records.entries[index]
    const { type, surface } = entry === undefined ? { type: '', surface: undefined } : factsOf(entry)
    if (type === 'compaction/summary' || type === 'compaction/prune') return index
    const isPart = type === 'compaction/start' || (type === 'tool/result' && surface?.kind === 'replace')
    if ((surface !== undefined && !isPart) || type === 'compaction/end') return -1
  }
  return -1
}

/** Who asked for the compaction that an event is part of; null where nobody did. */
function triggerOf({ records }: SessionView, at: number): string | null {
  const start = records.entries.findLast((entry, index) => index < at && factsOf(entry).type === 'compaction/start')
  return start === undefined ? null : (factsOf(start).trigger ?? null)
}

async function summaryOf(view: SessionView, at: number, signal: AbortSignal | undefined): Promise<string | null> {
  for await (const object of view.content.objects([at], signal)) {
    const data = asObject(object?.['data'])
    const text = textOf(blocksOf(data?.['summary'] ?? data?.['content']))
    return text === '' ? null : text
  }
  return null
}
