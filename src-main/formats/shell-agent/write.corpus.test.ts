import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import { assistantLine, eventLine, type SessionEvent, toolResultsLine, userLine } from './write.ts'

const sessions = join(corpus!, 'shellagent/home/.bash-agent/projects/-home-user-project')
/** Types that only older agents wrote. */
const older = new Set(['user_message', 'assistant_message', 'tool_start', 'tool_input', 'todo_update'])

/** The lines of all sessions that are JSON, and begin as the bash version does. */
const linesOf = (name: string, start: string): string[] =>
  readdirSync(sessions)
    .flatMap((session) => readFileSync(join(sessions, session, name), 'utf8').split('\n'))
    .filter((line) => line.startsWith(start) && isJson(line))

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

test('events of the bash version are written byte for byte', () => {
  const lines = linesOf('events.jsonl', '{"type":').filter(
    (line) => !older.has((JSON.parse(line) as SessionEvent).type)
  )
  expect(lines.length).toBeGreaterThan(80)
  for (const line of lines) expect(eventLine(JSON.parse(line) as SessionEvent)).toBe(`${line}\n`)
})

interface Block {
  readonly type: string
  readonly id: string
  readonly name: string
  readonly input: object
  readonly thinking: string
  readonly text: string
  readonly tool_use_id: string
  readonly content: string
}

test('lines of its conversations too', () => {
  const lines = linesOf('conversation.jsonl', '{"role":')
  expect(lines.length).toBeGreaterThan(15)
  for (const line of lines) {
    const { role, content } = JSON.parse(line) as { readonly role: string; readonly content: string | readonly Block[] }
    if (typeof content === 'string') expect(userLine(content)).toBe(`${line}\n`)
    else if (role === 'user') {
      const results = content.map((block) => ({ id: block.tool_use_id, content: block.content }))
      expect(toolResultsLine(results)).toBe(`${line}\n`)
    } else if (content.some(({ type }) => type === 'thinking')) {
      const of = (kind: string) => content.find(({ type }) => type === kind)
      const calls = content
        .filter(({ type }) => type === 'tool_use')
        .map((call) => ({ ...call, input: call.input as {} }))
      const answer = { thinking: of('thinking')!.thinking, text: of('text')!.text, calls }
      expect(assistantLine(answer)).toBe(`${line}\n`)
    }
  }
})
