import { type Cut, StringCutter, type Window } from '#main/formats/string-cutter.ts'
import { readPieces } from '#main/platform/byte-pieces.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import { asObject } from '#main/formats/json.ts'
import type { ReadSession } from './read-session.ts'

/** Characters kept of each long string. */
export const headLength = 16_384

interface CutObject {
  /** null where the bytes no longer hold an object. */
  readonly object: JsonObject | null
  readonly cuts: ReadonlyMap<string, Cut>
  /** As `CutValue.isAmbiguous`. */
  readonly isAmbiguous: boolean
}

/** An entry's object with its long strings cut to their heads and a window, whatever its size. Refused as `stale` where the file is too short. */
export async function readCut(session: ReadSession, at: number, window?: Window): Promise<CutObject> {
  const record = session.records.entries[at]
  if (record === undefined) throw new RangeError(`there is no entry ${at}`)
  const cutter = new StringCutter(headLength, window)
  const piece = { kind: 'copy', file: record.file, range: record.bytes } as const
  for await (const chunk of readPieces([piece], session.open)) cutter.push(chunk)
  try {
    const { value, ...found } = cutter.parse()
    return { object: asObject(value as Json), ...found }
  } catch {
    return { object: null, cuts: new Map(), isAmbiguous: false }
  }
}
