import type { EntryRecord, JsonObject } from '#shared/model/records.ts'
import { asObject, asString } from '../json.ts'
import { parseLine } from './parse-line.ts'
import { factsOf } from './timeline.ts'

const lineFeed = 0x0a

/** How an entry is read that is no JSON as it lies: token events that ran together, and what the agent wrote wrongly. */
export function parserOf(record: EntryRecord): ((bytes: Buffer) => JsonObject | null) | null {
  const { tokens, repaired } = factsOf(record)
  if (tokens !== undefined) return parseRun
  return repaired === true ? parseWhole : null
}

const parseWhole = (bytes: Buffer): JsonObject | null => asObject(parseLine(bytes, Infinity)?.value)

/** One event with the whole text, and the thinking that a text took in; null where one of them cannot be read. */
function parseRun(bytes: Buffer): JsonObject | null {
  const texts: string[] = []
  const thinking: string[] = []
  let first: JsonObject | null = null
  for (let from = 0; from < bytes.length;) {
    const feed = bytes.indexOf(lineFeed, from)
    const end = feed === -1 ? bytes.length : feed
    const event = parseWhole(bytes.subarray(from, end))
    if (event === null) return null
    first ??= event
    ;(event['type'] === first['type'] ? texts : thinking).push(asString(event['content']) ?? '')
    from = end + 1
  }
  if (first === null) return null
  const text = { ...first, content: texts.join('') }
  return thinking.length === 0 ? text : { ...text, thinking: thinking.join('') }
}
