import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { readOnly } from '#main/platform/read-only.ts'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { SessionView } from '../format.ts'
import { detailBlock } from '../detail-blocks.ts'
import { asList, asNumber, asObject, asString, indented } from '../json.ts'
import type { Run } from './assemble.ts'
import { objectsIn } from './entry.ts'
import { linksOf } from './links.ts'
import { outputFolders, sessionsRoot } from './locate.ts'
import { blocksOf, contentBlocks, imageIn } from './message-draft.ts'
import { stateFromJson } from './schema.ts'

type Fact = readonly [string, string]
type Image = { readonly mimeType: string; readonly data: string }

interface Detail {
  readonly blocks: readonly DetailBlock[]
  readonly facts: readonly Fact[]
  readonly own: boolean
}

/** A block, with the bytes of an image as they are stored. */
interface Part {
  readonly block: DetailBlock
  readonly image?: Image
}

/** An entry for the inspector: its blocks with their whole texts and what is worth a line each. */
export async function codeliaBlocks(view: SessionView, at: number): Promise<Detail> {
  const object = await objectAt(view, at)
  if (object === null)
    return { blocks: [], facts: [['Content', 'The bytes of this entry no longer hold it']], own: false }
  const parts = partsOf(view, at, object)
  const run = linksOf(view.tree).runs.find(({ from }) => from === at) as Run | undefined
  return {
    blocks: parts.map(({ block }) => block),
    facts: [...factsOf(view, at, object), ...(run === undefined ? [] : setupFacts(run))],
    own: view.records.entries[at]?.kind === 'message' && view.records.entries[at].role === 'user'
  }
}

/** Bytes of an image block. */
export async function codeliaImage(
  view: SessionView,
  at: number,
  position: number
): Promise<{ readonly mimeType: string; readonly bytes: Buffer } | undefined> {
  const object = await objectAt(view, at)
  const image = object === null ? undefined : partsOf(view, at, object)[position]?.image
  const bytes = image === undefined ? undefined : Buffer.from(image.data, 'base64')
  return image === undefined || bytes === undefined || bytes.length === 0
    ? undefined
    : { mimeType: image.mimeType, bytes }
}

async function objectAt(view: SessionView, at: number): Promise<JsonObject | null> {
  for await (const object of view.content.objects([at])) return object
  return null
}

const part = (type: DetailBlock['type'], text: string, more: Partial<DetailBlock> = {}): Part => ({
  block: detailBlock(type, text, more)
})

function partsOf(view: SessionView, at: number, object: JsonObject): readonly Part[] {
  const isRecord = view.records.files[view.records.entries[at]?.file ?? 0]?.role === 'log'
  if (!isRecord) return [...messageParts(object), ...wholeOutput(view, at, object)]
  switch (object['type']) {
    case 'run.start': {
      const input = asObject(object['input'])
      return contentParts((input?.['type'] === 'parts' ? input['parts'] : input?.['text']) ?? null)
    }
    case 'llm.request':
      return requestParts(object)
    case 'llm.response':
      return objectsIn(asObject(object['output'])?.['messages']).flatMap(messageParts)
    case 'tool.output': {
      const shared = { name: asString(object['tool']), callId: asString(object['tool_call_id']) }
      const isError = object['is_error'] === true
      return [part('tool-result', asString(object['result_raw']) ?? '', { ...shared, isError })]
    }
    case 'run.error': {
      const error = asObject(object['error'])
      return ['message', 'stack'].flatMap((name) => {
        const text = asString(error?.[name])
        return text === null ? [] : [part('text', text)]
      })
    }
    case 'run.end': {
      const final = asString(object['final'])
      return final === null ? [] : [part('text', final)]
    }
    case 'agent.event':
      return eventParts(asObject(object['event']) ?? {})
    default:
      return rest(object)
  }
}

function contentParts(content: Json): readonly Part[] {
  const stored = typeof content === 'string' ? [content] : asList(content)
  return contentBlocks(content).map((block, index): Part => {
    if (block.type === 'text') return part('text', block.text)
    const own = asObject(stored[index])
    const image = block.type === 'image' && own !== null ? imageIn(own) : null
    if (block.type !== 'image' || image === null)
      return part('other', indented(stored[index]), { name: block.type === 'other' ? block.name : block.type })
    return { ...part('image', '', { name: block.mimeType, bytes: block.bytes }), image }
  })
}

