import type { SecretFilter } from './secret-filter.ts'

const lineFeed = 0x0a
/** A string holds twice as much. */
const longestText = 2 ** 28
/** Where nothing is to be replaced a longer line is never made one text only to be searched. */
const longestSearched = 2 ** 22

/**
 * The lines of a JSONL file through a filter. A line in which nothing was replaced keeps its bytes. Where nothing is
 * to be replaced a long one is searched in pieces; else one that is too long for a text is refused as `unsupported`.
 */
export async function* filterLines(
  chunks: AsyncIterable<Buffer>,
  filter: SecretFilter,
  longest = longestText
): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      yield filterLine(joined(begun, chunk.subarray(from, end + 1)), filter, longest)
      begun = []
      from = end + 1
    }
    // The chunk's bytes are gone with the next one.
    if (from < chunk.length) begun.push(Buffer.from(chunk.subarray(from)))
  }
  if (begun.length > 0) yield filterLine(Buffer.concat(begun), filter, longest)
}

const joined = (begun: readonly Buffer[], rest: Buffer): Buffer =>
  begun.length === 0 ? rest : Buffer.concat([...begun, rest])

function filterLine(line: Buffer, filter: SecretFilter, longest: number): Buffer {
  if (line.length <= (filter.redacts ? longest : Math.min(longest, longestSearched))) {
    const text = line.toString('utf8')
    const filtered = filter.json(text)
    return filtered === text ? line : Buffer.from(filtered)
  }
  filter.longJson(line)
  return line
}
