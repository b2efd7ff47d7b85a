import type { Block } from '#shared/model/message.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { ContextDraft, FaultDraft, MessageDraft, SessionView } from '../format.ts'
import { asString } from '../json.ts'
import { documentText } from './document-text.ts'
import { type Logs, logsOf } from './logs.ts'
import { blocksOf, draft, subAgentText, taskText, toolCall } from './messages.ts'
import { display, objectsIn } from './read.ts'
import { planName, summaryName } from './schema.ts'
import { factsOf } from './timeline.ts'

/** A message of a context before its content is read: a line, or events that make one. */
interface Planned {
  readonly role: 'user' | 'assistant'
  /** Indexes of its entries. */
  readonly at: readonly number[]
}

interface Selection {
  readonly messages: readonly Planned[]
  readonly hasSummary: boolean
  readonly omitted: readonly (readonly [at: number, reason: string])[]
  readonly faults: readonly FaultDraft[]
}

/**
 * What the model saw at an entry (docs/formats/shell-agent.md, "Context"): plan and summary, which the prompt carries,
 * and the conversation up to it. In front of the last compaction what was dropped is made of the events again.
 */
export async function shellAgentContext(
  view: SessionView,
  at: number | null,
  signal?: AbortSignal
): Promise<ContextDraft> {
  const logs = logsOf(view.records)
  const end = at ?? logs.lines - 1
  const { messages, hasSummary, omitted, faults } = select(logs, end, idsOf(view))
  const wanted = [...new Set(messages.flatMap((message) => message.at))]
  const objects = new Map<number, JsonObject | null>()
  let position = 0
  for await (const object of view.content.objects(wanted, signal)) objects.set(wanted[position++] ?? -1, object)

  const plan = await documentText(view, planName)
  const summary = hasSummary ? await documentText(view, summaryName) : ''
  const compaction = logs.timeline.compactions.at(-1)
  const id = idsOf(view)
  const unread = wanted.filter((index) => objects.get(index) === null)
  return {
    entry: end < 0 ? null : id(end),
    model: null,
    thinking: null,
    messages: [
      ...(plan.trim() === '' ? [] : [special('system', plan, [])]),
      ...(summary.trim() === ''
        ? []
        : [special('compaction-summary', summary, compaction === undefined ? [] : [id(compaction)])]),
      ...messages.flatMap((message) => made(logs, message, objects, id))
    ],
    omitted: omitted.map(([index, reason]) => ({ entry: id(index), reason })),
    faults: [
      ...faults,
      ...unread.map((index): FaultDraft => {
        const entry = logs.entries[index]
        const [offset = null, length = null] = entry?.bytes ?? []
        const message = 'The bytes of this entry no longer hold it: the file was changed since it was read.'
        return { kind: 'unreadable', line: entry?.line ?? null, offset, length, entry: id(index), message }
      })
    ]
  }
}

const idsOf =
  (view: SessionView) =>
  (at: number): string =>
    view.tree.nodes[at]?.id ?? ''

const roleOf = { system: 'system', 'compaction-summary': 'system' } as const

function special(kind: 'system' | 'compaction-summary', text: string, sources: readonly string[]): MessageDraft {
  return { ...draft(roleOf[kind], [{ type: 'text', text }], sources), kind }
}

const lostReason = 'a compaction took it out; what stands in its place is not known any more'
const compactedReason = 'a compaction took it out of the conversation'

/** Which entries a context is made of, by the records alone. */
function select(logs: Logs, end: number, id: (at: number) => string): Selection {
  const { lines, timeline, alignment } = logs
  if (end < lines) {
    return { messages: linesUpTo(logs, -1, end), hasSummary: true, omitted: outside(logs), faults: [] }
  }
  const before = timeline.compactions.findLast((compaction) => compaction <= end)
  const last = timeline.compactions.at(-1)
  const behind = alignment.behind.findLastIndex((event) => event < end || (event === end && event !== last))
  if (before === last) {
    return { messages: linesUpTo(logs, -1, behind), hasSummary: true, omitted: outside(logs), faults: [] }
  }
  const from = before === undefined ? lines : lastPromptBefore(logs, before)
  const faults: FaultDraft[] =
    before === undefined
      ? []
      : [
          {
            kind: 'lost-context',
            line: logs.entries[before]?.line ?? null,
            offset: null,
            length: null,
            entry: id(before),
            message:
              'A later compaction overwrote the summary of this one, and nothing says what it kept beside the last turn.'
          }
        ]
  const omitted = before === undefined ? [] : told(logs, lines, from - 1).map((at) => [at, lostReason] as const)
  return {
    messages: [...rebuilt(logs, from, end), ...linesUpTo(logs, from - 1, behind)],
    hasSummary: false,
    omitted,
    faults
  }
}

/** Lines that were written behind an event and up to a line. */
function linesUpTo({ entries, alignment }: Logs, behind: number, until: number): Planned[] {
  const planned: Planned[] = []
  for (let line = 0; line <= until; line++) {
    const role = entries[line]?.role
    const isKnown = role === 'user' || role === 'assistant'
    if (isKnown && (alignment.behind[line] ?? -1) >= behind) planned.push({ role, at: [line] })
  }
  return planned
}

