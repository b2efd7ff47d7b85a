import { jsonStrings } from './json-strings.ts'

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
  for (const [open, end] of jsonStrings(text)) {
    const between = text.slice(outside, open)
    take(between, redact(between))
    const literal = text.slice(open, end)
    take(literal, redactLiteral(literal, redact))
    outside = end
  }
  const rest = text.slice(outside)
  take(rest, redact(rest))
  return changed ? parts.join('') : text
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
