import type { Bytes } from '#main/platform/bytes.ts'
import { linesFromEnd, type LineFromEnd } from '#main/tail/lines-from-end.ts'
import type { JsonObject } from '#shared/model/records.ts'
import { asObject } from '../json.ts'
import { Display, type DisplayMessage, isPrompt, type Step, stepsOf } from './display.ts'
import { parseLine } from './parse-line.ts'

interface EventLine extends LineFromEnd {
  /** null where the line cannot be read, or is no object. */
  readonly event: JsonObject | null
}

/**
 * The lines of the last turns of an event log's first `end` bytes in groups, all with the last one first: every line,
 * also those in front of the first turn, where there are fewer. No more is read than these and 64 KiB.
 */
async function* recentTurns(
  events: Bytes,
  end: number,
  turns: number,
  signal?: AbortSignal
): AsyncGenerator<readonly EventLine[], void, undefined> {
  let left = turns
  for await (const lines of linesFromEnd(events, end, signal)) {
    const read: EventLine[] = []
    for (const line of lines) {
      const event = line.bytes === null ? null : eventIn(line.bytes)
      read.push({ ...line, event })
      if (event !== null && isPrompt(event) && --left === 0) break
    }
    yield read
    if (left === 0) return
  }
}

/** Of a tool's result only the beginning is shown; any other text that is shown is wanted whole. */
function eventIn(bytes: Buffer): JsonObject | null {
  const line = parseLine(bytes)
  const event = asObject(line?.value)
  const isPart =
    line?.isCut === true && event !== null && event['type'] !== 'tool_result' && stepsOf(event).some(isShown)
  return isPart ? asObject(parseLine(bytes, Infinity)?.value) : event
}

const isShown = ({ kind }: Step): boolean => kind === 'show' || kind === 'token'

/** The same as texts, the first line first; what stands in front of the first turn only where there is none. */
export async function recentLines(events: Bytes, end: number, turns: number): Promise<string[]> {
  const lines: string[] = []
  let begun = 0
  for await (const group of recentTurns(events, end, turns)) {
    for (const { bytes, event } of group) {
      if (bytes !== null) lines.push(bytes.toString())
      if (event !== null && isPrompt(event)) begun = lines.length
    }
  }
  return lines.slice(0, begun === 0 ? lines.length : begun).toReversed()
}

/** What the agent showed in the last turns of an event log's first `end` bytes; in front of the first turn only where there is none. */
export async function replayTurns(
  events: Bytes,
  end: number,
  turns: number,
  signal?: AbortSignal
): Promise<readonly DisplayMessage[]> {
  // Steps instead of events: long results are cut already, and many tokens are one.
  const steps: { readonly step: Step; readonly offset: number }[] = []
  const before = (step: Step, offset: number): void => {
    const later = steps.at(-1)?.step
    const isOneRun = step.kind === 'token' && later?.kind === 'token' && later.of === step.of
    if (isOneRun) steps[steps.length - 1] = { step: { ...step, text: step.text + later.text }, offset }
    else steps.push({ step, offset })
  }
  for await (const lines of recentTurns(events, end, turns, signal)) {
    for (const { event, offset } of lines) {
      if (event !== null) for (const step of stepsOf(event).toReversed()) before(step, offset)
    }
  }
  const display = new Display()
  for (const { step, offset } of steps.toReversed()) display.take(step, offset)
  return display.messages.filter(({ turn }, _, { length }) => turn > 0 || display.messages[length - 1]?.turn === 0)
}
