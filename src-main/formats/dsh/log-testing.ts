import type { Json, JsonObject } from '#shared/model/records.ts'
import { asList, asObject } from '../json.ts'

/** Milliseconds of the first event. */
export const begun = 1_700_000_000_000

/** A header of a generation; members of older or newer ones are for the test to give. */
export const headerOf = (version: number, more: JsonObject = {}): JsonObject => ({
  type: 'session',
  version,
  id: 'made',
  createdAt: begun,
  cwd: '/home/user/project',
  ...(version >= 2 && { isSeeded: false }),
  delegationDepth: 0,
  ...more
})

/** Lines of a log; events and packed rows get their numbers and times, a second apart, where they have none. */
export function logLines(header: JsonObject, events: readonly JsonObject[]): readonly string[] {
  let seq = 0
  const lines = [`${JSON.stringify(header)}\n`]
  for (const { type = '', ...rest } of events) {
    const data = asObject(rest['data'])
    const members = asList(data?.['texts'] ?? data?.['args']).length
    const isPacked = data?.['dt'] !== undefined
    const time = begun + seq * 1000
    const place = isPacked ? { seq0: seq, time0: time } : { seq, time }
    lines.push(`${JSON.stringify({ type, ...place, ...rest })}\n`)
    seq += isPacked ? members : 1
  }
  return lines
}

export const logText = (header: JsonObject, events: readonly JsonObject[]): string => logLines(header, events).join('')

export const turnStart = (turn: number): JsonObject => ({ type: 'turn/start', data: { turn } })
export const turnEnd = (turn: number, kind = 'completed'): JsonObject => ({
  type: 'turn/end',
  data: { turn, reason: { kind } }
})
export const stepStart = (turn: number, step: number): JsonObject => ({ type: 'step/start', data: { turn, step } })
export const stepEnd = (turn: number, step: number): JsonObject => ({ type: 'step/end', data: { turn, step } })

export const text = (words: string): JsonObject => ({ type: 'text', text: words })
export const append = { surfaceOp: 'append' } as const
export const replace = (start: number, end: number, sources: Json = [[start, end]]): JsonObject => ({
  surfaceOp: { op: 'replace', start, end },
  sourceEventSeqs: sources
})

export const prompt = (
  words: string,
  more: JsonObject = append,
  source: JsonObject = { kind: 'user' }
): JsonObject => ({
  type: 'user/message',
  data: { content: [text(words)], source, role: 'user', id: `id of ${words}` },
  ...more
})

const chunk = (turn: number, step: number, said: JsonObject): JsonObject => ({
  type: 'assistant/chunk',
  data: { turn, step, chunk: said }
})
export const finish = (turn: number, step: number, kind: string): JsonObject =>
  chunk(turn, step, { type: 'finish', reason: { kind } })
export const usageChunk = (turn: number, step: number, usage: JsonObject): JsonObject =>
  chunk(turn, step, { type: 'usage', usage })

/** An answer; `more` may name its stream, `beside` are members of its data. */
export const answer = (
  turn: number,
  step: number,
  content: readonly JsonObject[],
  more: JsonObject = append,
  beside: JsonObject = {}
): JsonObject => ({
  type: 'assistant/message',
  data: {
    turn,
    step,
    message: {
      role: 'assistant',
      content,
      source: { kind: 'model', provider: 'acme', model: 'large' },
      id: `answer ${turn}.${step}`
    },
    ...beside
  },
  ...more
})

export const call = (id: string, name = 'bash', args: JsonObject = { command: 'ls' }): JsonObject => ({
  type: 'tool-call',
  id,
  name,
  arguments: JSON.stringify(args)
})
export const callEvent = (turn: number, step: number, callId: string): JsonObject => ({
  type: 'tool/call',
  data: { turn, step, callId, name: 'bash', arguments: '{"command":"ls"}' }
})
export const result = (
  turn: number,
  step: number,
  callId: string,
  words: string,
  more: JsonObject = append
): JsonObject => ({
  type: 'tool/result',
  data: {
    turn,
    step,
    message: {
      source: { kind: 'tool', callId },
      content: [{ type: 'tool-result', toolCallId: callId, content: [text(words)], isError: false }],
      role: 'user',
      id: `result of ${callId}`
    }
  },
  ...more
})
export const requestHeader = (system: string, more: JsonObject = {}): JsonObject => ({
  type: 'request/header',
  data: {
    header: { config: { provider: 'acme', model: 'large', reasoningEffort: 'high' }, system, ...more },
    reason: 'initial'
  }
})
