import type { DetailBlock } from '#shared/contract/entry.ts'
import { imageText, sizeText } from './block-words.ts'
import {
  branchNote,
  type EntryContent,
  headFacts,
  readContents,
  type ReadableSource,
  speaker,
  startsTurn,
  titleOf,
  visible,
  visibleLine
} from './readable.ts'
import type { SecretFilter } from './secret-filter.ts'

/** The path as Markdown: a heading a turn, thinking and tool output folded, every foreign text in a quote or fence of its own. */
export async function* markdownParts(
  source: ReadableSource,
  filter: SecretFilter,
  signal?: AbortSignal
): AsyncGenerator<string> {
  yield `# ${inline(titleOf(source, filter))}\n\n`
  for (const [name, value] of headFacts(source, filter)) yield `- ${name}: ${inline(value)}\n`
  let turn = 0
  let isFirst = true
  for await (const content of readContents(source, signal)) {
    if (startsTurn(content.row)) yield `\n## Turn ${++turn}\n`
    else if (isFirst) yield '\n## Before the first turn\n'
    yield* entryParts(content, branchNote(source, content.position, filter), filter)
    isFirst = false
  }
}

function* entryParts({ row, blocks, facts }: EntryContent, branches: string | null, filter: SecretFilter) {
  const heading = [speaker(row), ...(row.time === null ? [] : [row.time]), `entry ${row.id}`]
  yield `\n### ${inline(filter.text(heading.join(' · ')))}\n\n`
  if (row.label !== null) yield `Label: ${inline(filter.text(row.label))}\n\n`
  for (const block of blocks) yield* blockParts(block, filter)
  const about = facts.map(([name, value]) => `${name}: ${inline(filter.text(filter.uncut(value)))}`)
  if (about.length > 0) yield `${about.map((fact) => `- ${fact}`).join('\n')}\n`
  if (branches !== null) yield `\n**Branch point.** ${inline(branches)}\n`
}

function* blockParts({ type, text, name, bytes, isError }: DetailBlock, filter: SecretFilter): Generator<string> {
  const said = visible(filter.text(text))
  const named = name === null ? '' : ` ${inline(filter.text(name))}`
  const tagged = name === null ? '' : ` ${html(filter.text(name))}`
  switch (type) {
    case 'text':
      if (name !== null) yield `**File**${named}\n\n`
      yield mayBeRendered(said) ? quote(said) : fence(said, 'markdown')
      return
    case 'thinking':
      return yield folded(`Thinking, ${sizeText(text)}`, fence(said, 'text'))
    case 'tool-call':
      yield `**Tool call**${named}\n\n`
      return yield fence(said, 'json')
    case 'tool-result':
      return yield folded(`Output${tagged}${isError ? ', failed' : ''}, ${sizeText(text)}`, fence(said, 'text'))
    case 'image':
      return yield `*${inline(imageText(filter.text(name ?? ''), bytes))}, left out*\n\n`
    case 'other':
      return yield folded(`Content${tagged}, ${sizeText(text)}`, fence(said, 'json'))
  }
}

/** `summary` is HTML of ours on one line; its foreign parts are escaped already. */
const folded = (summary: string, content: string) =>
  `<details><summary>${summary}</summary>\n\n${content}</details>\n\n`

/** HTML, images and what refers to a link elsewhere would work outside of a quote too. */
const mayBeRendered = (text: string) => !/<[A-Za-z/!?]|!\[|^ {0,3}\[[^\]]*\]:/m.test(text)

const quote = (text: string) => `${text.replaceAll(/^/gm, '> ')}\n\n`

/** A fence longer than any run of backticks within. */
function fence(text: string, language: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const marks = '`'.repeat(longest + 1)
  return `${marks}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}\n\n`
}

const special = /[\\`*_[\]<>#|~!]/g

/** A foreign text within a line of ours: nothing in it is formatting, a tag or an entity. */
const inline = (text: string): string =>
  visibleLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll(special, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`))

/** A foreign text within a tag of ours. */
const html = (text: string): string =>
  visibleLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
