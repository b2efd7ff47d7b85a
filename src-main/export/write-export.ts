import { createFile } from '#main/platform/atomic-file.ts'
import type { ExportResult } from '#shared/contract/export.ts'
import type { ExportPlan } from './plan-export.ts'

/** Writes an export to a path where nothing stands yet; `check` throws where the source has changed since it was read. */
export async function writeExport(
  plan: ExportPlan,
  out: string,
  check: () => Promise<void>,
  signal?: AbortSignal
): Promise<ExportResult> {
  const { bytes, sha256 } = await createFile(out, plan.chunks(signal), { signal, check })
  if (bytes !== plan.bytes) throw new Error(`${out} has ${bytes} bytes where ${plan.bytes} were planned`)
  const { entries, addedLineFeeds, file, ranges } = plan
  return { out, bytes, sha256, entries, addedLineFeeds, source: { file, ranges: [...ranges] } }
}
