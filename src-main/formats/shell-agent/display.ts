import type { JsonObject } from '#shared/model/json.ts'
import { cut } from '../cut.ts'
import { asList, asNumber, asObject, asString, indented } from '../json.ts'

/** What the agent shows of one event, or of a run of token events. */
export interface DisplayMessage {
  readonly kind: 'user' | 'text' | 'thinking' | 'tool-call' | 'tool-result' | 'error' | 'custom'
  readonly text: string
  readonly tool: string | null
  /** Counts from 1 with the first prompt that was pushed; 0 before it. */
  readonly turn: number
  /** Where its first event begins, as it was pushed. */
  readonly offset: number
}

/** What an event does to what is shown. */
export type Step =
  | ({ readonly kind: 'show' } & Shown)
  /** Joins the token before it, unless something was shown or ended between them. */
  | { readonly kind: 'token'; readonly of: 'text' | 'thinking'; readonly text: string }
  /** A call of the model is over, or was not begun: what is shown stays. */
  | { readonly kind: 'end' }
  /** What the call of the model has shown so far was discarded. */
  | { readonly kind: 'retry' }

interface Shown {
  readonly as: DisplayMessage['kind']
  readonly text: string
  readonly tool: string | null
}

/** Characters shown of a tool's result. */
const resultLength = 200
/** What a repeated call of the model brings again. */
const ofTheCall: ReadonlySet<DisplayMessage['kind']> = new Set(['text', 'thinking', 'tool-call', 'tool-result'])

/**
 * Shows a session's events (docs/formats/shell-agent.md, "Replay"), each as it comes or all when they are replayed:
 * token events run together, a retry takes back what its call has shown, long results are cut.
 */
export class Display {
  readonly #messages: (DisplayMessage & { text: string })[] = []
  /** Where the messages of the current call of the model begin. */
  #callFrom = 0
  #isRunning = false
  #turn = 0

  /** All that is shown, in order; of a run of tokens as much as has come. */
  get messages(): readonly DisplayMessage[] {
    return this.#messages
  }

  push(event: JsonObject, offset: number): void {
    for (const step of stepsOf(event)) this.take(step, offset)
  }

  take(step: Step, offset: number): void {
    const last = this.#messages.at(-1)
    if (step.kind === 'token' && this.#isRunning && last?.kind === step.of) {
      last.text += step.text
      return
    }
    this.#isRunning = step.kind === 'token'
    switch (step.kind) {
      case 'token':
        this.#add({ as: step.of, text: step.text, tool: null }, offset)
        break
      case 'show':
        if (step.as === 'user') this.#turn++
        this.#add(step, offset)
        break
      case 'retry':
        this.#messages.push(...this.#messages.splice(this.#callFrom).filter(({ kind }) => !ofTheCall.has(kind)))
        break
      case 'end':
        this.#callFrom = this.#messages.length
    }
  }

  #add({ as: kind, text, tool }: Shown, offset: number): void {
    this.#messages.push({ kind, text, tool, turn: this.#turn, offset })
  }
}

/** Whether a turn begins with an event: what the person wrote. */
export const isPrompt = ({ type }: JsonObject): boolean => type === 'user_input' || type === 'user_message'

/** What an event does; nothing where the agent does not show its type. */
export function stepsOf(event: JsonObject): readonly Step[] {
  const content = asString(event['content']) ?? ''
  switch (event['type']) {
    case 'user_input':
    case 'user_message':
      return [{ kind: 'show', as: 'user', text: content, tool: null }, { kind: 'end' }]
    case 'text':
    case 'thinking':
      return content === '' ? [] : [{ kind: 'token', of: event['type'], text: content }]
    case 'tool_call':
      return [callOf(event)]
    case 'tool_result': {
      const text = content.length > resultLength ? `${cut(content, resultLength)}...` : content
      return [{ kind: 'show', as: 'tool-result', text, tool: asString(event['name']) }]
    }
    case 'sub_agent_result':
      return [{ kind: 'show', as: 'custom', text: subAgentText(event), tool: null }]
    case 'error':
      return [{ kind: 'show', as: 'error', text: asString(event['message']) ?? '', tool: null }]
    case 'assistant_message':
      return answerSteps(event)
    case 'stop':
    case 'context_update':
      return [{ kind: 'end' }]
    case 'usage':
      return event['kind'] === 'compact' ? [{ kind: 'end' }] : []
    case 'retry':
      return [{ kind: 'retry' }]
    default:
      return []
  }
}

function callOf(call: JsonObject): Step {
  return { kind: 'show', as: 'tool-call', text: indented(call['input'] ?? {}), tool: asString(call['name']) }
}

/** A whole answer of an older agent, in one event. */
function answerSteps(event: JsonObject): Step[] {
  const text = asString(event['text']) ?? ''
  const calls = asList(event['tool_calls']).flatMap((call): Step[] => {
    const object = asObject(call)
    return object === null ? [] : [callOf(object)]
  })
  return [...(text === '' ? [] : [{ kind: 'show', as: 'text', text, tool: null } as const]), ...calls]
}

/** As the agent passes it on to the model, without thinking where there was none. */
function subAgentText(event: JsonObject): string {
  const [id, status, thinking, text] = ['session_id', 'status', 'thinking', 'text'].map((name) => asString(event[name]))
  const [input, output] = ['input_tokens', 'output_tokens'].map((name) => asNumber(event[name]) ?? '?')
  const head = `[sub-agent ${id ?? '?'}] ${status ?? '?'} (in=${input}, out=${output})`
  const parts = [head, thinking ? `Thinking: ${thinking}` : '', text ? `Text: ${text}` : '']
  return parts.filter((part) => part !== '').join('\n')
}
