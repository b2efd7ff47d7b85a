import type { Block } from '#shared/model/message.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { MessageDraft } from '../format.ts'
import { asList, asNumber, asObject, asString } from '../json.ts'
import { display, resultText } from './read.ts'

/** The blocks of a line of the conversation, as stored. */
export function blocksOf(content: Json | undefined): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asList(content).map((item): Block => {
    const block = asObject(item)
    switch (block?.['type']) {
      case 'text':
        return { type: 'text', text: asString(block['text']) ?? '' }
      case 'thinking':
        return { type: 'thinking', text: asString(block['thinking']) ?? '' }
      case 'tool_use':
        return toolCall(block)
      case 'tool_result':
        return {
          type: 'tool-result',
          callId: asString(block['tool_use_id']) ?? '',
          isError: block['is_error'] === true,
          text: resultText(block['content'])
        }
      default:
        return { type: 'other', name: asString(block?.['type']) ?? 'unknown' }
    }
  })
}

export const toolCall = (call: JsonObject): Block & { readonly type: 'tool-call' } => ({
  type: 'tool-call',
  id: asString(call['id']) ?? '',
  name: asString(call['name']) ?? '',
  arguments: call['input'] ?? {}
})

export function draft(role: string, blocks: readonly Block[], sources: readonly string[]): MessageDraft {
  const text = blocks.flatMap((block) => (block.type === 'text' || block.type === 'tool-result' ? [block.text] : []))
  return {
    kind: 'message',
    role,
    text: text.join('\n'),
    blocks: [...blocks],
    stopReason: null,
    sources: [...sources],
    recordedTokens: null
  }
}

/** What the agent puts into the conversation when a sub-agent has ended. */
export function subAgentText(event: JsonObject): string {
  const [id, status, thinking, text] = ['session_id', 'status', 'thinking', 'text'].map(
    (name) => asString(event[name]) ?? ''
  )
  const [input, output] = ['input_tokens', 'output_tokens'].map((name) => asNumber(event[name]) ?? '?')
  return `[sub-agent ${id}] ${status} (in=${input}, out=${output})\nThinking: ${thinking}\nText: ${text}`
}

/** What a background task put into the conversation. */
export const taskText = (event: JsonObject): string =>
  `[bg-bash ${asString(event['task_id']) ?? ''}] exit_code=${asNumber(event['exit_code']) ?? '?'}\nOutput: ${display(asString(event['output']) ?? '')}`
