import type { ContextDraft, MessageDraft } from '#main/formats/format.ts'
import { placeFault } from '#shared/model/fault.ts'
import type { Block, Context, Message } from '#shared/model/message.ts'
import { boundedArguments } from './bounded-arguments.ts'
import type { TokenEstimate } from './estimate-tokens.ts'

/** Completes a format's context: the tokens of each message, recorded or estimated, and the file of each fault among the session's. */
export async function buildContext(
  draft: ContextDraft,
  files: readonly [{ readonly path: string }, ...{ readonly path: string }[]],
  estimate: TokenEstimate,
  signal?: AbortSignal
): Promise<Context> {
  const messages: Message[] = []
  for (const message of draft.messages) messages.push(await withTokens(message, estimate, signal))
  return {
    ...draft,
    messages,
    omitted: [...draft.omitted],
    faults: draft.faults.map(({ file = 0, ...fault }) => placeFault(fault, (files[file] ?? files[0]).path))
  }
}

/** Sum of a context's tokens; messages that are not sent do not count. */
export const contextTokens = (context: Context): number =>
  context.messages.reduce((sum, message) => (message.sent === false ? sum : sum + message.tokens), 0)

async function withTokens(draft: MessageDraft, estimate: TokenEstimate, signal?: AbortSignal): Promise<Message> {
  const { recordedTokens, ...rest } = draft
  const message = { ...rest, blocks: rest.blocks.map(bounded) }
  if (recordedTokens !== null) return { ...message, tokens: recordedTokens, tokensSource: 'recorded' }
  const tokens = await estimate.of(countedTexts(message), signal)
  return { ...message, tokens, tokensSource: 'estimated' }
}

function bounded(block: Block): Block {
  return block.type === 'tool-call' ? { ...block, arguments: boundedArguments(block.arguments) } : block
}

function countedTexts(message: Omit<Message, 'tokens' | 'tokensSource'>): string[] {
  const texts = message.blocks.flatMap(blockText)
  return message.blocks.length === 0 && message.text !== '' ? [message.text] : texts
}

function blockText(block: Block): string[] {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'tool-result':
      return [block.text]
    case 'tool-call':
      return [JSON.stringify(block.arguments) ?? '']
    case 'image':
    case 'other':
      return []
  }
}
