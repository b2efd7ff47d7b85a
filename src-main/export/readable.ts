import type { Format, SessionView, Stream } from '#main/formats/format.ts'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { EntryRow } from '#shared/model/entry.ts'
import type { SecretFilter } from './secret-filter.ts'

/** What the forms that are not the source's own bytes are made of. */
export interface ReadableSource {
  readonly view: SessionView
  readonly format: Pick<Format, 'blocks' | 'image'>
  /** Indexes of the entries, in the order in which they are written. */
  readonly at: readonly number[]
  /** Id of the entry at the end of the path; null for the whole file and where there is none. */
  readonly end: string | null
  readonly row: (at: number) => EntryRow
  /** Indexes of the entries below one. */
  readonly children: (at: number) => readonly number[]
  readonly faults: number
  /** Of the main file. */
  readonly sha256: string
}

type Image = NonNullable<Awaited<ReturnType<Format['image']>>>

export interface EntryContent {
  readonly row: EntryRow
  readonly blocks: readonly DetailBlock[]
  /** How many of the last blocks are the stream of what those before them hold. */
  readonly streamed: number
  readonly facts: readonly (readonly [string, string])[]
  readonly image: (block: number) => Promise<Image | undefined>
}

/** The entries' whole contents one after the other; what lies side by side in the file is read in one go. */
export async function* entryContents(
  source: Pick<ReadableSource, 'view' | 'format' | 'at' | 'row'>,
  signal?: AbortSignal
): AsyncGenerator<EntryContent> {
  const { view, format } = source
  let next = 0
  for await (const object of view.content.objects(source.at, signal)) {
    const at = source.at[next++]
    if (at === undefined) return
    const held: SessionView = {
      records: view.records,
      tree: view.tree,
      open: view.open,
      content: {
        async *objects(wanted) {
          if (wanted.length === 1 && wanted[0] === at) yield object
          else yield* view.content.objects(wanted, signal)
        }
      }
    }
    const { blocks, facts, streamed = 0 } = await format.blocks(held, at)
    yield { row: source.row(at), blocks, streamed, facts, image: (block) => format.image(held, at, block) }
  }
}

/** Entries of a path that are not said again: pieces of an answer that is on it. */
export function leftOut({ view, at }: Pick<ReadableSource, 'view' | 'at'>): ReadonlySet<number> {
  const inIt = new Set(at)
  return new Set(
    at.filter((index) => {
      const answer = view.tree.streamOf?.(index)?.answer ?? null
      return answer !== null && inIt.has(answer)
    })
  )
}

/** What an export to be read says of an entry, or of a stream that no answer holds. */
export interface ReadContent extends EntryContent {
  /** Place in `ReadableSource.at`, of a stream's last entry. */
  readonly position: number
}

/** The contents of a path with each answer once: without the pieces in which it came, which are one where it never came whole. */
export async function* readContents(source: ReadableSource, signal?: AbortSignal): AsyncGenerator<ReadContent> {
  const { streamOf } = source.view.tree
  const skipped = leftOut(source)
  const positions = [...source.at.keys()].filter((position) => !skipped.has(source.at[position] ?? -1))
  const at = positions.flatMap((position) => source.at[position] ?? [])
  let next = 0
  let open: Pieces | null = null
  for await (const content of entryContents({ ...source, at }, signal)) {
    const position = positions[next] ?? 0
    const stream = streamOf?.(at[next] ?? -1) ?? null
    next++
    if (open !== null && open.stream === stream) {
      open.contents.push({ ...content, position })
      continue
    }
    if (open !== null) yield joined(open.contents)
    const once = { ...content, blocks: content.blocks.slice(0, content.blocks.length - content.streamed), position }
    open = stream === null ? null : { stream, contents: [once] }
    if (stream === null) yield once
  }
  if (open !== null) yield joined(open.contents)
}

interface Pieces {
  readonly stream: Stream
  readonly contents: ReadContent[]
}

