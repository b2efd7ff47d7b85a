/**
 * The first `limit` characters, well-formed, in a string of its own: a slice would keep the whole text in memory.
 * Never ends in half a surrogate pair.
 */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed()
  const last = text.charCodeAt(limit - 1)
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit
  return Buffer.from(text.slice(0, end)).toString()
}

/** One line of at most `limit` characters, runs of white space as one blank, an ellipsis where it was cut. */
export function oneLine(text: string, limit: number): string {
  const start = cut(text, limit * 4)
  const flat = start.replace(/\s+/g, ' ').trim()
  return flat.length <= limit && start.length === text.length ? flat : `${cut(flat, limit - 1).trimEnd()}…`
}