function messageParts(message: JsonObject): readonly Part[] {
  if (message['role'] === 'tool') {
    const shared = {
      name: asString(message['tool_name']),
      callId: asString(message['tool_call_id']),
      isError: message['is_error'] === true
    }
    return contentParts(message['content'] ?? null).map((own): Part =>
      own.block.type === 'text' ? { block: { ...own.block, ...shared, type: 'tool-result' } } : own
    )
  }
  const content = message['role'] === 'reasoning' ? [] : contentParts(message['content'] ?? null)
  const others = blocksOf({
    ...message,
    content: message['role'] === 'reasoning' ? (message['content'] ?? null) : null
  })
  return [
    ...content,
    ...others.map((block): Part => {
      switch (block.type) {
        case 'thinking':
          return part('thinking', block.text)
        case 'tool-call':
          return part('tool-call', argumentsText(block.arguments), { name: block.name, callId: block.id })
        default:
          return part('text', block.type === 'text' ? block.text : '')
      }
    })
  ]
}

/** As JSON, or as the model wrote them where that is none. */
const argumentsText = (made: unknown): string => (typeof made === 'string' ? made : indented(made as Json))

/** What a request holds beside its messages, which its context shows. */
function requestParts(object: JsonObject): readonly Part[] {
  const { messages: _messages, ...input } = asObject(object['input']) ?? {}
  return Object.entries(input)
    .filter(([, value]) => typeof value === 'object' && value !== null)
    .map(([name, value]) => part('other', indented(value), { name }))
}

function eventParts(event: JsonObject): readonly Part[] {
  const text = asString(event['content']) ?? ''
  const tool = { name: asString(event['tool']), callId: asString(event['tool_call_id']) }
  switch (event['type']) {
    case 'text':
    case 'final':
    case 'hidden_user_message':
      return [part('text', text)]
    case 'reasoning':
      return [part('thinking', text)]
    case 'tool_call': {
      const name = asString(event['display_name']) ?? tool.name
      const made = asObject(event['args']) ?? event['raw_args'] ?? null
      return [part('tool-call', argumentsText(made), { ...tool, name })]
    }
    case 'tool_result': {
      const screenshot = asString(event['screenshot_base64'])
      const image = screenshot === null ? null : { mimeType: 'image/png', data: screenshot }
      const bytes = Math.floor(((screenshot?.length ?? 0) * 3) / 4)
      return [
        part('tool-result', asString(event['result']) ?? '', { ...tool, isError: event['is_error'] === true }),
        ...(image === null ? [] : [{ ...part('image', '', { name: image.mimeType, bytes }), image }])
      ]
    }
    case 'permission.preview': {
      const diff = asString(event['diff'])
      return diff === null ? rest(event) : [part('text', diff)]
    }
    default:
      return rest(event)
  }
}

/** Members that every record has, or that are facts. */
const common = new Set(['type', 'run_id', 'ts', 'seq'])

function rest(object: JsonObject): readonly Part[] {
  const own = Object.fromEntries(Object.entries(object).filter(([name]) => !common.has(name)))
  const isPlain = Object.values(own).every((value) => typeof value !== 'object' || value === null)
  const name = asString(object['type'])
  return isPlain ? [] : [part('other', indented(own), { name })]
}

const largestOutput = 2 ** 25

/** The whole output of a tool behind what is left of it in a message, from the cache. */
function wholeOutput(view: SessionView, at: number, message: JsonObject): readonly Part[] {
  const cached = message['trimmed'] === true ? cachedOutput(view, at, message) : null
  if (cached === null || cached.path === null || cached.bytes > largestOutput) return []
  const text = readText(cached.path, cached.bytes)
  return text === null
    ? []
    : [part('tool-result', text, { name: 'whole output', callId: asString(message['tool_call_id']) })]
}

/** Where the whole output of a tool lies; its path is null where it is not there any more. */
function cachedOutput(
  view: SessionView,
  at: number,
  object: JsonObject
): { readonly id: string; readonly path: string | null; readonly bytes: number } | null {
  const id = asString(asObject(object['output_ref'])?.['id'])
  if (id === null || id === '') return null
  const file = view.records.files[view.records.entries[at]?.file ?? 0]?.path ?? ''
  const name = `${id.slice(0, 200).replaceAll(/[^A-Za-z0-9_-]/g, '_')}.txt`
  for (const folder of outputFolders(sessionsRoot(file))) {
    const path = join(folder, name)
    const bytes = sizeOf(path)
    if (bytes !== null) return { id, path, bytes }
  }
  return { id, path: null, bytes: 0 }
}

/** The size of a regular file, null where there is none. */
function sizeOf(path: string): number | null {
  return withFile(path, (file) => {
    const stat = fstatSync(file)
    return stat.isFile() ? stat.size : null
  })
}

function readText(path: string, bytes: number): string | null {
  return withFile(path, (file) => {
    const buffer = Buffer.alloc(bytes)
    let filled = 0
    for (let read = -1; read !== 0 && filled < bytes; filled += read)
      read = readSync(file, buffer, filled, bytes - filled, filled)
    return buffer.toString('utf8', 0, filled)
  })
}

