import { expect, test } from 'vitest'
import { markdownParts } from './markdown-parts.ts'

const lines = (count: number) => 'some words\n'.repeat(count)

test('a text of usual length is one part', () => {
  expect(markdownParts('# Hello\n')).toEqual(['# Hello\n'])
  expect(markdownParts('')).toEqual([''])
})

test('a long text is cut at ends of lines and nothing of it is lost', () => {
  const parts = markdownParts(lines(5000))
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.every((part) => part.length <= 16_384 && part.endsWith('\n'))).toBe(true)
  expect(parts.join('')).toBe(lines(5000))
})

test('a line longer than a part is cut where the part ends', () => {
  expect(markdownParts('x'.repeat(40_000)).map(({ length }) => length)).toEqual([16_384, 16_384, 7232])
})

test('code that is cut goes on as code', () => {
  const [first, second] = markdownParts(`\`\`\`ts\n${lines(2000)}\`\`\`\nend`)
  expect(first?.startsWith('```ts\n')).toBe(true)
  expect(second?.startsWith('```ts\nsome words\n')).toBe(true)
  expect(second?.endsWith('```\nend')).toBe(true)
})

test('a closed fence and a shorter one inside a longer leave nothing open', () => {
  const [, second] = markdownParts(`\`\`\`\`md\n\`\`\`\n\`\`\`\`\n${lines(2000)}`)
  expect(second?.startsWith('some words')).toBe(true)
})

test('a text that grows keeps its parts but the last', () => {
  const before = markdownParts(lines(4000))
  expect(markdownParts(lines(9000)).slice(0, before.length - 1)).toEqual(before.slice(0, -1))
})
