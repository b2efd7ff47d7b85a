const chunkLength = 1 << 16

/**
 * The JSON of a value in chunks, as `JSON.stringify` would write it, but for half of a surrogate pair: U+FFFD stands for
 * it, as many readers of JSON refuse its escape and all that stands around it. No nesting is too deep, no text too long
 * for one string. Takes what a channel can carry: plain objects, arrays, strings, numbers, booleans and null.
 */
export function* jsonChunks(value: unknown): Generator<string> {
  let pending = ''
  for (const piece of pieces(value)) {
    pending += piece
    if (pending.length < chunkLength) continue
    yield pending
    pending = ''
  }
  if (pending !== '') yield pending
}

interface Open {
  readonly values: Iterator<readonly [name: string | null, value: unknown]>
  readonly close: ']' | '}'
  first: boolean
}

function* pieces(root: unknown): Generator<string> {
  const open: Open[] = []
  let current: unknown = root
  for (;;) {
    if (typeof current === 'string') yield* stringPieces(current)
    else if (isSmall(current)) yield jsonOf(current)
    else if (Array.isArray(current)) {
      yield '['
      open.push({ values: items(current), close: ']', first: true })
    } else if (typeof current === 'object' && current !== null) {
      yield '{'
      open.push({ values: members(current), close: '}', first: true })
    } else yield jsonOf(current)

    let next: readonly [string | null, unknown] | undefined
    while (next === undefined) {
      const innermost = open.at(-1)
      if (innermost === undefined) return
      const step = innermost.values.next()
      if (step.done === true) {
        yield innermost.close
        open.pop()
        continue
      }
      if (!innermost.first) yield ','
      innermost.first = false
      next = step.value
    }
    const [name, value] = next
    if (name !== null) {
      yield* stringPieces(name)
      yield ':'
    }
    current = value
  }
}

/** Whether a value is an object or array of so little that it can be written at once: nearly all are. */
function isSmall(value: unknown): boolean {
  let left = 64
  const fits = (inner: unknown): boolean => {
    if (--left < 0) return false
    if (typeof inner === 'string') return inner.length <= 1024
    if (typeof inner !== 'object' || inner === null) return true
    for (const name in inner) if (!fits((inner as Record<string, unknown>)[name])) return false
    return true
  }
  return fits(value)
}

function* items(array: readonly unknown[]): Generator<readonly [null, unknown]> {
  for (const item of array) yield [null, item]
}

function* members(object: object): Generator<readonly [string, unknown]> {
  for (const [name, value] of Object.entries(object)) if (value !== undefined) yield [name, value]
}

function* stringPieces(text: string): Generator<string> {
  if (text.length <= chunkLength) {
    yield jsonOf(text)
    return
  }
  yield '"'
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + chunkLength, text.length)
    if (isHighSurrogate(text.charCodeAt(to - 1)) && to < text.length) to += 1
    yield jsonOf(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

/** `JSON.stringify` escapes a surrogate only where it stands alone. */
function jsonOf(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null'
  if (!json.includes('\\ud')) return json
  return json.replace(/\\(ud[89a-f]..|.)/g, (escape, kind: string) => (kind.length > 1 ? '\ufffd' : escape))
}
