import type { DetailBlock } from '#shared/contract/entry.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import { detailBlock, detailBlocks } from '../detail-blocks.ts'
import { asList, asNumber, asObject, asString, indented } from '../json.ts'
import type { SessionView } from '../format.ts'
import { blobDigest, readBlob } from './blobs.ts'
import { contentBlocks } from './messages.ts'

type Detail = {
  readonly blocks: readonly DetailBlock[]
  readonly facts: readonly (readonly [string, string])[]
  readonly own: boolean
}

/** An entry for the inspector: its blocks with their whole texts and what is worth a line each. */
export async function ompBlocks(view: SessionView, at: number): Promise<Detail> {
  const object = await objectAt(view, at)
  if (object === null)
    return { blocks: [], facts: [['Content', 'The bytes of this entry no longer hold it']], own: false }
  const message = object['type'] === 'message' ? asObject(object['message']) : null
  return {
    blocks: message === null ? entryBlocks(object) : messageBlocks(message, view.records.files[0].path),
    facts: message === null ? entryFacts(object) : messageFacts(message),
    own: message?.['role'] === 'user'
  }
}

/** Bytes of an image block, from the line itself or from omp's folder of blobs. */
export async function ompImage(
  view: SessionView,
  at: number,
  position: number
): Promise<{ readonly mimeType: string; readonly bytes: Buffer } | undefined> {
  const object = await objectAt(view, at)
  const content = asObject(object?.['message'])?.['content'] ?? object?.['content']
  const image = asObject(asList(content)[position])
  if (image?.['type'] !== 'image') return undefined
  const data = asString(image['data']) ?? ''
  const digest = blobDigest(data)
  const bytes = digest === undefined ? Buffer.from(data, 'base64') : readBlob(view.records.files[0].path, digest)
  return bytes === undefined || bytes.length === 0
    ? undefined
    : { mimeType: asString(image['mimeType']) ?? 'application/octet-stream', bytes }
}

async function objectAt(view: SessionView, at: number): Promise<JsonObject | null> {
  for await (const object of view.content.objects([at])) return object
  return null
}

function messageBlocks(message: JsonObject, path: string): readonly DetailBlock[] {
  switch (message['role']) {
    case 'bashExecution':
    case 'pythonExecution': {
      const source = message['role'] === 'bashExecution' ? message['command'] : message['code']
      const exit = asNumber(message['exitCode'])
      return [
        detailBlock('text', asString(source) ?? ''),
        detailBlock('tool-result', asString(message['output']) ?? '', { isError: exit !== null && exit !== 0 })
      ]
    }
    case 'fileMention':
      return asList(message['files']).map((item) => {
        const file = asObject(item)
        return detailBlock('text', asString(file?.['content']) ?? '', { name: asString(file?.['path']) })
      })
    case 'toolResult': {
      const shared = {
        name: asString(message['toolName']),
        callId: asString(message['toolCallId']),
        isError: message['isError'] === true
      }
      return stored(message['content'], path).map((own) =>
        own.type === 'text' ? { ...own, ...shared, type: 'tool-result' } : own
      )
    }
    default:
      return stored(message['content'], path)
  }
}

function stored(content: Json | undefined, path: string): readonly DetailBlock[] {
  return detailBlocks(contentBlocks(content, path), asList(content))
}

/** Members that every entry has, or that have a block or a fact of their own. */
const base = new Set(['type', 'id', 'parentId', 'timestamp', 'summary', 'content'])

function entryBlocks(object: JsonObject): readonly DetailBlock[] {
  const summary = asString(object['summary'])
  if (summary !== null) return [detailBlock('text', summary)]
  if (object['content'] !== undefined) return stored(object['content'], '')
  const rest = Object.fromEntries(Object.entries(object).filter(([name]) => !base.has(name)))
  const isPlain = Object.values(rest).every((value) => typeof value !== 'object' || value === null)
  return isPlain
    ? []
    : [detailBlock('other', indented(rest), { name: asString(object['customType']) ?? asString(object['type']) })]
}

type Facts = readonly (readonly [string, string])[]

function messageFacts(message: JsonObject): Facts {
  const provider = asString(message['provider'])
  const model = asString(message['model'])
  return facts([
    ['Model', model === null ? null : provider === null ? model : `${provider}/${model}`],
    ['API', message['api']],
    ['Stop reason', message['stopReason']],
    ['Error', message['errorMessage']],
    ['Tool', message['toolName']],
    ['Call', message['toolCallId']],
    ['Result', message['isError'] === true ? 'error' : null],
    ['Exit code', message['exitCode']],
    ['Cancelled', message['cancelled'] === true ? 'yes' : null],
    ['Output', message['truncated'] === true ? 'cut by the agent' : null],
    ['Full output', message['fullOutputPath']],
    ['Sent to the model', message['excludeFromContext'] === true ? 'no' : null],
    ['Custom type', message['customType']]
  ])
}

const names: Readonly<Record<string, string>> = {
  provider: 'Provider',
  modelId: 'Model',
  model: 'Model',
  role: 'Role',
  thinkingLevel: 'Thinking',
  configured: 'Configured',
  firstKeptEntryId: 'First kept entry',
  firstKeptEntryIndex: 'First kept entry, by number',
  tokensBefore: 'Tokens before',
  tokensAfter: 'Tokens after',
  method: 'Method',
  shortSummary: 'Short summary',
  warning: 'Warning',
  fromId: 'From',
  targetId: 'Target',
  label: 'Label',
  name: 'Name',
  title: 'Title',
  previousTitle: 'Title before',
  source: 'Source',
  trigger: 'Trigger',
  kind: 'Kind',
  note: 'Note',
  purpose: 'Purpose',
  stopReason: 'Stop reason',
  errorMessage: 'Error',
  mode: 'Mode',
  serviceTier: 'Service tier',
  customType: 'Custom type',
  display: 'Shown in the agent',
  replacement: 'Replacement',
  task: 'Task'
}

function entryFacts(object: JsonObject): Facts {
  return facts(
    Object.entries(object).flatMap(([member, value]) => {
      const name = base.has(member) ? undefined : (names[member] ?? (typeof value === 'object' ? undefined : member))
      return name === undefined ? [] : [[name, value === null ? 'none' : value] as const]
    })
  )
}

/** Only plain values are facts; long ones are shortened, the raw view has them whole. */
function facts(pairs: readonly (readonly [string, Json | undefined])[]): Facts {
  return pairs.flatMap(([name, value]) => {
    if (value === null || value === undefined || typeof value === 'object' || value === '') return []
    const text = typeof value === 'number' ? value.toLocaleString('en') : String(value)
    return [[name, text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text] as const]
  })
}