/** Where the turn begins that was under way at a compaction, or was the last: it is kept by all means. */
function lastPromptBefore({ timeline, lines }: Logs, compaction: number): number {
  const prompt = timeline.turns.findLast((turn) => turn.prompt !== -1 && turn.prompt < compaction)?.prompt
  return prompt ?? lines
}

/** Entries that say something and are in no conversation any more. */
function outside(logs: Logs): readonly (readonly [number, string])[] {
  const last = logs.timeline.compactions.at(-1)
  if (last === undefined) return []
  return told(logs, logs.lines, last).map((at) => [at, compactedReason] as const)
}

/** Events that the conversation had and has no more. */
function told({ entries, alignment, outcomeOf }: Logs, from: number, to: number): number[] {
  const found: number[] = []
  for (let at = from; at <= to && at < entries.length; at++) {
    if (alignment.lineOf.has(at)) continue
    const entry = entries[at]
    const isPrompt = entry?.kind === 'message' && entry.role === 'user'
    if (isPrompt || outcomeOf.get(at) === 'answered') found.push(at)
  }
  return found
}

/** The messages that the conversation had of these events, where it has them no more. */
function rebuilt({ entries, timeline, alignment }: Logs, from: number, to: number): Planned[] {
  const planned: Planned[] = []
  const inRange = (at: number): boolean => at >= from && at <= to
  const injected: number[] = []
  for (let at = from; at <= to && at < entries.length; at++) {
    const { type } = factsOf(entries[at])
    const isTold = type === 'sub_agent_result' || type === 'async_task_result'
    if (isTold && !alignment.lineOf.has(at)) injected.push(at)
  }
  const takeInjected = (until: number) => {
    while ((injected[0] ?? Infinity) < until) planned.push({ role: 'user', at: [injected.shift() ?? -1] })
  }
  for (const { prompt, calls } of timeline.turns) {
    if (inRange(prompt) && !alignment.lineOf.has(prompt)) {
      takeInjected(prompt)
      planned.push({ role: 'user', at: [prompt, ...imagesBehind(entries, prompt, to)] })
    }
    for (const { from: begin, items, outcome } of calls) {
      if (outcome !== 'answered' || !inRange(begin) || items.some((item) => alignment.lineOf.has(item))) continue
      takeInjected(begin)
      const isResult = (item: number): boolean => entries[item]?.kind === 'tool-result'
      const answer = items.filter((item) => !isResult(item) && item <= to)
      const results = items.filter((item) => isResult(item) && item <= to)
      planned.push({ role: 'assistant', at: answer })
      if (results.length > 0) planned.push({ role: 'user', at: results })
    }
  }
  takeInjected(Infinity)
  return planned
}

/** What a prompt's pictures were described as. */
function imagesBehind(entries: Logs['entries'], prompt: number, to: number): number[] {
  const found: number[] = []
  for (let at = prompt + 1; at <= to && factsOf(entries[at]).type === 'image_describe'; at++) found.push(at)
  return found
}

function made(
  { entries, lines }: Logs,
  { role, at }: Planned,
  objects: ReadonlyMap<number, JsonObject | null>,
  id: (at: number) => string
): MessageDraft[] {
  const [first = -1] = at
  const object = objects.get(first) ?? null
  if (first < lines) return object === null ? [] : [draft(role, blocksOf(object['content']), [id(first)])]
  const found = at.map((index) => objects.get(index) ?? null).filter((one) => one !== null)
  if (found.length === 0) return []
  const blocks = entries[first]?.kind === 'message' && role === 'user' ? [promptOf(found)] : found.flatMap(blockOf)
  return [draft(role, role === 'assistant' ? ordered(blocks) : blocks, at.map(id))]
}

/** An answer's thinking and text stand in front of its calls, one of each. */
function ordered(blocks: readonly Block[]): Block[] {
  const joined = (type: 'thinking' | 'text') =>
    blocks.flatMap((block) => (block.type === type ? [block.text] : [])).join('')
  const calls = blocks.filter((block) => block.type === 'tool-call')
  return [{ type: 'thinking', text: joined('thinking') }, { type: 'text', text: joined('text') }, ...calls]
}

function promptOf([prompt, ...images]: readonly JsonObject[]): Block {
  const text = asString(prompt?.['content']) ?? ''
  const described = images.map((image) => asString(image['content']) ?? '').join('\n')
  return {
    type: 'text',
    text: images.length === 0 ? text : `${text}\n\n<attached-images>\n${described}\n</attached-images>`
  }
}

function blockOf(event: JsonObject): Block[] {
  const content = asString(event['content']) ?? ''
  switch (event['type']) {
    case 'text':
      return [
        { type: 'thinking', text: asString(event['thinking']) ?? '' },
        { type: 'text', text: content }
      ]
    case 'thinking':
      return [{ type: 'thinking', text: content }]
    case 'tool_call':
      return [toolCall(event)]
    case 'tool_result':
      return [
        { type: 'tool-result', callId: asString(event['tool_use_id']) ?? '', isError: false, text: display(content) }
      ]
    case 'sub_agent_result':
      return [{ type: 'text', text: subAgentText(event) }]
    case 'async_task_result':
      return [{ type: 'text', text: taskText(event) }]
    case 'assistant_message': {
      return [{ type: 'text', text: asString(event['text']) ?? '' }, ...objectsIn(event['tool_calls']).map(toolCall)]
    }
    default:
      return []
  }
}
