import { fatesOf } from '#main/compaction/fates-of.ts'
import { cut, oneLine } from '#main/formats/cut.ts'
import type { CompactionNote } from '#main/formats/format.ts'
import { diffTexts } from '#main/context/diff-texts.ts'
import { messageText } from '#main/context/message-blocks.ts'
import type { CompactionHead, FateRow } from '#shared/contract/compaction.ts'
import type { TextDiff } from '#shared/contract/context.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { fates, type FateName } from '#shared/model/compaction.ts'
import { placeFault, type Fault } from '#shared/model/fault.ts'
import type { Context, Message } from '#shared/model/message.ts'
import { detailLength, pageLength } from './entry-blocks.ts'
import type { ReadSession } from './read-session.ts'
import { isoTime } from '../session-views.ts'

type Build = (session: ReadSession, at: number) => Promise<Context>

/** One side of a compaction without the messages' texts, which can be large and many. */
interface Side {
  readonly messages: readonly MessageNote[]
  readonly fates: readonly FateName[]
}

interface MessageNote extends Pick<Message, 'kind' | 'role' | 'tokens' | 'sent'> {
  readonly source: string
  readonly preview: string
  /** Its own words on one line; "" where it has none. */
  readonly words: string
}

interface Comparison {
  readonly note: CompactionNote
  readonly before: Side
  readonly after: Side
  /** As `Fates.partners`. */
  readonly partners: ArrayLike<number>
  readonly faults: readonly Fault[]
}

interface Held {
  readonly session: ReadSession
  readonly at: number
  readonly comparison: Promise<Comparison>
}

const previewLength = 200
const summaryLength = 160
const keptComparisons = 4
const mostFound = 1000
const mostRewritten = 100

/** Answers for compactions. The last four are kept, as they are asked for page by page and in turn. */
export class Compactions {
  readonly #build: Build
  #held: readonly Held[] = []

  constructor(build: Build) {
    this.#build = build
  }

  list(session: ReadSession, entry: string | undefined): { entry: string; time: string | null }[] {
    const { records, tree } = session
    const among = entry === undefined ? [...records.entries.keys()] : session.toldUpTo(session.at(entry))
    return among
      .filter((at) => records.entries[at]?.kind === 'compaction')
      .map((at) => ({ entry: tree.nodes[at]?.id ?? '', time: isoTime(records.entries[at]?.time) }))
  }

  async head(session: ReadSession, entry: string): Promise<CompactionHead> {
    const at = compactionAt(session, entry)
    const comparison = await this.#get(session, at)
    const { note, before, after, faults } = comparison
    const { nodes } = session.tree
    const { trigger, summary, recordedBefore, recordedAfter } = note
    const sides = { before: amounts(before), after: amounts(after) }
    return {
      entry,
      parent: nodes[nodes[at]?.parent ?? -1]?.id ?? null,
      time: isoTime(session.records.entries[at]?.time),
      trigger,
      summary: summary === null ? null : cut(summary, detailLength),
      summaryLength: summary?.length ?? 0,
      tokensBefore: sides.before.tokens,
      tokensAfter: sides.after.tokens,
      recordedBefore,
      recordedAfter,
      ...sides,
      firstChange: firstChange(comparison),
      rewritten: before.fates.flatMap((fate, place) => (fate === 'rewritten' ? [place] : [])).slice(0, mostRewritten),
      next: nextRequest(session, at),
      faults: [...faults]
    }
  }

