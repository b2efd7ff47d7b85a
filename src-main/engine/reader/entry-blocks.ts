import { cut } from '#main/formats/cut.ts'
import type { DetailBlock, EntryDetail } from '#shared/contract/entry.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Fault } from '#shared/model/fault.ts'
import type { ReadSession } from './read-session.ts'
import { entryRow } from './session-views.ts'

type Blocks = Awaited<ReturnType<ReadSession['format']['blocks']>>

const detailLength = 16_384
const pageLength = 65_536
const largestImage = 2 ** 25

/** What a page may show as an image without being handed a document. */
const imageType = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/

/** Answers for one entry's content. The last entry's blocks are kept, as long texts are asked for page by page. */
export class EntryBlocks {
  #last: { readonly session: ReadSession; readonly at: number; readonly blocks: Promise<Blocks> } | undefined

  async detail(session: ReadSession, entry: string, faults: readonly Fault[]): Promise<EntryDetail> {
    const { tree, format, records } = session
    const at = session.at(entry)
    const { blocks, facts, own } = await this.#get(session, at)
    const record = records.entries[at]
    const parent = tree.nodes[at]?.parent ?? -1
    const idsOf = (indexes: readonly number[]) => indexes.flatMap((index) => tree.nodes[index]?.id ?? [])
    return {
      entry: entryRow(session, at),
      blocks: blocks.map((block) => ({ ...block, text: cut(block.text, detailLength) })),
      facts: facts.map(([name, value]) => [name, value]),
      faults: faults.filter((fault) => fault.entry === entry || (fault.line !== null && fault.line === record?.line)),
      children: idsOf(session.children(at)),
      siblings: idsOf(session.children(parent).filter((index) => index !== at)),
      branch: format.branchPoint(session, at),
      own
    }
  }

  async text(
    session: ReadSession,
    entry: string,
    block: number,
    from: number
  ): Promise<{ text: string; next: number | null }> {
    const { blocks } = await this.#get(session, session.at(entry))
    const whole = blockAt(session, entry, blocks, block).text
    const text = cut(whole.slice(from), pageLength)
    const next = from + text.length
    return { text, next: next < whole.length ? next : null }
  }

  async image(session: ReadSession, entry: string, block: number): Promise<{ url: string }> {
    const at = session.at(entry)
    const { blocks } = await this.#get(session, at)
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
  async ownText(session: ReadSession, at: number): Promise<string | null> {
    const { blocks, own } = await this.#get(session, at)
    if (!own) return null
    return blocks.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\n')
  }

  #get(session: ReadSession, at: number): Promise<Blocks> {
    if (this.#last?.session !== session || this.#last.at !== at) {
      this.#last = { session, at, blocks: session.format.blocks(session, at) }
    }
    return this.#last.blocks
  }
}

function blockAt(session: ReadSession, entry: string, blocks: readonly DetailBlock[], block: number): DetailBlock {
  const found = blocks[block]
  if (found !== undefined) return found
  const file = session.stored.files[0].path
  throw new Refusal('not-found', `Entry ${entry} has no block ${block}.`, { file, entry })
}
