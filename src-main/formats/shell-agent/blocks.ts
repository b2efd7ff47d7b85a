import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import { detailBlock } from '../detail-blocks.ts'
import { asString, indented } from '../json.ts'
import type { SessionView } from '../format.ts'
import { blocksOf, subAgentText } from './messages.ts'
import { display } from './read.ts'

type Detail = {
  readonly blocks: readonly DetailBlock[]
  readonly facts: readonly (readonly [string, string])[]
  readonly own: boolean
}

const largestImage = 2 ** 25
const mostImages = 100

/** An entry for the inspector; codes of a terminal are left out of its texts. */
export async function shellAgentBlocks(view: SessionView, at: number): Promise<Detail> {
  const object = await objectAt(view, at)
  if (object === null) {
    return { blocks: [], facts: [['Content', 'The bytes of this entry no longer hold it']], own: false }
  }
  const isEvent = typeof object['type'] === 'string' && object['role'] === undefined
  const blocks = (isEvent ? eventBlocks(object) : messageBlocks(object)).filter(saysAnything)
  const images = imagesIn(object).map((number) => imageBlock(view, number))
  const own = view.records.entries[at]?.role === 'user' && view.records.entries[at].kind === 'message'
  return { blocks: [...blocks, ...images], facts: isEvent ? eventFacts(object) : [], own }
}

/** Bytes of an image that lies in the session's folder; undefined where it is not there, or leads elsewhere. */
export async function shellAgentImage(
  view: SessionView,
  at: number,
  position: number
): Promise<{ readonly mimeType: string; readonly bytes: Buffer } | undefined> {
  const object = await objectAt(view, at)
  const { blocks } = await shellAgentBlocks(view, at)
  const before = blocks.slice(0, position).filter(({ type }) => type === 'image').length
  const number = object === null || blocks[position]?.type !== 'image' ? undefined : imagesIn(object)[before]
  const path = number === undefined ? undefined : imagePath(view, number)
  return path === undefined ? undefined : { mimeType: 'image/png', bytes: readFileSync(path) }
}

/** The agent writes an answer's thinking and text even where there is none. */
const saysAnything = ({ type, text }: DetailBlock): boolean => text !== '' || (type !== 'text' && type !== 'thinking')

async function objectAt(view: SessionView, at: number): Promise<JsonObject | null> {
  for await (const object of view.content.objects([at])) return object
  return null
}

const block = (type: DetailBlock['type'], text: string, more: Partial<DetailBlock> = {}): DetailBlock =>
  detailBlock(type, display(text), more)

function messageBlocks(message: JsonObject): readonly DetailBlock[] {
  return blocksOf(message['content']).map((own): DetailBlock => {
    switch (own.type) {
      case 'text':
      case 'thinking':
        return block(own.type, own.text)
      case 'tool-call':
        return block('tool-call', indented(own.arguments as Json), { name: own.name, callId: own.id })
      case 'tool-result':
        return block('tool-result', own.text, { callId: own.callId, isError: own.isError })
      case 'image':
      case 'other':
        return block('other', '', { name: own.type === 'other' ? own.name : own.type })
    }
  })
}

function eventBlocks(event: JsonObject): readonly DetailBlock[] {
  const content = asString(event['content']) ?? ''
  switch (event['type']) {
    case 'text':
      return [block('thinking', asString(event['thinking']) ?? ''), block('text', content)]
    case 'user_input':
    case 'user_message':
    case 'image_describe':
      return [block('text', content)]
    case 'thinking':
      return [block('thinking', content)]
    case 'assistant_message': {
      const calls = Array.isArray(event['tool_calls']) && event['tool_calls'].length > 0
      return [
        block('text', asString(event['text']) ?? ''),
        ...(calls ? [block('other', indented(event['tool_calls']), { name: 'tool_calls' })] : [])
      ]
    }
    case 'tool_call':
      return [
        block('tool-call', indented(event['input']), { name: asString(event['name']), callId: asString(event['id']) })
      ]
    case 'tool_result':
      return [block('tool-result', content, { name: asString(event['name']), callId: asString(event['tool_use_id']) })]
    case 'error':
      return [block('text', asString(event['message']) ?? '', { isError: true })]
    case 'sub_agent_start':
      return [block('text', asString(event['prompt']) ?? '')]
    case 'sub_agent_result':
      return [block('text', subAgentText(event))]
    case 'async_task_result':
      return [block('tool-result', asString(event['output']) ?? '')]
    default:
      return []
  }
}

/** What an event of these types is shows without its name. */
const saidByItself = new Set(['user_input', 'text', 'thinking', 'tool_call', 'tool_result'])
/** Members that a block shows. */
const inBlocks = new Set(['type', 'content', 'input', 'message', 'prompt', 'text', 'thinking', 'output', 'tool_calls'])
const names: Readonly<Record<string, string>> = {
  session_id: 'Session',
  source_session_id: 'Forked from',
  sub_session_id: 'Sub-agent',
  tool_use_id: 'Call',
  id: 'Call',
  name: 'Tool',
  kind: 'Kind',
  reason: 'Reason',
  trigger: 'Trigger',
  status: 'Status',
  description: 'Description',
  fork: 'With the conversation',
  images: 'Images',
  timestamp: 'Time',
  exit_code: 'Exit code',
  task_id: 'Task',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  cache_read_input_tokens: 'Cache read',
  cache_creation_input_tokens: 'Cache written'
}

function eventFacts(event: JsonObject): (readonly [string, string])[] {
  const rest = Object.entries(event).filter(([name, value]) => !inBlocks.has(name) && typeof value !== 'object')
  const type = asString(event['type']) ?? 'without a type'
  return [
    ...(saidByItself.has(type) ? [] : [['Event', type] as const]),
    ...rest.map(([name, value]) => [names[name] ?? name, display(String(value))] as const)
  ]
}

/** Numbers of the images that a prompt or its description names, each once. */
function imagesIn(object: JsonObject): readonly number[] {
  const isPrompt = ['user_input', 'user_message', 'image_describe'].includes(asString(object['type']) ?? '')
  const text = isPrompt ? (asString(object['images']) ?? asString(object['content'])) : null
  const isLine = object['role'] === 'user' && typeof object['content'] === 'string'
  const found = (text ?? (isLine ? asString(object['content']) : null) ?? '').matchAll(/\[Image #(\d{1,6})\]/g)
  return [...new Set([...found].slice(0, mostImages).map(([, number]) => Number(number)))]
}

function imageBlock(view: SessionView, number: number): DetailBlock {
  const path = imagePath(view, number)
  const bytes = path === undefined ? null : lstatSync(path).size
  return block('image', '', { name: 'image/png', bytes })
}

function imagePath({ records }: SessionView, number: number): string | undefined {
  const folder = dirname(records.files[0].path)
  const path = join(folder, 'images', `${number}.png`)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true || found.size > largestImage) return undefined
  return realpathSync(path) === join(realpathSync(folder), 'images', `${number}.png`) ? path : undefined
}
