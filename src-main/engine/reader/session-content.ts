import type { Content, Format } from '#main/formats/format.ts'
import type { OpenSource } from '#main/platform/byte-pieces.ts'
import type { Bytes } from '#main/platform/bytes.ts'
import { collectGarbage } from '#main/platform/collect-garbage.ts'
import type { EntryRecord, JsonObject, SessionRecords } from '#shared/model/records.ts'

const groupBytes = 2 ** 20
const hugeBytes = 2 ** 24

/** Reads back what was indexed, neighbours in one go; nothing is kept. */
export function sessionContent({ entries }: SessionRecords, open: OpenSource, format: ContentFormat): Content {
  return {
    async *objects(at, signal) {
      const sources = new Map<number, Bytes>()
      try {
        for (const group of groups(entries, at, format)) {
          signal?.throwIfAborted()
          const { file, bytes, synthetic } = group[0]
          if (synthetic !== undefined) {
            yield synthetic
            continue
          }
          const source = sources.get(file) ?? (await open(file))
          sources.set(file, source)
          for await (const object of readGroup(source, group, format)) {
            if (bytes[1] > hugeBytes) collectGarbage()
            yield object
          }
        }
      } finally {
        for (const source of sources.values()) await source[Symbol.asyncDispose]()
      }
    }
  }
}

type ContentFormat = Pick<Format, 'parser'>
type Group = [EntryRecord, ...EntryRecord[]]

/** Runs of entries that follow each other in one file within 1 MiB, or lie in the same bytes; what its format parses stands alone. */
function* groups(entries: readonly EntryRecord[], at: readonly number[], format: ContentFormat): Generator<Group> {
  let group: Group | undefined
  for (const index of at) {
    const record = entries[index]
    if (record === undefined) throw new RangeError(`there is no entry ${index}`)
    const isPlain = (one: EntryRecord) => (format.parser?.(one) ?? null) === null
    if (group !== undefined && isPlain(group[0]) && isPlain(record) && fits(group, record)) group.push(record)
    else {
      if (group !== undefined) yield group
      group = [record]
    }
  }
  if (group !== undefined) yield group
}

function fits(group: Group, record: EntryRecord): boolean {
  const [first] = group
  const last = group.at(-1) ?? first
  if (record.file !== first.file || record.synthetic !== undefined || first.synthetic !== undefined) return false
  if (isSameRange(record, last)) return true
  return (
    record.bytes[0] >= last.bytes[0] + last.bytes[1] && record.bytes[0] + record.bytes[1] - first.bytes[0] <= groupBytes
  )
}

async function* readGroup(source: Bytes, group: Group, format: ContentFormat): AsyncGenerator<JsonObject | null> {
  const parse = group.length === 1 ? format.parser?.(group[0]) : undefined
  if (parse) {
    yield await parsedBytes(source, group[0], parse)
    return
  }
  const start = group[0].bytes[0]
  const [lastStart, lastLength] = (group.at(-1) ?? group[0]).bytes
  const distinct = group.filter((record, index) => !isSameRange(record, group[index - 1]))
  const texts = await readTexts(source, start, lastStart + lastLength - start, distinct)
  if (lastLength > hugeBytes) collectGarbage()
  let object: JsonObject | null = null
  for (const [index, record] of group.entries()) {
    if (!isSameRange(record, group[index - 1])) object = parseObject(texts.shift() ?? null)
    yield object
  }
}

const isSameRange = ({ bytes: [offset, length] }: EntryRecord, other: EntryRecord | undefined): boolean =>
  other !== undefined && other.bytes[0] === offset && other.bytes[1] === length

async function parsedBytes(
  source: Bytes,
  { bytes: [offset, length] }: EntryRecord,
  parse: (bytes: Buffer) => JsonObject | null
): Promise<JsonObject | null> {
  const bytes = Buffer.allocUnsafe(length)
  return (await source.read(bytes, offset)) < length ? null : parse(bytes)
}

/** The objects' texts, so that the bytes can go before they are parsed; null where the file ends before or no string can hold them. */
async function readTexts(
  source: Bytes,
  start: number,
  length: number,
  group: readonly EntryRecord[]
): Promise<(string | null)[]> {
  const bytes = Buffer.allocUnsafe(length)
  const filled = await source.read(bytes, start)
  return group.map(({ bytes: range }) => {
    const from = range[0] - start
    if (from + range[1] > filled) return null
    try {
      return bytes.toString('utf8', from, from + range[1])
    } catch {
      return null
    }
  })
}

function parseObject(text: string | null): JsonObject | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
