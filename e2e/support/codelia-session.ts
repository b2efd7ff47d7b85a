import type { Home } from './home.ts'

type Json = Readonly<Record<string, unknown>>

const session = '0f8f6029-8617-4f42-be9a-3882cbfada25'
const lines = (records: readonly Json[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** The run of that number, a minute after the one before it. */
function run(home: Home, number: number, ...records: readonly Json[]): void {
  const id = `00000000-0000-4000-8000-00000000000${number}`
  const ts = `2026-03-01T10:0${number}:00.000Z`
  const header = {
    type: 'header',
    schema_version: 1,
    run_id: id,
    session_id: session,
    started_at: ts,
    runtime: { cwd: '/home/me/shop' }
  }
  const stamped = records.map((record) => ({ run_id: id, ts, ...record }))
  home.write(`.codelia/sessions/2026/03/01/${id}.jsonl`, lines([header, ...stamped]))
}

const prompt = (text: string): Json => ({ type: 'run.start', input: { type: 'text', text } })
const model = { provider: 'acme', name: 'large-1' }
const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"shop.ts"}' } }
const asked = { role: 'user', content: 'Add a checkout page' }
const looked = { role: 'assistant', content: 'I look at the shop first.', tool_calls: [call] }
const seen = { role: 'tool', tool_call_id: 'c1', tool_name: 'read', content: 'export const shop = 1' }
const done = { role: 'assistant', content: 'The page is there.' }

/** Two runs, the second of which failed, and the messages that the agent goes on from; gives the folder of sessions. */
export function makeCodeliaSession(home: Home): string {
  const request = (seq: number, ...messages: readonly Json[]): Json => ({
    type: 'llm.request',
    seq,
    model,
    input: { messages }
  })
  run(
    home,
    1,
    prompt('Add a checkout page'),
    { type: 'run.status', status: 'running' },
    request(1, asked),
    { type: 'llm.response', seq: 1, output: { messages: [looked], usage: null } },
    { type: 'agent.event', seq: 0, event: { type: 'tool_call', tool: 'read', args: {}, tool_call_id: 'c1' } },
    { type: 'tool.output', tool: 'read', tool_call_id: 'c1', result_raw: 'export const shop = 1' },
    request(2, asked, looked, seen),
    { type: 'llm.response', seq: 2, output: { messages: [done], usage: null } },
    { type: 'agent.event', seq: 1, event: { type: 'final', content: 'The page is there.' } },
    { type: 'run.end', outcome: 'completed' }
  )
  run(
    home,
    2,
    prompt('Make the buttons blue'),
    request(3, asked, looked, seen, done),
    { type: 'run.error', error: { name: 'APIError', message: 'overloaded' } },
    { type: 'run.end', outcome: 'error' }
  )
  home.write(`.codelia/sessions/messages/${session}.jsonl`, lines([asked, looked, seen, done]))
  return `${home.path}/.codelia/sessions`
}
