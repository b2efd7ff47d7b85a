import { oneLine } from '#main/formats/cut.ts'
import type { ContextHead, MessageHead } from '#shared/contract/context.ts'
import type { Context, Message } from '#shared/model/message.ts'

const previewLength = 300
const mostCalls = 20
const mostFaults = 100

/** A context without its messages. */
export function contextHead({ entry, model, thinking, messages, omitted, faults }: Context): ContextHead {
  const sent = messages.filter((message) => message.sent !== false)
  const reasons = Map.groupBy(omitted, ({ reason }) => reason)
  return {
    entry,
    model,
    thinking,
    messages: messages.length,
    tokens: sumOf(sent),
    recordedTokens: sumOf(sent.filter(({ tokensSource }) => tokensSource === 'recorded')),
    omitted: [...reasons].map(([reason, { length: count }]) => ({ reason, count })),
    faults: faults.slice(0, mostFaults),
    faultCount: faults.length
  }
}

const sumOf = (messages: readonly Message[]): number => messages.reduce((sum, { tokens }) => sum + tokens, 0)

/** A message of a context without its texts; `index` is its place there. */
export function messageHead(message: Message, index: number): MessageHead {
  const { kind, role, text, blocks, tokens, tokensSource, sources, stopReason, isError, sent } = message
  const shown = text === '' ? blocks.find((block) => block.type === 'thinking')?.text : text
  return {
    index,
    kind,
    role,
    preview: oneLine(shown ?? '', previewLength),
    calls: blocks
      .flatMap((block) => (block.type === 'tool-call' ? [oneLine(block.name, 100)] : []))
      .slice(0, mostCalls),
    images: blocks.filter((block) => block.type === 'image').length,
    isResult: blocks.length > 0 && blocks.every((block) => block.type === 'tool-result'),
    tokens,
    tokensSource,
    sources,
    stopReason,
    isError: isError === true,
    sent: sent !== false
  }
}
