import { zstdCompressSync } from 'node:zlib'

type Json = Readonly<Record<string, unknown>>

/** An event of dsh; its number and time are filled in by `dshLog`. */
export interface DshEvent {
  readonly type: string
  readonly data: Json
  readonly surfaceOp?: 'append' | Json
  readonly sourceEventSeqs?: readonly number[]
}

const start = Date.UTC(2026, 2, 1, 10)

/** A raw log of version 0: a header, and each event with its number. */
export const dshLog = (header: Json, ...events: readonly DshEvent[]): string =>
  [
    { type: 'session', version: 0, id: 'made', createdAt: start, cwd: '/home/me/shop', delegationDepth: 0, ...header },
    ...events.map(({ type, ...rest }, seq) => ({ type, seq, time: start + seq * 1000, ...rest }))
  ]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('')

export const dshEvent = (type: string, data: Json = {}): DshEvent => ({ type, data })

const said = (id: string, text: string, source: Json) => ({
  id,
  role: 'user',
  content: [{ type: 'text', text }],
  source
})

export const dshPrompt = (id: string, text: string): DshEvent => ({
  type: 'user/message',
  data: said(id, text, { kind: 'user' }),
  surfaceOp: 'append'
})

/** The summary that takes the place of the events from one to another, both included. */
export const dshCheckpoint = (id: string, text: string, from: number, to: number): DshEvent => ({
  type: 'user/message',
  data: said(id, text, { kind: 'plugin', plugin: 'compact' }),
  surfaceOp: { op: 'replace', start: from, end: to },
  sourceEventSeqs: Array.from({ length: to - from + 1 }, (_, index) => from + index)
})

export const dshAnswer = (id: string, ...content: readonly Json[]): DshEvent => ({
  type: 'assistant/message',
  data: {
    turn: 1,
    step: 1,
    message: { id, role: 'assistant', content, source: { kind: 'model', provider: 'acme', model: 'large-1' } },
    usage: { inputTokens: 900, outputTokens: 100 }
  },
  sourceEventSeqs: [],
  surfaceOp: 'append'
})

/** The same result with less in it, in the place of the first. */
export const dshPruned = (id: string, toolCallId: string, text: string, result: number): DshEvent => ({
  ...dshResult(id, toolCallId, text, result),
  surfaceOp: { op: 'replace', start: result, end: result }
})

export const dshResult = (id: string, toolCallId: string, text: string, call: number): DshEvent => ({
  type: 'tool/result',
  data: {
    turn: 1,
    step: 1,
    message: {
      id,
      role: 'user',
      content: [{ type: 'tool-result', toolCallId, content: [{ type: 'text', text }], isError: false }],
      source: { kind: 'tool', callId: toolCallId }
    }
  },
  sourceEventSeqs: [call],
  surfaceOp: 'append'
})

/** A log as dsh compresses it: a frame for the header, one for the first `inFirst` events, one for the rest. */
export function dshFrames(log: string, inFirst: number): readonly Buffer[] {
  const lines = log.split(/(?<=\n)/)
  return [lines.slice(0, 1), lines.slice(1, 1 + inFirst), lines.slice(1 + inFirst)].map((own) =>
    zstdCompressSync(own.join(''))
  )
}
