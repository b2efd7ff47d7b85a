import { join } from 'node:path'
import { openBytes } from '#main/platform/bytes.ts'
import { splitLines } from '#main/tail/split-lines.ts'
import type { SessionHeader } from './records.ts'
import { isObject, requireNewId, requireTime } from './checked.ts'

/** A record as it is stored, of whatever type. */
export interface StoredRecord {
  readonly type: string
  readonly [member: string]: unknown
}

/**
 * Where a run's file lies: below the day in UTC on which it was started. Refused as `invalid-input` where the run has no
 * UUID of version 4, or was started at no time in UTC.
 */
export function runFilePath(
  sessionsFolder: string,
  { run_id, started_at }: Pick<SessionHeader, 'run_id' | 'started_at'>
): string {
  requireNewId(run_id, 'run_id')
  requireTime(started_at, 'started_at')
  const [year = '', month = '', day = ''] = new Date(started_at).toISOString().slice(0, 10).split('-')
  return join(sessionsFolder, year, month, day, `${run_id}.jsonl`)
}

/**
 * The records of a run file in their order, those of unknown types too. Lines that are no record, such as one that was
 * cut by a crash, are passed over, as codelia does. Throws the system's error.
 */
export async function* readRecords(path: string): AsyncGenerator<StoredRecord, void, undefined> {
  await using bytes = await openBytes(path)
  const { length } = await bytes.state()
  for await (const { lines } of splitLines(bytes, { offset: 0, line: 0 }, length, 0)) {
    for (const line of lines) {
      const record = line.bytes === null ? undefined : parsed(line.bytes.toString())
      if (isRecord(record)) yield record
    }
  }
}

const isRecord = (value: unknown): value is StoredRecord => isObject(value) && typeof value['type'] === 'string'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
