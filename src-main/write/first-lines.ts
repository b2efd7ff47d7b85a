import { cut } from '#main/formats/cut.ts'

const mostLines = 40
const longestLine = 400

export interface FirstLines {
  readonly lines: readonly string[]
  readonly lineCount: number
  readonly bytes: number
}

/** The first 40 lines of a file to be written, each cut to 400 characters, with how many there are. */
export async function firstLines(chunks: AsyncIterable<Buffer>): Promise<FirstLines> {
  const heads: Buffer[] = []
  let lineCount = 0
  let bytes = 0
  let open = false
  for await (const chunk of chunks) {
    bytes += chunk.length
    let from = 0
    while (from < chunk.length) {
      const feed = chunk.indexOf(0x0a, from)
      const to = feed < 0 ? chunk.length : feed
      if (!open) lineCount++
      if (lineCount <= mostLines) heads[lineCount - 1] = grown(heads[lineCount - 1], chunk.subarray(from, to))
      open = feed < 0
      from = to + 1
    }
  }
  return { lines: heads.map(headText), lineCount, bytes }
}

/** Four bytes hold any character. */
const headBytes = longestLine * 4

function grown(head: Buffer | undefined, more: Buffer): Buffer {
  const known = head ?? Buffer.alloc(0)
  return known.length >= headBytes ? known : Buffer.concat([known, more.subarray(0, headBytes - known.length)])
}

function headText(head: Buffer): string {
  return cut(new TextDecoder().decode(head, { stream: true }).replace(/\r$/, ''), longestLine)
}
