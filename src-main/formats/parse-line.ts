import type { Json } from '#shared/model/records.ts'
import { parseCut } from './string-cutter.ts'

const hugeBytes = 2 ** 20
/** Characters kept of each string of a huge line: more than a record has of any. */
const keptCharacters = 4096

/** The value of JSON bytes, undefined where they are none; of huge ones no long string is made whole. */
export function parseLine(bytes: Buffer): { readonly value: Json; readonly isCut: boolean } | undefined {
  try {
    if (bytes.length <= hugeBytes) return { value: JSON.parse(bytes.toString()) as Json, isCut: false }
    const { value, cuts } = parseCut(bytes, keptCharacters)
    return { value: value as Json, isCut: cuts.size > 0 }
  } catch {
    return undefined
  }
}
