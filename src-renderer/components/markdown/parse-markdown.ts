import MarkdownIt, { type Token } from 'markdown-it'

const deepest = 30
const mostCells = 5000

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: deepest })
const withoutTables = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: deepest }).disable(
  'table'
)

/**
 * Markdown as a flat list of tokens; no HTML in it is any. Null where it is nested so deeply that the parser would leave
 * out what is inside. A table of more than 5,000 cells stays text.
 */
export function parseMarkdown(text: string): Token[] | null {
  const tokens = (hasHugeTable(text) ? withoutTables : parser).parse(text, {})
  return tokens.some(({ level }) => level >= deepest - 1) ? null : tokens
}

const delimiterRow = /^[\s>]*\|?[\s|:-]*-[\s|:-]*$/

/** A row with too few cells is filled up, so a wide head over many empty rows is more than it looks. */
function hasHugeTable(text: string): boolean {
  const lines = text.split('\n')
  let columns = 0
  let rows = 0
  for (const line of lines) {
    const isDelimiter = line.includes('|') && delimiterRow.test(line)
    if (isDelimiter && columns === 0) {
      columns = line.split('|').length
      rows = 0
    } else if (line.trim() === '') columns = 0
    else if (columns > 0 && ++rows * columns > mostCells) return true
  }
  return false
}
