import { stripVTControlCharacters } from 'node:util'
import type { ReplayEvent } from '#shared/contract/replay.ts'
import { defineCommand } from './command.ts'
import type { Look } from './look.ts'
import { openSession } from './open-session.ts'
import { plainText } from './plain-text.ts'
import { timeText } from './amounts.ts'
import { UsageError } from './usage-error.ts'

const defaultTurns = 10

export const replay = defineCommand({
  name: 'replay',
  operand: 'FILE',
  synopsis: 'replay FILE [--turns N]',
  about: `what the agent showed in the last turns, ${defaultTurns} unless told otherwise`,
  options: { turns: { type: 'string' } },
  prepare: (values, operand = '') => {
    const turns = values.turns === undefined ? defaultTurns : turnsOf(values.turns)
    return async (desk) => {
      const { client, about } = await openSession(desk, operand)
      const value = await client.call('session.replay', { ...about, turns }, desk.signal)
      return { value, lines: (look) => eventLines(value.events, look) }
    }
  }
})

function turnsOf(typed: string): number {
  const turns = /^\d{1,9}$/.test(typed) ? Number(typed) : 0
  if (turns === 0) throw new UsageError(`--turns takes a number of 1 or more, not "${typed}".`)
  return turns
}

function* eventLines(events: readonly ReplayEvent[], { paint }: Look): Generator<string> {
  if (events.length === 0) yield 'Nothing to show.'
  let turn: number | null = null
  for (const event of events) {
    if (event.turn !== turn) {
      if (turn !== null) yield ''
      turn = event.turn
      yield paint('bold', `${turn === 0 ? 'Before the first turn' : `Turn ${turn}`}, ${timeText(event.time)}`)
    }
    const tool = event.tool === null ? '' : ` ${plainText(event.tool)}`
    yield paint(colours[event.kind], `${event.kind.replaceAll('-', ' ')}${tool}`)
    const text = stripVTControlCharacters(event.text).replace(/\r?\n$/, '')
    for (const line of text.split(/\r\n|\r|\n/)) yield `  ${plainLine(line)}`
  }
}

/** As `plainText`, with the white space in front. */
const plainLine = (line: string) => `${/^[ ]*/.exec(line.replaceAll('\t', '  '))?.[0] ?? ''}${plainText(line)}`

const colours = {
  user: 'blue',
  text: 'green',
  thinking: 'dim',
  'tool-call': 'yellow',
  'tool-result': 'yellow',
  image: 'dim',
  error: 'red',
  compaction: 'magenta',
  'branch-summary': 'magenta',
  custom: 'cyan'
} as const satisfies Record<ReplayEvent['kind'], string>
