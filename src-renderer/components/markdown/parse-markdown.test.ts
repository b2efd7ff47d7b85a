import { describe, expect, test } from 'vitest'
import { parseMarkdown } from './parse-markdown.ts'

const types = (text: string) => parseMarkdown(text)?.flatMap((token) => [token, ...(token.children ?? [])])

test('HTML is text', () => {
  const all = types('<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> and <b>bold</b>')
  expect(all?.some(({ type }) => type.startsWith('html'))).toBe(false)
  expect(all?.filter(({ type }) => type === 'text').map(({ content }) => content)).toContain(
    '<script>alert(1)</script>'
  )
})

test.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'vbscript:x', 'data:text/html,<b>', 'file:///etc/passwd'])(
  'a link to %s is text',
  (address) => {
    expect(types(`[a](${address})`)?.some(({ type }) => type === 'link_open')).toBe(false)
  }
)

test.each([
  ['quotes', '>'.repeat(10_000)],
  ['lists', '- '.repeat(8000)]
])('%s nested beyond all reason are not parsed, so that nothing inside is lost', (_what, marks) => {
  expect(parseMarkdown(`${marks}x`)).toBeNull()
})

describe('takes no long time for', () => {
  const long = (text: string) => text.repeat(Math.floor(16_384 / text.length))
  test.each([
    ['open brackets', long('[')],
    ['images', long('![')],
    ['stars', long('*a ')],
    ['backticks', Array.from({ length: 180 }, (_, at) => '`'.repeat(at)).join(' ')],
    ['a wide table of empty rows', `${'|a'.repeat(2000)}|\n${'|-'.repeat(2000)}|\n${'|\n'.repeat(3000)}`],
    ['a long table', `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(2700)}`]
  ])('%s', (_what, text) => {
    const start = performance.now()
    const tokens = parseMarkdown(text)
    expect(performance.now() - start).toBeLessThan(1000)
    expect(tokens?.length).toBeLessThan(20_000)
  })
})

test('a table of usual size is one', () => {
  expect(types('| a | b |\n|---|---|\n| 1 | 2 |')?.some(({ type }) => type === 'table_open')).toBe(true)
})
