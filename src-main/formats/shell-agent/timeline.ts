import type { EntryRecord } from '#shared/model/records.ts'
import type { Facts } from './schema.ts'

/** A call of the model as the events tell it. All are indexes of entries. */
export interface ModelCall {
  readonly from: number
  /** Its text, thinking, tool calls and their results, in order. */
  readonly items: readonly number[]
  /** `open`: the log ends within it; `failed`: it gave no answer that the conversation took in; `discarded`: it was tried again. */
  readonly outcome: 'answered' | 'failed' | 'discarded' | 'open'
}

export interface Turn {
  /** Index of its prompt; -1 for what stands in front of the first. */
  readonly prompt: number
  readonly calls: readonly ModelCall[]
}

/** What happened, by the events. */
export interface Timeline {
  readonly turns: readonly Turn[]
  readonly compactions: readonly number[]
}

type Draft = { -readonly [K in keyof ModelCall]: ModelCall[K] } & { items: number[]; isStopped: boolean }

/** Reasons with which an answer ends that the conversation takes in. */
const answeredReasons: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_calls',
  'end_turn',
  'stop',
  'stop_sequence',
  ''
])

export const factsOf = (entry: EntryRecord | undefined): Facts => (entry?.facts ?? {}) as Facts

/** Turns and calls of the model in the events from index `from` on (docs/formats/shell-agent.md, "Events"). Linear. */
export function timelineOf(entries: readonly EntryRecord[], from: number): Timeline {
  const turns: { prompt: number; calls: Draft[] }[] = [{ prompt: -1, calls: [] }]
  const compactions: number[] = []
  const callers = new Map<string, Draft>()
  let call: Draft | null = null

  const opened = (at: number): Draft => {
    if (call !== null && call.outcome === 'open') return call
    const begun: Draft = { from: at, items: [], outcome: 'open', isStopped: false }
    turns.at(-1)?.calls.push(begun)
    call = begun
    return begun
  }
  const end = (outcome: ModelCall['outcome']) => {
    if (call?.outcome === 'open') call.outcome = outcome
  }

  for (let at = from; at < entries.length; at++) {
    const entry = entries[at]
    const facts = factsOf(entry)
    if (entry?.kind === 'compaction') compactions.push(at)
    switch (facts.type) {
      case 'user_input':
      case 'user_message':
        end('failed')
        call = null
        turns.push({ prompt: at, calls: [] })
        break
      case 'text':
      case 'thinking':
        opened(at).items.push(at)
        break
      case 'tool_call': {
        const own = opened(at)
        own.items.push(at)
        callers.set(facts.call ?? '', own)
        break
      }
      case 'tool_result':
        ;(callers.get(facts.call ?? '') ?? call ?? opened(at)).items.push(at)
        break
      case 'assistant_message':
        end('failed')
        call = null
        opened(at).items.push(at)
        end('answered')
        break
      case 'usage':
        if (facts.kind === 'agent') end('answered')
        break
      case 'stop': {
        const last = call as Draft | null
        if (last === null || last.isStopped) break
        last.isStopped = true
        if (last.outcome !== 'discarded') last.outcome = answeredReasons.has(facts.reason ?? '') ? 'answered' : 'failed'
        break
      }
      case 'error':
        end('failed')
        break
      case 'retry': {
        const last = call as Draft | null
        if (last !== null && !last.isStopped) last.outcome = 'discarded'
        call = null
        break
      }
      default:
    }
  }
  return { turns, compactions }
}