  async fates(
    session: ReadSession,
    entry: string,
    side: 'before' | 'after',
    page: { readonly from: number; readonly count: number }
  ): Promise<FateRow[]> {
    const chosen = (await this.#get(session, compactionAt(session, entry)))[side]
    return chosen.messages
      .slice(page.from, page.from + page.count)
      .map((message, index) => fateRow(session, message, chosen.fates[page.from + index] ?? 'kept', page.from + index))
  }

  async summary(session: ReadSession, entry: string, from: number): Promise<{ text: string; next: number | null }> {
    const { note } = await this.#get(session, compactionAt(session, entry))
    const whole = note.summary ?? ''
    const text = cut(whole.slice(from), pageLength)
    const next = from + text.length
    return { text, next: next < whole.length ? next : null }
  }

  /** Reads both contexts once more: texts are not kept. */
  async difference(session: ReadSession, entry: string, index: number): Promise<TextDiff> {
    const at = compactionAt(session, entry)
    const partner = (await this.#get(session, at)).partners[index] ?? -1
    const parent = session.tree.nodes[at]?.parent ?? -1
    const before = partner < 0 || parent < 0 ? undefined : (await this.#build(session, parent)).messages[index]
    const after = before === undefined ? undefined : (await this.#build(session, at)).messages[partner]
    if (before !== undefined && after !== undefined) return diffTexts(messageText(before), messageText(after))
    const file = session.stored.files[0].path
    throw new Refusal('not-found', `Message ${index} does not stand on both sides of compaction ${entry}.`, {
      file,
      entry
    })
  }

  /** Reads the context before once more: texts are not kept. */
  async find(
    session: ReadSession,
    entry: string,
    text: string,
    signal: AbortSignal
  ): Promise<{ found: number[]; searched: number }> {
    const at = compactionAt(session, entry)
    const { before } = await this.#get(session, at)
    const parent = session.tree.nodes[at]?.parent ?? -1
    const { messages } = parent < 0 ? { messages: [] } : await session.format.context(session, parent, signal)
    const wanted = text.toLowerCase()
    const gone = messages.flatMap((_, index) => (isGone(before.fates[index]) ? [index] : []))
    const found = gone.filter((index) => messages[index]?.blocks.some((block) => holds(block, wanted)))
    return { found: found.slice(0, mostFound), searched: gone.length }
  }

  #get(session: ReadSession, at: number): Promise<Comparison> {
    const held = this.#held.find((one) => one.session === session && one.at === at)
    const comparison = held?.comparison ?? this.#compare(session, at)
    if (held === undefined) {
      const forget = () => (this.#held = this.#held.filter((one) => one.comparison !== comparison))
      comparison.catch(forget)
    }
    const others = this.#held.filter((one) => one.session === session && one.at !== at)
    this.#held = [{ session, at, comparison }, ...others].slice(0, keptComparisons)
    return comparison
  }

  async #compare(session: ReadSession, at: number): Promise<Comparison> {
    const { tree, format, stored } = session
    const parent = tree.nodes[at]?.parent ?? -1
    const note = await format.compaction(session, at)
    const before = parent < 0 ? { messages: [], faults: [] } : await this.#build(session, parent)
    const after = await this.#build(session, at)
    const covered = note.covered === null ? null : new Set([...note.covered].map((index) => tree.nodes[index]?.id))
    const names = fatesOf(before.messages, after.messages, (source) => covered?.has(source) !== false)
    const id = tree.nodes[at]?.id ?? ''
    const own = tree.faults.filter((fault) => fault.kind === 'kept-entry-not-ancestor' && fault.entry === id)
    return {
      note,
      before: { messages: before.messages.map(noteOf), fates: names.before },
      after: { messages: after.messages.map(noteOf), fates: names.after },
      partners: names.partners,
      faults: [...own.map((fault) => placeFault(fault, stored.files[0].path)), ...before.faults, ...after.faults]
    }
  }
}

function compactionAt(session: ReadSession, entry: string): number {
  const at = session.at(entry)
  if (session.records.entries[at]?.kind === 'compaction') return at
  const file = session.stored.files[0].path
  throw new Refusal('not-found', `Entry ${entry} of ${file} is no compaction. "compactions" lists them.`, {
    file,
    entry
  })
}

const noteOf = ({ kind, role, tokens, sent, sources, text, blocks }: Message): MessageNote => ({
  kind,
  role,
  tokens,
  ...(sent === undefined ? {} : { sent }),
  source: sources[0] ?? '',
  preview: cut(text, previewLength),
  words: oneLine(text === '' ? thoughts(blocks) : text, summaryLength)
})

/** Of a message that holds nothing else. */
const thoughts = (blocks: Message['blocks']): string => {
  const texts = blocks.flatMap((block) => (block.type === 'thinking' ? [block.text] : []))
  return texts.length === blocks.length ? texts.join('\n') : ''
}

const isGone = (fate: FateName | undefined): boolean =>
  fate === 'summarised' || fate === 'dropped' || fate === 'rewritten'

function holds(block: Message['blocks'][number], wanted: string): boolean {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'tool-result':
      return block.text.toLowerCase().includes(wanted)
    case 'tool-call':
      return `${block.name} ${argumentsText(block.arguments)}`.toLowerCase().includes(wanted)
    case 'image':
    case 'other':
      return false
  }
}

/** "" where they are nested too deeply to be written. */
function argumentsText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

function amounts({ messages, fates: names }: Side): CompactionHead['before'] {
  const sum = (which: (message: MessageNote, fate: FateName | undefined) => boolean): number =>
    messages.reduce((total, message, at) => (which(message, names[at]) ? total + message.tokens : total), 0)
  const counts = Object.fromEntries(fates.map((name) => [name, names.filter((fate) => fate === name).length]))
  return {
    messages: messages.length,
    tokens: sum(() => true),
    unsent: sum(({ sent }) => sent === false),
    fates: counts as Record<FateName, number>,
    droppedTokens: sum((_, fate) => fate === 'dropped')
  }
}

function fateRow(session: ReadSession, message: MessageNote, fate: FateName, index: number): FateRow {
  const { source, kind, role, preview, words, tokens, sent } = message
  const row = kind === 'message' ? session.tree.row(session.at(source)) : null
  return {
    source,
    role,
    preview,
    tokens,
    fate,
    ...(sent === undefined ? {} : { sent }),
    index,
    kind,
    tool: row?.tool ?? null,
    // An entry may hold several messages, of which its row tells one.
    summary: row === null || (row.tool === null && words !== '') ? words : row.summary
  }
}

/** Where the two sides part, by what is sent: what stands behind is read anew by the provider. */
function firstChange({ before, after, partners }: Comparison): CompactionHead['firstChange'] {
  const isSent = ({ sent }: MessageNote) => sent !== false
  const placesAfter = after.messages.flatMap((message, place) => (isSent(message) ? [place] : []))
  let stable = 0
  let tokens = 0
  for (const [at, message] of before.messages.entries()) {
    if (!isSent(message)) continue
    if (before.fates[at] !== 'kept' || partners[at] !== placesAfter[stable])
      return { at, source: message.source, tokens }
    stable++
    tokens += message.tokens
  }
  return null
}

/**
 * The first answer below a compaction, by the order of the file, that did not fail before it used anything; or what a
 * store writes in place of it.
 */
function nextRequest({ records, tree, format }: ReadSession, at: number): CompactionHead['next'] {
  const requests = format.requests(records, tree)
  const answers = new Set(requests.flatMap((request) => (request.contextTokens === null ? [] : [request.at])))
  const isBelow = new Uint8Array(records.entries.length)
  isBelow[at] = 1
  for (let index = at + 1; index < records.entries.length; index++) {
    if (isBelow[tree.nodes[index]?.parent ?? -1] !== 1) continue
    const entry = records.entries[index]
    if (entry?.kind === 'compaction') continue
    isBelow[index] = 1
    const isAnswer = entry?.role === 'assistant' || answers.has(index)
    if (isAnswer && entry !== undefined && entry.usage !== null && entry.usage.total !== 0) {
      return { entry: tree.nodes[index]?.id ?? '', usage: entry.usage }
    }
  }
  return null
}