/** The contents of one stream as one, its texts put together. */
function joined(contents: readonly ReadContent[]): ReadContent {
  const [first, last] = [contents[0], contents.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a stream without an entry')
  const id = first === last ? first.row.id : `${first.row.id} to ${last.row.id}`
  const blocks: { block: DetailBlock; texts: string[] }[] = []
  for (const block of contents.flatMap((content) => content.blocks)) {
    const open = blocks.at(-1)
    const goesOn = block.type !== 'other' && block.type === open?.block.type && block.name === open.block.name
    if (goesOn) open.texts.push(block.text)
    else blocks.push({ block, texts: [block.text] })
  }
  return {
    ...last,
    row: { ...first.row, id },
    blocks: blocks.map(({ block, texts }) => {
      const text = texts.join('')
      return { ...block, text, length: text.length }
    }),
    facts: first.facts
  }
}

const grouped = new Intl.NumberFormat('en-US')
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${grouped.format(count)} ${count === 1 ? one : many}`

const mostNamed = 20

/** What stands at the head of a readable export, a name and a value each. */
export function headFacts(source: ReadableSource, filter: SecretFilter): [string, string][] {
  const { view, at, end, faults, sha256 } = source
  const { session, leaves, nodes } = view.tree
  const [main] = view.records.files
  const inIt = new Set(at)
  const otherLeaves = leaves.filter((leaf) => !inIt.has(leaf))
  const missing = nodes.length - at.length
  const pieces = leftOut(source).size
  const others = [
    ...(missing === 0 ? [] : [countText(missing, 'entry', 'entries')]),
    ...(pieces === 0 ? [] : [`${countText(pieces, 'piece')} of answers that are in it whole`])
  ]
  const isDefault = view.tree.defaultLeaf.id === end ? ', the default one' : ''
  const facts: [string, string | null][] = [
    ['Session', session.id],
    ['Agent', view.tree.agent],
    ['Folder', session.cwd],
    ['Begun', session.createdAt],
    ['File', `${main.path}, ${countText(main.size, 'byte')}`],
    ['sha256 of the file', sha256],
    ['Path', end === null ? 'none: the session is empty' : `from the root to entry ${end}${isDefault}`],
    ['Holds', `${grouped.format(at.length - pieces)} of ${countText(nodes.length, 'entry', 'entries')}`],
    ['Not in it', others.length === 0 ? 'nothing: the session has one branch' : others.join(', ')],
    ['Leaves not in it', otherLeaves.length === 0 ? null : named(otherLeaves, source)],
    ['Faults in the file', faults === 0 ? null : grouped.format(faults)],
    ['Likely secrets', filter.redacts ? 'replaced by [redacted: …], images left out' : 'not replaced']
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, filter.text(value)]]))
}

export const titleOf = ({ view }: ReadableSource, filter: SecretFilter): string =>
  filter.text(filter.uncut(view.tree.session.title ?? 'Untitled session'))

/** Ids of entries, the first twenty by name. */
function named(indexes: readonly number[], { view }: ReadableSource): string {
  const ids = indexes.slice(0, mostNamed).map((index) => view.tree.nodes[index]?.id ?? '')
  const more = indexes.length - ids.length
  return more === 0 ? ids.join(', ') : `${ids.join(', ')} and ${grouped.format(more)} more`
}

/** What else begins below an entry of a path; null where nothing does. */
export function branchNote(source: ReadableSource, position: number, filter: SecretFilter): string | null {
  const at = source.at[position]
  if (at === undefined) return null
  const others = source.children(at).filter((child) => child !== source.at[position + 1])
  if (others.length === 0) return null
  const what =
    position === source.at.length - 1
      ? countText(others.length, 'branch goes on from here', 'branches go on from here')
      : countText(others.length, 'other branch begins here', 'other branches begin here')
  return filter.text(`${what}, not in this export: ${named(others, source)}`)
}

/** Whether a turn begins with an entry: what the person wrote. */
export const startsTurn = ({ kind, role }: Pick<EntryRow, 'kind' | 'role'>): boolean =>
  kind === 'message' && role === 'user'

/** Who speaks, or what kind of entry it is. */
export function speaker({ kind, role, tool }: EntryRow): string {
  if (kind !== 'message') return capital(kind.replaceAll('-', ' '))
  if (tool !== null) return role === 'assistant' ? 'Assistant' : 'Tool result'
  return capital(role ?? 'message')
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Lines ended by line feeds, other control characters as pictures of themselves: nothing moves a cursor or ends a line unseen. */
export function visible(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(controls, (character) => {
      const code = character.charCodeAt(0)
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd'
    })
    .toWellFormed()
}

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** The same on one line. */
export const visibleLine = (text: string): string => visible(text).replaceAll(/\s+/g, ' ').trim()
