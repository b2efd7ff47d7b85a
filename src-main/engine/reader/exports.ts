import type { ExportForm } from '#main/export/export-form.ts'
import { proposedName } from '#main/export/file-name.ts'
import { planPath, planWholeFile } from '#main/export/plan-export.ts'
import { leftOut } from '#main/export/readable.ts'
import { measureExport, writeExport } from '#main/export/write-export.ts'
import { requireUnchanged } from '#main/platform/require-unchanged.ts'
import { sha256OfFile } from '#main/platform/sha256-of-file.ts'
import type { Calls } from '#shared/contract/contract.ts'
import type { ExportAs, ExportResult } from '#shared/contract/export.ts'
import type { OutputOf } from '#shared/rpc/types.ts'
import type { ReadSession } from './read-session.ts'
import { entryRow } from '../session-views.ts'

export interface ExportRequest {
  readonly entry?: string | undefined
  readonly as?: ExportAs | undefined
  readonly redact?: boolean | undefined
}

interface Planned {
  readonly form: ExportForm
  /** End of the path; null for every entry. */
  readonly end: string | null
}

export async function previewExport(
  session: ReadSession,
  faults: number,
  request: ExportRequest,
  signal: AbortSignal
): Promise<OutputOf<Calls, 'export.preview'>> {
  const { form, end } = await planExport(session, faults, request, signal)
  const redact = request.redact === true
  const { bytes, secrets } = await measureExport(form, redact, signal)
  const { file, entries } = form.plan
  return { name: proposedName(file, request.entry ?? null, form.as, redact), bytes, entries, entry: end, secrets }
}

export async function makeExport(
  session: ReadSession,
  faults: number,
  request: ExportRequest & { readonly out: string },
  signal: AbortSignal
): Promise<ExportResult> {
  const { form } = await planExport(session, faults, request, signal)
  const check = () => requireUnchanged(session.stored.files)
  return writeExport(form, request.out, { redact: request.redact === true, check, signal })
}

async function planExport(
  session: ReadSession,
  faults: number,
  { entry, as = 'jsonl' }: ExportRequest,
  signal: AbortSignal
): Promise<Planned> {
  await requireUnchanged(session.stored.files)
  const isRead = as === 'markdown' || as === 'html'
  const { defaultEntry, defaultLeaf } = session.tree
  const end = entry ?? (isRead ? (defaultEntry === undefined ? defaultLeaf.id : defaultEntry) : null)
  const whole = end === null && !isRead
  const path = end === null ? [] : session.path(session.at(end))
  const plan = whole ? planWholeFile(session) : await planPath(session, path, signal)
  if (as === 'jsonl') return { form: { as, plan }, end }
  const source = {
    view: session,
    format: session.format,
    at: whole ? [...session.records.entries.keys()] : path,
    end,
    row: (at: number) => entryRow(session, at),
    children: (at: number) => session.children(at),
    faults,
    sha256: await sha256OfFile(session.stored.files[0].path, signal)
  }
  const entries = source.at.length - (isRead ? leftOut(source).size : 0)
  return { form: { as, plan: { ...plan, entries }, source }, end }
}
