import type { DetailBlock } from '#shared/contract/entry.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { SessionView } from '../format.ts'
import { detailBlock, detailBlocks } from '../detail-blocks.ts'
import { asList, asNumber, asObject, asString, indented } from '../json.ts'
import { deriveEventMessage } from './derive-messages.ts'
import { typeOf } from './event.ts'
import { argumentsOf, blocksOf, isFailedResult, resultCall, resultContent } from './message.ts'
import { eventOf } from './packed-row.ts'
import { factsOf } from './schema.ts'
import { streamBlocks } from './stream-blocks.ts'

type Facts = readonly (readonly [string, string])[]
interface Detail {
  readonly blocks: readonly DetailBlock[]
  readonly facts: Facts
  readonly own: boolean
  readonly streamed?: number
}

/** An event for the inspector: its blocks with their whole texts and what is worth a line each. */
export async function dshBlocks(view: SessionView, at: number): Promise<Detail> {
  const record = view.records.entries[at]
  for await (const object of view.content.objects([at])) {
    if (object === null || record === undefined) break
    const event = eventOf(object, record.part)
    const type = typeOf(event)
    const data = asObject(event['data']) ?? {}
    const message = deriveEventMessage({ type, seq: at, data })
    const source = asObject(message?.['source'])
    const stream = message === null ? [] : streamed(data)
    return {
      blocks:
        message === null
          ? eventBlocks(type, data)
          : [...messageBlocks(type, message, view.tree.row(at).tool), ...stream],
      facts: [...messageFacts(message), ...factLines(event, data, factsOf(record).surface !== undefined)],
      own: type === 'user/message' && (source === null || source['kind'] === 'user') && event['surfaceOp'] === 'append',
      ...(stream.length > 0 && { streamed: stream.length })
    }
  }
  return { blocks: [], facts: [['Content', 'The bytes of this entry no longer hold it']], own: false }
}

function messageBlocks(type: string, message: JsonObject, tool: string | null): readonly DetailBlock[] {
  if (type === 'tool/result') {
    const shared = { name: tool, callId: resultCall(message), isError: isFailedResult(message) }
    return stored(resultContent(message)).map((own) =>
      own.type === 'text' ? { ...own, ...shared, type: 'tool-result' } : own
    )
  }
  return stored(message['content'])
}

/** The stream that an answer or attempt holds, put together. */
const streamed = (data: JsonObject): readonly DetailBlock[] =>
  data['stream'] === undefined
    ? []
    : streamBlocks(data['stream']).map(({ name, text }) => detailBlock('other', text, { name }))

function stored(content: Json | undefined): readonly DetailBlock[] {
  return detailBlocks(blocksOf(content), asList(content))
}

function eventBlocks(type: string, data: JsonObject): readonly DetailBlock[] {
  switch (type) {
    case 'assistant/attempt':
      return streamed(data)
    case 'assistant/chunk': {
      const chunk = asObject(data['chunk'])
      const text = asString(chunk?.['text']) ?? asString(chunk?.['argumentsDelta'])
      if (text === null) return [detailBlock('other', indented(chunk), { name: asString(chunk?.['type']) })]
      return [detailBlock(chunk?.['type'] === 'reasoning-delta' ? 'thinking' : 'text', text)]
    }
    case 'tool/call':
      return [
        detailBlock('tool-call', indented(argumentsOf(data['arguments'])), {
          name: asString(data['name']),
          callId: asString(data['callId'])
        })
      ]
    case 'compaction/summary':
      return stored(data['summary'])
    default: {
      const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !placed.has(name)))
      const isPlain = Object.values(rest).every((value) => typeof value !== 'object' || value === null)
      return isPlain ? [] : [detailBlock('other', indented(rest), { name: type })]
    }
  }
}

const placed: ReadonlySet<string> = new Set(['turn', 'step'])

function messageFacts(message: JsonObject | null): Facts {
  const source = asObject(message?.['source'])
  const model = [asString(source?.['provider']), asString(source?.['model'])].filter((part) => part !== null)
  return lines([
    ['Message', message?.['id']],
    ['Role', message?.['role']],
    ['From', source?.['plugin'] ?? source?.['kind']],
    ['Model', model.join('/')]
  ])
}

function factLines(event: JsonObject, data: JsonObject, isSurface: boolean): Facts {
  const op = asObject(event['surfaceOp'])
  const range = op === null ? null : `${String(op['start'] ?? op['startSeq'])} to ${String(op['end'] ?? op['endSeq'])}`
  const reason = asObject(data['reason'])
  // In the first logs a turn's reason has a failure, or is the error itself, and names the step.
  const ended = asObject(reason?.['error']) ?? asObject(reason?.['failure'])
  const failure = asObject(data['failure']) ?? ended ?? asObject(data['error']) ?? reason
  return lines([
    ['Type', event['type']],
    ['Turn', data['turn']],
    ['Step', data['step'] ?? reason?.['step']],
    ['Replaces', range],
    ...(isSurface || event['type'] === 'assistant/chunk' ? [] : plainMembers(data)),
    ['Reason', reason?.['kind']],
    ['Error', failure === null ? null : (failure['message'] ?? failure['code'] ?? failure['name'])]
  ])
}

const plainMembers = (data: JsonObject): (readonly [string, Json])[] =>
  Object.entries(data).filter(([name, value]) => !placed.has(name) && (typeof value !== 'object' || value === null))

/** Only plain values are facts; long ones are shortened, the raw view has them whole. */
function lines(pairs: readonly (readonly [string, Json | undefined])[]): Facts {
  return pairs.flatMap(([name, value]) => {
    if (value === null || value === undefined || typeof value === 'object' || value === '') return []
    const number = asNumber(value)
    const text = number === null ? String(value) : number.toLocaleString('en')
    return [[name, text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text] as const]
  })
}
