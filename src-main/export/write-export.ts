import { createFile } from '#main/platform/atomic-file.ts'
import type { ExportResult } from '#shared/contract/export.ts'
import { type ExportForm, exportChunks } from './export-form.ts'
import { SecretTally } from './find-secrets.ts'
import { countSecrets, keepSecrets, redactSecrets } from './secret-filter.ts'

export interface WriteOptions {
  readonly redact: boolean
  /** Throws where the source has changed since it was read. */
  readonly check: () => Promise<void>
  readonly signal?: AbortSignal
}

/** Writes an export to a path where nothing stands yet. */
export async function writeExport(
  form: ExportForm,
  out: string,
  { redact, check, signal }: WriteOptions
): Promise<ExportResult> {
  const tally = new SecretTally()
  const chunks = exportChunks(form, redact ? redactSecrets(tally) : keepSecrets, signal)
  const { bytes, sha256 } = await createFile(out, chunks, { signal, check })
  const { entries, addedLineFeeds, file, ranges, bytes: planned } = form.plan
  const isCopy = form.as === 'jsonl' && !redact
  if (isCopy && bytes !== planned) throw new Error(`${out} has ${bytes} bytes where ${planned} were planned`)
  return {
    out,
    as: form.as,
    bytes,
    sha256,
    entries,
    addedLineFeeds: form.as === 'jsonl' ? addedLineFeeds : 0,
    redacted: redact ? tally.list() : null,
    resumable: isCopy,
    source: { file, ranges: [...ranges] }
  }
}

/** What an export would be: its size and what looks like a secret in it, found by making it without writing it. */
export async function measureExport(form: ExportForm, redact: boolean, signal?: AbortSignal) {
  const tally = new SecretTally()
  let bytes = 0
  for await (const chunk of exportChunks(form, redact ? redactSecrets(tally) : countSecrets(tally), signal)) {
    bytes += chunk.length
  }
  return { bytes, secrets: tally.list() }
}
