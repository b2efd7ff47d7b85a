/**
 * Runs every string of a JSON text through `redact` as what it means, not as it is escaped, and writes those anew that
 * came out changed. Everything else stays as it is to the byte, so that valid JSON stays valid; what lies outside of
 * strings, as in a damaged line, is run through as it stands.
 */
export function redactJson(text: string, redact: (part: string) => string): string {
  const parts: string[] = []
  let changed = false
  let outside = 0

  const take = (part: string, redacted: string) => {
    changed ||= redacted !== part
    parts.push(redacted)
  }
  for (let open = text.indexOf('"'); open !== -1; open = text.indexOf('"', outside)) {
    const close = closingQuote(text, open)
    if (close === -1) break
    const between = text.slice(outside, open)
    take(between, redact(between))
    const literal = text.slice(open, close + 1)
    take(literal, redactLiteral(literal, redact))
    outside = close + 1
  }
  if (parts.length === 0) return redact(text)
  const rest = text.slice(outside)
  take(rest, redact(rest))
  return changed ? parts.join('') : text
}

function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at
  }
  return -1
}

function redactLiteral(literal: string, redact: (part: string) => string): string {
  const meant = meaningOf(literal)
  if (meant === undefined) return redact(literal)
  const redacted = redact(meant)
  return redacted === meant ? literal : JSON.stringify(redacted)
}

/** The string that a literal stands for; undefined where it is no JSON. */
function meaningOf(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}
