import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionSet } from '../format.ts'
import { listFolder } from '../listing-testing.ts'
import { type ReadSession, readSession, readText } from '../testing.ts'
import { codelia } from './index.ts'

export const fixtures = join(import.meta.dirname, 'fixtures')
export const sessionsFixture = join(fixtures, 'sessions')
export const sessionId = '3f6c2a10-8a4b-4d7e-9a51-0c2f6b7d8e90'

export const runIds = [1, 2, 3].map((run) => `a1b2c3d4-000${run}-4000-8000-00000000000${run}`) as [
  string,
  string,
  string
]

/** The session of the fixtures that has three runs and a file of messages. */
export function readFixture(): Promise<ReadSession> {
  const set = codelia.claim(listFolder(sessionsFixture)).find(({ files }) => files[0].role === 'messages')
  if (set === undefined) throw new Error('the fixture claims no session')
  return readFiles(set)
}

export const readFiles = (set: SessionSet): Promise<ReadSession> =>
  readSession(
    codelia,
    set,
    set.files.map(({ path }) => readFileSync(path))
  )

export const atOf = ({ tree }: ReadSession, id: string): number => tree.nodes.findIndex((node) => node.id === id)

/** Lines of a run that was never on disk, each with what every record has. */
export function runText(...records: readonly object[]): string {
  const header = {
    type: 'header',
    schema_version: 1,
    run_id: 'r',
    session_id: 's',
    started_at: '2026-01-01T00:00:00.000Z'
  }
  const common = { run_id: 'r', ts: '2026-01-01T00:00:01.000Z' }
  return [header, ...records.map((record) => ({ ...common, ...record }))]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('')
}

export const readRun = (...records: readonly object[]): Promise<ReadSession> =>
  readText(codelia, runText(...records), null, '/store/2026/01/01/r.jsonl')

export const user = (content: unknown) => ({ role: 'user', content })
export const assistant = (content: string | null, ...calls: readonly string[]) => ({
  role: 'assistant',
  content,
  ...(calls.length === 0
    ? {}
    : {
        tool_calls: calls.map((id) => ({
          id,
          type: 'function',
          function: { name: 'shell', arguments: '{"command":"ls"}' }
        }))
      })
})
export const result = (id: string, content = id) => ({ role: 'tool', tool_call_id: id, tool_name: 'shell', content })
export const request = (seq: number, ...messages: readonly object[]) => ({
  type: 'llm.request',
  seq,
  model: { provider: 'p', name: 'm' },
  input: { messages }
})
export const response = (seq: number, ...messages: readonly object[]) => ({
  type: 'llm.response',
  seq,
  output: {
    messages,
    usage: { model: 'm', input_tokens: 10, output_tokens: 2, total_tokens: 12 },
    stop_reason: 'end_turn'
  }
})
export const output = (id: string, text = id) => ({
  type: 'tool.output',
  tool: 'shell',
  tool_call_id: id,
  result_raw: text
})
export const event = (seq: number, type: string, more: object = {}) => ({
  type: 'agent.event',
  seq,
  event: { type, ...more }
})
export const prompt = (text: string) => ({ type: 'run.start', input: { type: 'text', text } })
export const end = (outcome: string) => ({ type: 'run.end', outcome })
