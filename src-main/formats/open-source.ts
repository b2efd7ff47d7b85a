import { type Bytes, openBytes } from '#main/platform/bytes.ts'
import type { SourceFile } from '#shared/model/records.ts'
import type { Format } from './format.ts'

/** Opens a file of a session as its format's stream of lines; all offsets of the file are in it. Rejects with the system's error. */
export async function openSource(format: Format, source: SourceFile): Promise<Bytes> {
  const raw = await openBytes(source.path)
  return format.decode?.(source, raw) ?? raw
}
