import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import { openBytes } from '#main/platform/bytes.ts'
import type { DisplayMessage } from './display.ts'
import { replayTurns } from './recent-turns.ts'

interface Turn {
  readonly user: string
  readonly items: readonly string[]
}

const sessions = join(corpus!, 'shellagent/home/.bash-agent/projects/-home-user-project')
const expected = JSON.parse(readFileSync(join(corpus!, 'shellagent/expected.json'), 'utf8')) as {
  readonly sessions: Readonly<Record<string, { readonly eventTurns: readonly Turn[] }>>
}

test.each(readdirSync(sessions))('the replay of %s has every turn and item that is expected', async (name) => {
  const path = join(sessions, name, 'events.jsonl')
  await using bytes = await openBytes(path)
  const messages = await replayTurns(bytes, statSync(path).size, 1000)
  const wanted = expected.sessions[name]!.eventTurns.flatMap(({ user, items }) => [`user: ${user}`, ...items])
  // Calls and results are told by their ids there, and what sub-agents say is left out.
  expect(messages.filter(({ kind }) => kind !== 'custom').map(itemOf)).toEqual(wanted.map(withoutId))
})

const itemOf = ({ kind, text }: DisplayMessage) =>
  kind.startsWith('tool-') ? kind.replace('-', '_') : `${kind}: ${text}`
const withoutId = (item: string) => item.replace(/^(tool_call|tool_result): .*/s, '$1')
