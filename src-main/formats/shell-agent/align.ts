import type { EntryRecord } from '#shared/model/records.ts'
import { type CallFact, type Facts } from './schema.ts'
import { factsOf, type ModelCall, type Timeline } from './timeline.ts'

/** How the two logs belong together; all are indexes of entries. */
export interface Alignment {
  /** The event, or last of the events, that tells of a line of the conversation. */
  readonly eventOf: ReadonlyMap<number, number>
  /** The line of the conversation that an event tells of. */
  readonly lineOf: ReadonlyMap<number, number>
  /**
   * For each line of the conversation the index of an event behind which it was written: its own, or that of the line
   * before it; -1 in front of all events.
   */
  readonly behind: readonly number[]
}

/** Lines that may stand between two that belong to prompts, and prompts between two lines. */
const reach = 64

/**
 * Aligns a conversation's `lines` first entries with the events behind them (docs/formats/shell-agent.md, "Two logs"):
 * prompts by what they say, from the end, as texts repeat; answers by their calls, else by what they begin with, in the
 * turns that prompts make; results by their calls; what a sub-agent told by its name.
 */
export function align(entries: readonly EntryRecord[], lines: number, timeline: Timeline): Alignment {
  const eventOf = new Map<number, number>()
  const lineOf = new Map<number, number>()
  const pair = (line: number, event: number) => {
    eventOf.set(line, event)
    lineOf.set(event, line)
  }
  const prompts = timeline.turns.flatMap(({ prompt }) => (prompt === -1 ? [] : [prompt]))
  alignPrompts(entries, lines, prompts, pair)
  alignResults(entries, lines, pair)
  alignSubAgents(entries, lines, pair)
  for (const segment of segmentsOf(lines, prompts, timeline, eventOf)) alignAnswers(entries, segment, pair)

  const behind: number[] = []
  for (let line = 0; line < lines; line++) behind.push(Math.max(behind[line - 1] ?? -1, eventOf.get(line) ?? -1))
  return { eventOf, lineOf, behind }
}

type Pair = (line: number, event: number) => void

const isPrompt = (entry: EntryRecord | undefined): boolean => entry?.kind === 'message' && entry.role === 'user'

function saysSame(line: Facts, event: Facts): boolean {
  return event.hash !== undefined && (event.hash === line.hash || event.hash === line.base)
}

function alignPrompts(entries: readonly EntryRecord[], lines: number, prompts: readonly number[], pair: Pair): void {
  const own = Array.from({ length: lines }, (_, line) => line).filter(
    (line) => isPrompt(entries[line]) && factsOf(entries[line]).injected === undefined
  )
  const isSame = (line: number, prompt: number): boolean =>
    saysSame(factsOf(entries[own[line] ?? -1]), factsOf(entries[prompts[prompt] ?? -1]))
  let line = own.length - 1
  let prompt = prompts.length - 1
  while (line >= 0 && prompt >= 0) {
    let step = 0
    while (step < reach && !isSame(line - step, prompt) && !isSame(line, prompt - step)) step++
    if (step === reach) {
      line--
      prompt--
    } else {
      if (isSame(line - step, prompt)) line -= step
      else prompt -= step
      pair(own[line] ?? -1, prompts[prompt] ?? -1)
      line--
      prompt--
    }
  }
}

/** A line has the results of several calls: it is paired with the last of them. */
function alignResults(entries: readonly EntryRecord[], lines: number, pair: Pair): void {
  const events = new Map<string, number>()
  for (let at = lines; at < entries.length; at++) {
    const { type, call } = factsOf(entries[at])
    if (type === 'tool_result' && call !== undefined) events.set(call, at)
  }
  for (let line = 0; line < lines; line++) {
    const found = (factsOf(entries[line]).results ?? []).flatMap((call) => events.get(call) ?? [])
    for (const event of found.toSorted((one, other) => one - other)) pair(line, event)
  }
}

function alignSubAgents(entries: readonly EntryRecord[], lines: number, pair: Pair): void {
  const events = new Map<string, number>()
  for (let at = lines; at < entries.length; at++) {
    const { type, sub } = factsOf(entries[at])
    if (type === 'sub_agent_result' && sub !== undefined) events.set(sub, at)
  }
  for (let line = 0; line < lines; line++) {
    const { injected, sub } = factsOf(entries[line])
    const event = injected === 'sub-agent' ? events.get(sub ?? '') : undefined
    if (event !== undefined) pair(line, event)
  }
}

interface Segment {
  readonly from: number
  readonly to: number
  readonly calls: readonly ModelCall[]
}

/** The lines and the calls of the model between two prompts that were found in both logs. */
function segmentsOf(
  lines: number,
  prompts: readonly number[],
  { turns }: Timeline,
  eventOf: ReadonlyMap<number, number>
): readonly Segment[] {
  const known = new Set(prompts)
  const anchors = Array.from({ length: lines }, (_, line) => line).filter((line) => known.has(eventOf.get(line) ?? -1))
  const segments: Segment[] = []
  let turn = 0
  for (const [index, from] of [-1, ...anchors].entries()) {
    const next = anchors[index]
    const until = next === undefined ? Infinity : (eventOf.get(next) ?? Infinity)
    const calls: ModelCall[] = []
    for (; turn < turns.length && (turns[turn]?.prompt ?? -1) < until; turn++) calls.push(...(turns[turn]?.calls ?? []))
    segments.push({ from: from + 1, to: next ?? lines, calls: calls.filter(({ outcome }) => outcome !== 'discarded') })
  }
  return segments
}

/** From the end, as what was compacted away stands in front. */
function alignAnswers(entries: readonly EntryRecord[], { from, to, calls }: Segment, pair: Pair): void {
  let last = calls.length - 1
  for (let line = to - 1; line >= from && last >= 0; line--) {
    const entry = entries[line]
    if (entry?.role !== 'assistant') continue
    for (let index = last; index >= 0 && index > last - reach; index--) {
      const call = calls[index]
      if (call === undefined || !isSameAnswer(entries, entry, call)) continue
      for (const item of call.items) if (entries[item]?.kind !== 'tool-result') pair(line, item)
      last = index - 1
      break
    }
  }
}

function isSameAnswer(entries: readonly EntryRecord[], line: EntryRecord, { items }: ModelCall): boolean {
  const ids = new Set((factsOf(line).calls ?? []).map(([id]: CallFact) => id))
  const called = items.flatMap((item) => {
    const { type, call, calls } = factsOf(entries[item])
    if (type === 'tool_call') return [call ?? '']
    return (calls ?? []).map(([id]) => id)
  })
  if (ids.size > 0 || called.length > 0) return called.some((id) => ids.has(id))
  const text = items.flatMap((item) =>
    factsOf(entries[item]).type === 'thinking' ? [] : [entries[item]?.preview ?? '']
  )
  return text.join('').slice(0, 200) === line.preview.slice(0, 200)
}
