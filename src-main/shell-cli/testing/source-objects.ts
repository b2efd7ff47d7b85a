/** An object as it stands in a session file, found without any of the code under test. */
export interface SourceObject {
  /** Counts from 1. */
  readonly line: number
  /** 1 for the first object of a line. */
  readonly part: number
  readonly offset: number
  readonly length: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into foreign objects of any shape
  readonly value: any
}

export interface SourceLine {
  readonly line: number
  readonly offset: number
  /** With the line end. */
  readonly bytes: Buffer
}

export function sourceLines(file: Buffer): SourceLine[] {
  const lines: SourceLine[] = []
  for (let offset = 0; offset < file.length;) {
    const feed = file.indexOf(0x0a, offset)
    const end = feed === -1 ? file.length : feed + 1
    lines.push({ line: lines.length + 1, offset, bytes: file.subarray(offset, end) })
    offset = end
  }
  return lines
}

/** Every object of a file of lines; glued ones are found by trying every place where one may begin. */
export function sourceObjects(file: Buffer): SourceObject[] {
  return sourceLines(file).flatMap(({ line, offset, bytes }) => {
    let rest = bytes.toString()
    let before = offset
    const found: SourceObject[] = []
    while (rest.trim() !== '') {
      const text = longestObject(rest)
      if (text === null) {
        const next = rest.indexOf('{"type":"', 1)
        if (next === -1) break
        before += Buffer.byteLength(rest.slice(0, next))
        rest = rest.slice(next)
        continue
      }
      const value: unknown = JSON.parse(text)
      const length = Buffer.byteLength(text.trim())
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        found.push({ line, part: found.length + 1, offset: before, length, value })
      }
      before += Buffer.byteLength(text)
      rest = rest.slice(text.length)
    }
    return found
  })
}

/** The text up to the first `}` at which it parses, or the whole if that parses. */
function longestObject(text: string): string | null {
  if (parses(text)) return text
  for (let end = text.indexOf('}{'); end !== -1; end = text.indexOf('}{', end + 1)) {
    if (parses(text.slice(0, end + 1))) return text.slice(0, end + 1)
  }
  return null
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