function withFile<T>(path: string, read: (file: number) => T): T | null {
  let file: number
  try {
    file = openSync(path, readOnly)
  } catch {
    return null
  }
  try {
    return read(file)
  } finally {
    closeSync(file)
  }
}

function factsOf(view: SessionView, at: number, object: JsonObject): readonly Fact[] {
  const output = asObject(object['output'])
  const usage = asObject(output?.['usage'])
  const input = asObject(object['input'])
  const model = asObject(object['model'])
  const event = asObject(object['event'])
  const error = asObject(object['error'])
  const cached = cachedOutput(view, at, object)
  const where = cached === null ? null : (cached.path ?? `${cached.id}: the file is not in the cache any more`)
  return facts([
    ['Type', object['type']],
    ['Invocation', object['type'] === 'agent.event' ? null : object['seq']],
    ['Place in the run', object['type'] === 'agent.event' ? object['seq'] : null],
    ['Event', event?.['type']],
    ['Status', object['status'] ?? event?.['status']],
    ['Message', object['message']],
    ['Outcome', object['outcome']],
    ['Context left', percent(object['context_left_percent'])],
    ['Provider', model?.['provider'] ?? event?.['provider'] ?? error?.['provider']],
    ['Model', model?.['name'] ?? usage?.['model']],
    ['Model of the provider', usage?.['provider_model']],
    ['Reasoning', model?.['reasoning']],
    ['Messages', input === null || input['messages'] === undefined ? null : asList(input['messages']).length],
    ['Tools', input === null || input['tools'] === undefined ? null : asList(input['tools']).length],
    ['Tool choice', input?.['tool_choice']],
    ['Stop reason', output?.['stop_reason']],
    ['Image tokens', usage?.['input_image_tokens']],
    ['Usage', object['type'] === 'llm.response' && usage === null ? 'not recorded' : null],
    ['Tool', object['tool'] ?? object['tool_name'] ?? event?.['tool']],
    ['Call', object['tool_call_id'] ?? event?.['tool_call_id']],
    ['Result', object['is_error'] === true || event?.['is_error'] === true ? 'error' : null],
    ['Trimmed', object['trimmed'] === true ? 'yes' : null],
    ['Whole output', where],
    ['Duration', milliseconds(event?.['duration_ms'])],
    ['Failure', event?.['failure_kind'] ?? error?.['kind']],
    ['Next attempt', event?.['next_attempt'] ?? error?.['attempts']],
    ['Attempts at most', event?.['max_attempts'] ?? error?.['max_attempts']],
    ['Delay', milliseconds(event?.['delay_ms'])],
    ['File', event?.['file_path']],
    ['Summary', event?.['summary']],
    ['Compacted', event?.['compacted'] === undefined ? null : String(event['compacted'])],
    ['Error', error?.['name']],
    ['Workspace', asObject(object['ui_context'])?.['workspace_root']]
  ])
}

const percent = (value: Json | undefined): string | null => (asNumber(value) === null ? null : `${asNumber(value)} %`)
const milliseconds = (value: Json | undefined): string | null =>
  asNumber(value) === null ? null : `${asNumber(value)} ms`

/** What a run was set up with, and what of that is different from the run before. */
function setupFacts({ id, path, state, changes, copy }: Run): readonly Fact[] {
  const setup = stateFromJson({ ...state } as unknown as JsonObject).header?.setup
  const ended = state.outcome ?? 'it has no end: it goes on, or was interrupted'
  return facts([
    ['Run', id],
    ['Run ended', ended],
    ['Run file', path],
    ['Copy', copy > 1 ? 'another file holds this run too' : null],
    ...changes.map(([what, how]): readonly [string, Json] => [`Changed: ${what}`, how]),
    ['Configured model', setup?.model ?? null],
    ['Configured reasoning', setup?.reasoning ?? null],
    ['Folder', setup?.cwd ?? null],
    ['Platform', setup?.platform ?? null],
    ['Client', setup?.client ?? null],
    ['Runtime', setup?.server ?? null],
    ['System prompt', setup?.system === null || setup === undefined ? null : `${setup.system.length} characters`],
    ['Tools', setup === undefined || setup.tools.length === 0 ? null : setup.tools.map(([name]) => name).join(', ')]
  ])
}

/** Only plain values are facts; long ones are shortened, the raw view has them whole. */
function facts(pairs: readonly (readonly [string, Json | undefined])[]): readonly Fact[] {
  return pairs.flatMap(([name, value]) => {
    if (value === null || value === undefined || typeof value === 'object' || value === '') return []
    const text = typeof value === 'number' ? value.toLocaleString('en') : String(value)
    return [[name, text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text] as const]
  })
}
