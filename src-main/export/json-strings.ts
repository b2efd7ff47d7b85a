/**
 * Where the strings of a JSON text begin and end, quotes included; of a damaged one those that are closed. Bytes of UTF-8
 * may stand for the text: no byte of a longer character is a quote or a backslash.
 */
export function* jsonStrings(text: string | Buffer): Generator<readonly [start: number, end: number]> {
  for (let open = text.indexOf('"'); open !== -1;) {
    const close = closingQuote(text, open)
    if (close === -1) return
    yield [open, close + 1]
    open = text.indexOf('"', close + 1)
  }
}

function closingQuote(text: string | Buffer, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (isBackslash(text, at - 1 - backslashes)) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return -1
}

const isBackslash = (text: string | Buffer, at: number): boolean =>
  typeof text === 'string' ? text[at] === '\\' : text[at] === 0x5c
