import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBytes } from '#main/platform/bytes.ts'
import type { EntryRecord, ReadFile } from '#shared/model/records.ts'
import type { SessionView } from '../format.ts'
import { shellAgentReplay } from './replay.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const events = [
  { type: 'user_input', content: 'one' },
  { type: 'text', content: 'first' },
  { type: 'stop', reason: 'end_turn' },
  { type: 'user_input', content: 'two' },
  { type: 'text', content: 'so ' },
  { type: 'text', content: 'much' },
  { type: 'sub_agent_result', session_id: 'sub_1', status: 'ok', input_tokens: 1, output_tokens: 2, text: 'done' }
]
const lines = events.map((event) => `${JSON.stringify(event)}\n`)

/** A session of these events, each an entry but those that go on with a run. */
function view(hasEvents = true): SessionView {
  const path = join(folder, 'events.jsonl')
  writeFileSync(path, lines.join(''))
  const file = (role: ReadFile['role']): ReadFile => ({
    path: join(folder, role),
    role,
    framing: 'lines',
    size: 0,
    modified: 0,
    state: {},
    length: role === 'events' ? lines.join('').length : 0
  })
  let offset = 0
  const entries = events.map((event, at): EntryRecord => {
    const isPrompt = event.type === 'user_input'
    const kind = isPrompt || event.type === 'text' ? 'message' : 'event'
    const role = isPrompt ? 'user' : null
    const bytes = [offset, lines[at]!.length - 1] as const
    offset += lines[at]!.length
    const time = event.type === 'sub_agent_result' ? Date.UTC(2026, 4, 9) : null
    const plain = { part: 1, storedId: null, storedParent: undefined, preview: '', model: null, usage: null, facts: {} }
    return { ...plain, file: 1, line: at + 1, bytes: [...bytes], kind, role, time }
  })
  const prompt = { ...entries[0]!, file: 0, bytes: [0, 10] as [number, number] }
  const kept = [prompt, ...entries.filter((_, at) => at !== 5)]
  const nodes = kept.map(({ file: index, line }) => ({
    id: `${index === 0 ? 'c' : 'e'}${line}`,
    parent: -1,
    label: null
  }))
  return {
    records: { files: hasEvents ? [file('messages'), file('events')] : [file('messages')], agent: null, entries: kept },
    tree: { nodes } as unknown as SessionView['tree'],
    content: { objects: () => expect.unreachable('no entry is read back') },
    open: (index) => (index === 1 ? openBytes(path) : expect.unreachable('no other file is opened'))
  }
}

test('messages have the turn of the whole log, and the entry and time of their first event', async () => {
  expect(await shellAgentReplay(view(), 1)).toEqual([
    { kind: 'user', turn: 2, text: 'two', tool: null, time: null, entry: 'e4' },
    { kind: 'text', turn: 2, text: 'so much', tool: null, time: null, entry: 'e5' },
    {
      kind: 'custom',
      turn: 2,
      text: '[sub-agent sub_1] ok (in=1, out=2)\nText: done',
      tool: null,
      time: '2026-05-09T00:00:00.000Z',
      entry: 'e7'
    }
  ])
  expect((await shellAgentReplay(view(), 10))?.map(({ turn, entry }) => [turn, entry])).toEqual([
    [1, 'e1'],
    [1, 'e2'],
    [2, 'e4'],
    [2, 'e5'],
    [2, 'e7']
  ])
})

test('a session without an event log has no replay of its own', async () => {
  expect(await shellAgentReplay(view(false), 1)).toBeUndefined()
})

test('a log that is shorter than when it was read is stale', async () => {
  const session = view()
  truncateSync(join(folder, 'events.jsonl'), 10)
  await expect(shellAgentReplay(session, 1)).rejects.toMatchObject({ code: 'stale' })
})
