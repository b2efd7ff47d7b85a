import { compareContexts, prefixLength, type ComparedRow } from '#main/context/compare-contexts.ts'
import { contextHead, messageHead } from '#main/context/context-head.ts'
import { diffTexts } from '#main/context/diff-texts.ts'
import { messageBlocks, messageText } from '#main/context/message-blocks.ts'
import { cut } from '#main/formats/cut.ts'
import type {
  ComparedMessage,
  ContextComparison,
  ContextHead,
  MessageHead,
  TextDiff
} from '#shared/contract/context.ts'
import type { DetailBlock } from '#shared/contract/entry.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Context, Message } from '#shared/model/message.ts'
import { detailLength, pageLength } from './entry-blocks.ts'
import type { ReadSession } from './read-session.ts'

type Build = (session: ReadSession, at: number, signal: AbortSignal) => Promise<Context>

interface Held {
  readonly session: ReadSession
  readonly at: number
  readonly context: Context
}

const mostBlocks = 100

/** Answers for contexts page by page. The last two are kept, as they are asked for in pages and compared with each other. */
export class ContextViews {
  readonly #build: Build
  #held: readonly Held[] = []
  #compared: { readonly left: Context; readonly right: Context; readonly rows: readonly ComparedRow[] } | undefined

  constructor(build: Build) {
    this.#build = build
  }

  async head(session: ReadSession, entry: string, signal: AbortSignal): Promise<ContextHead> {
    return contextHead(await this.#context(session, entry, signal))
  }

  async messages(session: ReadSession, entry: string, page: Page, signal: AbortSignal): Promise<MessageHead[]> {
    const { messages } = await this.#context(session, entry, signal)
    return pageOf(messages, page).map((message, index) => messageHead(message, page.from + index))
  }

  async omitted(session: ReadSession, entry: string, page: Page, signal: AbortSignal): Promise<Context['omitted']> {
    return pageOf((await this.#context(session, entry, signal)).omitted, page)
  }

  async message(session: ReadSession, entry: string, index: number, signal: AbortSignal): Promise<DetailBlock[]> {
    const message = messageAt(session, entry, await this.#context(session, entry, signal), index)
    const blocks = messageBlocks(message).slice(0, mostBlocks)
    return blocks.map((block) => ({ ...block, text: cut(block.text, detailLength) }))
  }

  async text(
    session: ReadSession,
    entry: string,
    place: { readonly index: number; readonly block: number; readonly from: number },
    signal: AbortSignal
  ): Promise<{ text: string; next: number | null }> {
    const message = messageAt(session, entry, await this.#context(session, entry, signal), place.index)
    const whole = messageBlocks(message)[place.block]?.text ?? ''
    const text = cut(whole.slice(place.from), pageLength)
    const next = place.from + text.length
    return { text, next: next < whole.length ? next : null }
  }

  async compare(session: ReadSession, sides: Sides, signal: AbortSignal): Promise<ContextComparison> {
    const { left, right, rows } = await this.#rows(session, sides, signal)
    const prefix = rows.slice(0, prefixLength(rows))
    const ofKind = (kind: ComparedRow['kind']) => rows.filter((row) => row.kind === kind)
    const changed = ofKind('changed')
    return {
      left: contextHead(left),
      right: contextHead(right),
      ancestor: commonAncestor(session, sides),
      prefix: { messages: prefix.length, tokens: leftTokens(left, prefix) },
      common: { messages: ofKind('common').length, tokens: leftTokens(left, ofKind('common')) },
      changed: {
        messages: changed.length,
        leftTokens: leftTokens(left, changed),
        rightTokens: rightTokens(right, changed)
      },
      onlyLeft: { messages: ofKind('left').length, tokens: leftTokens(left, ofKind('left')) },
      onlyRight: { messages: ofKind('right').length, tokens: rightTokens(right, ofKind('right')) },
      rows: rows.length
    }
  }

  async compared(session: ReadSession, sides: Sides, page: Page, signal: AbortSignal): Promise<ComparedMessage[]> {
    const { left, right, rows } = await this.#rows(session, sides, signal)
    const head = ({ messages }: Context, at: number) => messageHead(existing(messages[at]), at)
    return pageOf(rows, page).map((row): ComparedMessage => {
      switch (row.kind) {
        case 'left':
          return { kind: 'left', left: head(left, row.left) }
        case 'right':
          return { kind: 'right', right: head(right, row.right) }
        case 'common':
        case 'changed':
          return { kind: row.kind, left: head(left, row.left), right: head(right, row.right) }
      }
    })
  }

  async difference(session: ReadSession, sides: Sides, index: number, signal: AbortSignal): Promise<TextDiff> {
    const { left, right, rows } = await this.#rows(session, sides, signal)
    const row = rows.find((one) => one.kind === 'changed' && one.left === index)
    const message = messageAt(session, sides.left, left, index)
    const other = row?.kind === 'changed' ? right.messages[row.right] : undefined
    if (other === undefined) {
      const file = session.stored.files[0].path
      throw new Refusal('not-found', `Message ${index} is not in both contexts with other content.`, { file })
    }
    return diffTexts(messageText(message), messageText(other))
  }

  async #rows(session: ReadSession, sides: Sides, signal: AbortSignal) {
    const left = await this.#context(session, sides.left, signal)
    const right = await this.#context(session, sides.right, signal)
    if (this.#compared?.left !== left || this.#compared.right !== right) {
      this.#compared = { left, right, rows: compareContexts(left, right) }
    }
    return this.#compared
  }

  /** Kept once it is complete, so that a request that was cancelled takes no other with it. */
  async #context(session: ReadSession, entry: string, signal: AbortSignal): Promise<Context> {
    const at = session.at(entry)
    const held = this.#held.find((one) => one.session === session && one.at === at)
    if (held !== undefined) return held.context
    const context = await this.#build(session, at, signal)
    this.#held = [{ session, at, context }, ...this.#held.filter((one) => one.session === session)].slice(0, 2)
    return context
  }
}

export interface Page {
  readonly from: number
  readonly count: number
}

export interface Sides {
  readonly left: string
  readonly right: string
}

const pageOf = <T>(list: readonly T[], { from, count }: Page): T[] => list.slice(from, from + count)

function messageAt(session: ReadSession, entry: string, context: Context, index: number): Message {
  const message = context.messages[index]
  if (message !== undefined) return message
  const file = session.stored.files[0].path
  throw new Refusal('not-found', `The context at entry ${entry} has no message ${index}.`, { file, entry })
}

function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a comparison names a message that is not there')
  return value
}

const counted = (message: Message | undefined): number =>
  message === undefined || message.sent === false ? 0 : message.tokens

const leftTokens = ({ messages }: Context, rows: readonly ComparedRow[]): number =>
  rows.reduce((sum, row) => sum + (row.kind === 'right' ? 0 : counted(messages[row.left])), 0)

const rightTokens = ({ messages }: Context, rows: readonly ComparedRow[]): number =>
  rows.reduce((sum, row) => sum + (row.kind === 'left' ? 0 : counted(messages[row.right])), 0)

function commonAncestor(session: ReadSession, { left, right }: Sides): string | null {
  const other = new Set(session.path(session.at(right)))
  const last = session.path(session.at(left)).findLast((at) => other.has(at))
  return last === undefined ? null : (session.tree.nodes[last]?.id ?? null)
}
