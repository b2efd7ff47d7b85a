import type { Content } from '#main/formats/format.ts'
import type { OpenSource } from '#main/platform/byte-pieces.ts'
import type { Bytes } from '#main/platform/bytes.ts'
import { collectGarbage } from '#main/platform/collect-garbage.ts'
import type { EntryRecord, JsonObject, SessionRecords } from '#shared/model/records.ts'

const groupBytes = 2 ** 20
const hugeBytes = 2 ** 24

/** Reads back what was indexed, neighbours in one go; nothing is kept. */
export function sessionContent({ entries }: SessionRecords, open: OpenSource): Content {
  return {
    async *objects(at, signal) {
      const sources = new Map<number, Bytes>()
      try {
        for (const group of groups(entries, at)) {
          signal?.throwIfAborted()
          const { file, bytes } = group[0]
          const source = sources.get(file) ?? (await open(file))
          sources.set(file, source)
          for await (const object of readGroup(source, group)) {
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

type Group = [EntryRecord, ...EntryRecord[]]

/** Runs of entries that follow each other in one file within 1 MiB. */
function* groups(entries: readonly EntryRecord[], at: readonly number[]): Generator<Group> {
  let group: Group | undefined
  for (const index of at) {
    const record = entries[index]
    if (record === undefined) throw new RangeError(`there is no entry ${index}`)
    if (group !== undefined && fits(group, record)) group.push(record)
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
  const follows = record.file === first.file && record.bytes[0] >= last.bytes[0] + last.bytes[1]
  return follows && record.bytes[0] + record.bytes[1] - first.bytes[0] <= groupBytes
}

async function* readGroup(source: Bytes, group: Group): AsyncGenerator<JsonObject | null> {
  const start = group[0].bytes[0]
  const [lastStart, lastLength] = (group.at(-1) ?? group[0]).bytes
  const texts = await readTexts(source, start, lastStart + lastLength - start, group)
  if (lastLength > hugeBytes) collectGarbage()
  while (texts.length > 0) yield parseObject(texts.shift() ?? null)
}

/** The objects' texts, so that the bytes can go before they are parsed; null where the file ends before or no string can hold them. */
async function readTexts(source: Bytes, start: number, length: number, group: Group): Promise<(string | null)[]> {
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
