const longestPart = 16_384
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/

/**
 * A text in parts that are set one by one, as the work for a part may grow with the square of its length: cut at ends of
 * lines, with a fence that is open at a cut opened again behind it. A longer text of the same beginning has the same
 * parts, save the last.
 */
export function markdownParts(text: string): string[] {
  const parts: string[] = []
  let from = 0
  let opened = ''
  while (text.length - from > longestPart) {
    const lineEnd = text.lastIndexOf('\n', from + longestPart - 1) + 1
    const end = lineEnd > from ? lineEnd : from + longestPart
    const part = opened + text.slice(from, end)
    parts.push(part)
    opened = openFence(part)
    from = end
  }
  parts.push(opened + text.slice(from))
  return parts
}

/** The line with which a fence began that no line closes; "" where none is open. */
function openFence(part: string): string {
  let open = ''
  let mark = ''
  for (const line of part.split('\n')) {
    const [, marks = '', info = ''] = fence.exec(line) ?? []
    if (marks === '') continue
    if (mark === '') {
      if (marks.startsWith('`') && info.includes('`')) continue
      mark = marks
      open = `${line}\n`
    } else if (marks.startsWith(mark) && info.trim() === '') {
      mark = ''
      open = ''
    }
  }
  return open
}
