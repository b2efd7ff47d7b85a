import { createHash } from 'node:crypto'
import type { DetailBlock } from '#shared/contract/entry.ts'
import { imageText, sizeText } from './block-words.ts'
import { style } from './html-style.ts'
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

/** Nothing may be run, fetched or sent; the one style is known by its hash, images stand in the page itself. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'"
].join('; ')

/** The path as one page without script or link that needs nothing else. One entry after the other, never nested. */
export async function* htmlParts(
  source: ReadableSource,
  filter: SecretFilter,
  signal?: AbortSignal
): AsyncGenerator<string> {
  const title = escaped(titleOf(source, filter))
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<dl>
`
  for (const [name, value] of headFacts(source, filter)) yield fact(name, value)
  yield '</dl>\n'
  let turn = 0
  let isFirst = true
  for await (const content of readContents(source, signal)) {
    if (startsTurn(content.row)) yield `<h2>Turn ${++turn}</h2>\n`
    else if (isFirst) yield '<h2>Before the first turn</h2>\n'
    yield* entryParts(content, branchNote(source, content.position, filter), filter)
    isFirst = false
  }
  yield '</main>\n</body>\n</html>\n'
}

async function* entryParts(
  { row, blocks, facts, image }: EntryContent,
  branches: string | null,
  filter: SecretFilter
): AsyncGenerator<string> {
  const text = (own: string) => escaped(filter.text(own))
  yield `<article class="${looks[row.role ?? ''] ?? 'other'}">\n<h3>${text(speaker(row))}</h3>\n<p class="place">`
  yield [...(row.time === null ? [] : [row.time]), `entry ${text(row.id)}`].join(' · ')
  if (row.label !== null) yield ` · <strong>label ${text(row.label)}</strong>`
  yield '</p>\n'
  for (const [index, block] of blocks.entries()) {
    yield block.type === 'image' ? await imagePart(block, () => image(index), filter) : blockPart(block, filter)
  }
  if (facts.length > 0) {
    yield '<dl>\n'
    for (const [name, value] of facts) yield fact(filter.text(name), filter.text(filter.uncut(value)))
    yield '</dl>\n'
  }
  if (branches !== null) yield `<p class="branches">${escaped(branches)}</p>\n`
  yield '</article>\n'
}

const looks: Readonly<Record<string, string>> = { user: 'user', assistant: 'assistant', toolResult: 'tool' }

function blockPart({ type, text, name, isError }: DetailBlock, filter: SecretFilter): string {
  const said = `<pre>${escaped(filter.text(text))}</pre>\n`
  const named = name === null ? '' : ` <code>${escaped(filter.text(name))}</code>`
  switch (type) {
    case 'text':
      return name === null ? said.replace('<pre>', '<pre class="said">') : `<p>File${named}</p>\n${said}`
    case 'thinking':
      return folded(`Thinking, ${sizeText(text)}`, said)
    case 'tool-call':
      return `<p>Tool call${named}</p>\n${said}`
    case 'tool-result':
      return folded(`Output${named}${isError ? ', failed' : ''}, ${sizeText(text)}`, said)
    case 'other':
    case 'image':
      return folded(`Content${named}, ${sizeText(text)}`, said)
  }
}

/** `summary` is HTML of ours; its foreign parts are escaped already. */
const folded = (summary: string, content: string) => `<details><summary>${summary}</summary>\n${content}</details>\n`

const largestImage = 2 ** 18
const rasterType = /^image\/(?:png|jpeg|gif|webp)$/

/** Small pictures are put into the page, where nothing is redacted; of all others their type and size are told. */
async function imagePart(
  { name, bytes }: DetailBlock,
  read: () => ReturnType<EntryContent['image']>,
  filter: SecretFilter
): Promise<string> {
  const about = escaped(filter.text(imageText(name ?? '', bytes)))
  const isSmall = bytes !== null && bytes <= largestImage && rasterType.test(name ?? '') && !filter.redacts
  const image = isSmall ? await read() : undefined
  if (image === undefined || image.bytes.length > largestImage || !rasterType.test(image.mimeType))
    return `<p class="image">${about}, left out</p>\n`
  const data = image.bytes.toString('base64')
  return `<figure><img alt="" src="data:${image.mimeType};base64,${data}"><figcaption>${about}</figcaption></figure>\n`
}

const fact = (name: string, value: string) =>
  `<div><dt>${escaped(name)}</dt><dd>${escaped(visibleLine(value))}</dd></div>\n`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

const escaped = (text: string): string => visible(text).replaceAll(/[&<>"']/g, (mark) => entities[mark] ?? mark)
