import type { AppendRequest } from '#main/formats/format.ts'
import { cut } from '#main/formats/cut.ts'
import type { Cut, Window } from '#main/formats/string-cutter.ts'
import type { DetailBlock, EntryDetail } from '#shared/contract/entry.ts'
import type { EntryContent } from '#shared/contract/transcript.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Fault } from '#shared/model/fault.ts'
import { headLength, readCut } from './read-cut.ts'
import type { ReadSession } from './read-session.ts'
import { entryRow } from '../session-views.ts'

type Blocks = Awaited<ReturnType<ReadSession['format']['blocks']>>

/** Characters of a text that come at once, and at each further request. */
export const detailLength = 16_384
export const pageLength = 65_536
const contentBlocks = 100
const contentLength = 131_072
const largestImage = 2 ** 25
/** The strings of a longer entry are never made whole for the inspector. */
const hugeBytes = 2 ** 20
const largestWithImages = 2 ** 26

/** What a page may show as an image without being handed a document. */
const imageType = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/

/** An entry for the inspector, its long texts cut. */
export async function entryDetail(session: ReadSession, entry: string, faults: readonly Fault[]): Promise<EntryDetail> {
  const { tree, format, records } = session
  const at = session.at(entry)
  const { blocks, facts, own, cuts } = await blocksInPart(session, at)
  const record = records.entries[at]
  const parent = tree.nodes[at]?.parent ?? -1
  const file = records.files[record?.file ?? 0]?.path
  const isOnLine = (fault: Fault) => fault.line !== null && fault.line === record?.line && fault.file === file
  const idsOf = (indexes: readonly number[]) => indexes.flatMap((index) => tree.nodes[index]?.id ?? [])
  return {
    entry: entryRow(session, at),
    blocks: blocks.map((block) => ({
      ...block,
      text: cut(block.text, headLength),
      length: wholeLength(block, cuts)
    })),
    facts: facts.map(([name, value]) => [name, value]),
    faults: faults.filter((fault) => fault.entry === entry || isOnLine(fault)),
    children: idsOf(session.children(at)),
    siblings: idsOf(session.children(parent).filter((index) => index !== at)),
    branch: format.branchPoint(session, at),
    append: { branch: appendRefusal(session, at, 'branch'), label: appendRefusal(session, at, 'label') },
    own
  }
}

/** What an entry says, with at most 100 blocks and 131,072 characters in all. */
export async function entryContent(session: ReadSession, at: number): Promise<EntryContent> {
  const { blocks, facts, cuts } = await blocksInPart(session, at)
  let left = contentLength
  const shown = blocks.slice(0, contentBlocks).map((block) => {
    const text = cut(block.text, Math.min(detailLength, left))
    left -= text.length
    return { ...block, text, length: wholeLength(block, cuts) }
  })
  return {
    id: session.tree.nodes[at]?.id ?? '',
    at,
    blocks: shown,
    moreBlocks: blocks.length - shown.length,
    facts: facts.map(([name, value]) => [name, value])
  }
}

/** A page of a block's text; `next` is where the one after it begins. */
export async function entryText(
  session: ReadSession,
  entry: string,
  block: number,
  from: number
): Promise<{ text: string; next: number | null }> {
  const at = session.at(entry)
  const { blocks, cuts } = await blocksInPart(session, at, { from, to: from + pageLength + 1 })
  const own = blockAt(session, entry, blocks, block)
  if (own.type === 'tool-call' || own.type === 'other') {
    // Made of several strings, so that no window of it was read.
    const whole = blockAt(session, entry, (await session.format.blocks(session, at)).blocks, block).text
    return pageOf(whole.slice(from), from, whole.length)
  }
  const { head, length } = cuts.get(own.text) ?? { head: own.text.length, length: own.text.length }
  return pageOf(from < head ? own.text.slice(from, head) : own.text.slice(head), from, length)
}

/** An image block as a data URL. Refused as `not-found`, `unsupported`. */
export async function entryImage(session: ReadSession, entry: string, block: number): Promise<{ url: string }> {
  const at = session.at(entry)
  const { blocks } = await blocksInPart(session, at)
  const where = { file: session.stored.files[0].path, entry }
  const kind = blockAt(session, entry, blocks, block).type
  const image = kind === 'image' ? await session.format.image(session, at, block) : undefined
  if (image === undefined)
    throw new Refusal('not-found', `The bytes of this image of entry ${entry} are missing.`, where)
  if (!imageType.test(image.mimeType) || image.bytes.length > largestImage) {
    throw new Refusal('unsupported', `This image of entry ${entry} is of a kind or size that is not shown.`, where)
  }
  return { url: `data:${image.mimeType};base64,${image.bytes.toString('base64')}` }
}

/** The whole text that the person wrote at an entry; null for what others wrote. */
export async function ownText(session: ReadSession, at: number): Promise<string | null> {
  const { blocks, own } = await session.format.blocks(session, at)
  if (!own) return null
  return blocks.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\n')
}

/** Blocks whose texts are whole, or, in a huge entry, cut to their heads and a window. */
async function blocksInPart(
  session: ReadSession,
  at: number,
  window?: Window
): Promise<Blocks & { readonly cuts: ReadonlyMap<string, Cut> }> {
  const whole = async () => ({ ...(await session.format.blocks(session, at)), cuts: new Map() })
  const record = session.records.entries[at]
  const [, bytes] = record?.bytes ?? [0, 0]
  const isParsed = record !== undefined && (session.format.parser?.(record) ?? null) !== null
  if (bytes <= hugeBytes || isParsed) return whole()
  const { object, cuts, isAmbiguous } = await readCut(session, at, window)
  if (isAmbiguous) return whole()
  const content = {
    async *objects() {
      yield object
    }
  }
  const found = await session.format.blocks({ ...session, content }, at)
  // An image's size is only known from the whole of it.
  if (!found.blocks.some(({ type }) => type === 'image')) return { ...found, cuts }
  if (bytes <= largestWithImages) return whole()
  const blocks = found.blocks.map((block) => (block.type === 'image' ? { ...block, bytes: null } : block))
  return { ...found, blocks, cuts }
}

/** Characters of a block's whole text; in one that is made of several strings, those that JSON would escape count once. */
function wholeLength({ text }: DetailBlock, cuts: ReadonlyMap<string, Cut>): number {
  const own = cuts.get(text)
  if (own !== undefined) return own.length
  let length = text.length
  for (const [left, whole] of cuts) {
    if (text.includes(JSON.stringify(left))) length += whole.length - left.length
  }
  return length
}

function pageOf(rest: string, from: number, length: number): { text: string; next: number | null } {
  const text = cut(rest, pageLength)
  const next = from + text.length
  return { text, next: text !== '' && next < length ? next : null }
}

function blockAt(session: ReadSession, entry: string, blocks: readonly DetailBlock[], block: number): DetailBlock {
  const found = blocks[block]
  if (found !== undefined) return found
  const file = session.stored.files[0].path
  throw new Refusal('not-found', `Entry ${entry} has no block ${block}.`, { file, entry })
}

function appendRefusal(session: ReadSession, at: number, kind: AppendRequest['kind']): string | null {
  const { format } = session
  if (format.appendRefusal === undefined) return `The files of ${format.label} sessions are not appended to.`
  return format.appendRefusal(session, at, kind)
}
