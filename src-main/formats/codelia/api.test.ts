import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type BaseMessage,
  durableHistory,
  readRecords,
  runFilePath,
  type SessionHeader,
  type SessionRecord,
  type SessionState,
  SessionStateStore,
  SessionStore,
  type StoredRecord
} from './api.ts'

const run = '8f1d7b7a-7e8f-4e0f-9a7c-1c5d0e6b2b7a'
const session = 'f6d2c6d5-4a12-4cc4-bbc9-9a0c0d2b5af1'
const other = '0f8f6029-8617-4f42-be9a-3882cbfada25'

const header: SessionHeader = { type: 'header', schema_version: 1, run_id: run, started_at: '2026-02-03T12:00:00.123Z' }
const common = { run_id: run, ts: '2026-02-03T12:00:01.000Z' }
type Appended = Parameters<SessionStore['append']>[0]

const exampleRun = readFileSync(join(import.meta.dirname, 'fixtures', 'example-run.jsonl'), 'utf8')
const exampleRecords = exampleRun
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as SessionRecord)

const exampleState: SessionState = {
  schema_version: 1,
  session_id: session,
  updated_at: '2026-02-03T12:00:02.900Z',
  run_id: run,
  invoke_seq: 1,
  messages: [
    { role: 'system', content: 'You are a coding assistant.' },
    { role: 'user', content: 'How many files?' },
    { role: 'assistant', content: 'Twelve files.' }
  ]
}

let folder: string
const opened: SessionStateStore[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-codelia-')))
})
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
  rmSync(folder, { recursive: true })
})

const stateStore = () => {
  const store = new SessionStateStore(folder)
  opened.push(store)
  return store
}
const begun = () => SessionStore.create(folder, header)
const textOf = (store: SessionStore) => readFileSync(store.filePath, 'utf8')
const codeOf = (step: () => unknown): unknown => {
  try {
    step()
    return undefined
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}
async function recordsOf(path: string): Promise<StoredRecord[]> {
  const records: StoredRecord[] = []
  for await (const record of readRecords(path)) records.push(record)
  return records
}
function exampleStore(): SessionStore {
  const [first, ...rest] = exampleRecords
  const store = SessionStore.create(folder, first as SessionHeader)
  for (const record of rest) store.append(record as Appended)
  return store
}
const messagesFile = (id = session) => join(folder, 'messages', `${id}.jsonl`)
const snapshotFile = (id = session) => join(folder, 'state', `${id}.json`)
function writeSnapshot(state: object, id = session): string {
  mkdirSync(join(folder, 'state'), { recursive: true })
  writeFileSync(snapshotFile(id), JSON.stringify(state))
  return readFileSync(snapshotFile(id), 'utf8')
}
/** The rows as they lie in the database, read without any code of ours. */
function rows(): unknown[] {
  const db = new Database(join(folder, 'state.db'), { readonly: true })
  const all = db.prepare('SELECT * FROM session_state ORDER BY session_id').all()
  db.close()
  return all
}

describe('the file of a run', () => {
  test('a run has a file of its own, named by its id, below the day on which it was started', () => {
    expect(begun().filePath).toBe(join(folder, '2026', '02', '03', `${run}.jsonl`))
  })

  test('the day is that of started_at in UTC', () => {
    const late = SessionStore.create(folder, { ...header, started_at: '2027-01-01T00:30:00.000Z' })
    expect(late.filePath).toBe(join(folder, '2027', '01', '01', `${run}.jsonl`))
    const local = { ...header, run_id: other, started_at: '2027-01-01T00:30:00+02:00' }
    expect(codeOf(() => SessionStore.create(folder, local))).toBe('invalid-input')
  })

  test.each(['', 'today', '2026-02-30T00:00:00.000Z', '2026-02-03T24:00:00Z', '2026-13-01T00:00:00Z'])(
    'a run that was started at "%s", which is on no day, is refused',
    (started_at) => {
      expect(codeOf(() => SessionStore.create(folder, { ...header, started_at }))).toBe('invalid-input')
      expect(codeOf(() => runFilePath(folder, { ...header, started_at }))).toBe('invalid-input')
      expect(readdirSync(folder)).toEqual([])
    }
  )

  test('a run id is a UUID of version 4', () => {
    for (const id of ['', 'run-1', '../../etc/passwd', '8f1d7b7a-7e8f-7e0f-9a7c-1c5d0e6b2b7a', `${run}/x`])
      for (const named of [SessionStore.create, runFilePath])
        expect(codeOf(() => named(folder, { ...header, run_id: id }))).toBe('invalid-input')
    expect(readdirSync(folder)).toEqual([])
  })

  test('a file that is there is never begun again', () => {
    const store = begun()
    const before = textOf(store)
    expect(codeOf(begun)).toBe('exists')
    expect(textOf(store)).toBe(before)
  })

  test('a run is written byte for byte as codelia writes it', () => {
    expect(textOf(exampleStore())).toBe(exampleRun)
  })

  test('each line is an object with a type', () => {
    const lines = textOf(exampleStore()).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => (JSON.parse(line) as { type: unknown }).type)).toEqual([
      'header',
      'run.start',
      'llm.request',
      'llm.response',
      'agent.event',
      'tool.output',
      'agent.event',
      'run.status',
      'run.end'
    ])
  })

  test('every append is behind what was there, which stays as it was', () => {
    const [first, ...rest] = exampleRecords
    const store = SessionStore.create(folder, first as SessionHeader)
    const { ino } = statSync(store.filePath)
    for (const record of rest) {
      const before = readFileSync(store.filePath)
      store.append(record as Appended)
      const after = readFileSync(store.filePath)
      expect(after.subarray(0, before.length).equals(before)).toBe(true)
      expect(after.length).toBeGreaterThan(before.length)
    }
    expect(statSync(store.filePath).ino).toBe(ino)
  })

  test('the header is the first line, and no second one is written', () => {
    const store = begun()
    const before = textOf(store)
    expect(codeOf(() => store.append(header as unknown as Appended))).toBe('invalid-input')
    expect(textOf(store)).toBe(before)
    expect(JSON.parse(before)).toEqual(header)
  })

  test('records are in the order in which they were appended, whatever their times', async () => {
    const store = begun()
    const times = [5, 1, 9, 3].map((second) => `2026-02-03T12:00:0${second}.000Z`)
    for (const ts of times) store.append({ type: 'run.status', run_id: run, ts, status: 'running' })
    expect((await recordsOf(store.filePath)).slice(1).map((record) => record['ts'])).toEqual(times)
  })

  test('every record but the header has a time in UTC', () => {
    const store = begun()
    for (const ts of [undefined, 'now', '2026-02-03T12:00:00+01:00', '2026-02-33T12:00:00Z'])
      expect(codeOf(() => store.append({ type: 'run.status', run_id: run, ts, status: 'running' } as never))).toBe(
        'invalid-input'
      )
    expect(textOf(store)).toBe(`${JSON.stringify(header)}\n`)
  })

  test('a record of another run is refused', () => {
    const store = begun()
    expect(codeOf(() => store.append({ ...common, run_id: other, type: 'run.end', outcome: 'completed' }))).toBe(
      'invalid-input'
    )
  })

  test('a request is stored as it was when it was appended', async () => {
    const store = begun()
    const messages: BaseMessage[] = [{ role: 'user', content: 'Hello' }]
    store.append({ ...common, type: 'llm.request', seq: 1, input: { messages } })
    messages.push({ role: 'assistant', content: 'Hi!' })
    expect((await recordsOf(store.filePath))[1]!['input']).toEqual({ messages: [{ role: 'user', content: 'Hello' }] })
  })

  test('what is no JSON is refused, and the file stays as it was', () => {
    const store = begun()
    const before = textOf(store)
    const cycle: unknown[] = []
    cycle.push(cycle)
    for (const more of [{ meta: { cycle } }, { meta: { large: 1n } }, { toJSON: () => undefined }])
      expect(codeOf(() => store.append({ ...common, type: 'run.end', outcome: 'completed', ...more }))).toBe(
        'invalid-input'
      )
    expect(textOf(store)).toBe(before)
    expect(codeOf(() => SessionStore.create(folder, null as never))).toBe('invalid-input')
  })

  test('a file that another program has written to is not written on', () => {
    const store = begun()
    writeFileSync(store.filePath, '{}\n', { flag: 'a' })
    expect(codeOf(() => store.append({ ...common, type: 'run.end', outcome: 'completed' }))).toBe('stale')
  })

  test('a run that is opened goes on behind its last record', async () => {
    const first = begun()
    first.append({ ...common, type: 'llm.request', seq: 4, input: { messages: [] } })
    const again = await SessionStore.open(first.filePath)
    expect(codeOf(() => again.append({ ...common, type: 'llm.request', seq: 4, input: { messages: [] } }))).toBe(
      'invalid-input'
    )
    again.append({ ...common, type: 'llm.response', seq: 4, output: { messages: [] } })
    expect((await recordsOf(first.filePath)).map(({ type }) => type)).toEqual(['header', 'llm.request', 'llm.response'])
  })

  test('what is no run is not opened to be written on', async () => {
    await expect(SessionStore.open(join(folder, 'none.jsonl'))).rejects.toMatchObject({ code: 'not-found' })
    await expect(SessionStore.open(folder)).rejects.toMatchObject({ code: 'not-found' })
    writeFileSync(join(folder, 'messages.jsonl'), '{"role":"user","content":"Hello"}\n')
    await expect(SessionStore.open(join(folder, 'messages.jsonl'))).rejects.toMatchObject({ code: 'unsupported' })
  })
})

describe('the records of a run', () => {
  const messages: BaseMessage[] = [
    { role: 'user', content: [{ type: 'text', text: 'Look' }] },
    { role: 'reasoning', content: null, raw_item: { id: 'r' } },
    { role: 'tool', tool_call_id: 'call_1', tool_name: 'shell', content: 'ok', output_ref: { id: 'call_1' } }
  ]
  const all: readonly Appended[] = [
    {
      ...common,
      type: 'run.start',
      session_id: session,
      input: { type: 'text', text: 'How many files?' },
      ui_context: { cwd: '/srv' }
    },
    { ...common, type: 'run.context', context_left_percent: 93 },
    { ...common, type: 'agent.event', seq: 0, event: { type: 'text', content: 'Hi', timestamp: 1 } },
    {
      ...common,
      type: 'tool.output',
      tool: 'shell',
      tool_call_id: 'call_1',
      result_raw: 'a\nb',
      is_error: true,
      output_ref: { id: 'call_1', byte_size: 3, line_count: 2 }
    },
    {
      ...common,
      type: 'llm.request',
      seq: 1,
      model: { provider: 'acme', name: 'large', reasoning: 'high' },
      input: { messages, tools: null, tool_choice: 'auto', model: 'large' }
    },
    {
      ...common,
      type: 'llm.response',
      seq: 1,
      output: {
        messages,
        usage: {
          model: 'large',
          input_tokens: 9,
          input_cached_tokens: 3,
          input_cache_creation_tokens: null,
          input_image_tokens: 1,
          output_tokens: 2,
          total_tokens: 11
        },
        stop_reason: 'end',
        provider_meta: { id: 'x' }
      }
    },
    { ...common, type: 'run.status', status: 'awaiting_ui', message: 'May I?' },
    { ...common, type: 'run.error', error: { name: 'APIError', message: 'overloaded', stack: 'at a' } },
    { ...common, type: 'run.end', outcome: 'error', final: 'No' }
  ]

  test.each(all)('$type is read back as it was appended', async (record) => {
    const store = begun()
    if (record.type === 'llm.response') store.append({ ...common, type: 'llm.request', seq: 1, input: { messages } })
    store.append({ ...record, meta: { 'x.acme': [1, null] } } as Appended)
    expect((await recordsOf(store.filePath)).at(-1)).toEqual({ ...record, meta: { 'x.acme': [1, null] } })
  })

  test('a header says who ran what with which prompt, model and tools, and where', async () => {
    const whole: SessionHeader = {
      ...header,
      session_id: session,
      client: { name: 'tui', version: '0.1.0' },
      server: { name: 'runtime', version: '0.1.0' },
      model: { provider: 'acme', name: 'large', reasoning: 'medium', fast: true, source: 'session' },
      prompts: { system: 'You are a coding assistant.' },
      tools: { definitions: [{ name: 'shell' }], source: 'runtime' },
      runtime: { cwd: '/srv/shop', os: 'linux', arch: 'x64', version: '0.1.0' },
      meta: { 'x.acme': true }
    }
    expect(await recordsOf(SessionStore.create(folder, whole).filePath)).toEqual([whole])
  })

  test('only type, ids and times are needed of a header and a record', async () => {
    const store = begun()
    store.append({ ...common, type: 'run.end', outcome: 'completed' })
    expect(await recordsOf(store.filePath)).toEqual([header, { ...common, type: 'run.end', outcome: 'completed' }])
  })

  test('the input of a run may have images beside its text', async () => {
    const store = begun()
    const parts = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', media_type: 'image/png' } }
    ] as const
    store.append({ ...common, type: 'run.start', input: { type: 'parts', parts } })
    expect((await recordsOf(store.filePath))[1]!['input']).toEqual({ type: 'parts', parts })
  })

  test('events keep their seq, so that a window can play them in its order', async () => {
    const store = begun()
    const seqs = [0, 2, 1, 3]
    for (const seq of seqs)
      store.append({ ...common, type: 'agent.event', seq, event: { type: 'text', content: `${seq}`, timestamp: seq } })
    expect((await recordsOf(store.filePath)).slice(1).map((record) => record['seq'])).toEqual(seqs)
  })

  test('an answer needs the request of its seq, and each is asked and answered once', () => {
    const store = begun()
    const answer: Appended = { ...common, type: 'llm.response', seq: 7, output: { messages: [] } }
    const request: Appended = { ...common, type: 'llm.request', seq: 7, input: { messages: [] } }
    expect(codeOf(() => store.append(answer))).toBe('invalid-input')
    store.append(request)
    expect(codeOf(() => store.append(request))).toBe('invalid-input')
    expect(codeOf(() => store.append({ ...answer, seq: 8 }))).toBe('invalid-input')
    store.append(answer)
    expect(codeOf(() => store.append(answer))).toBe('invalid-input')
    expect(codeOf(() => store.append({ ...request, seq: 1.5 }))).toBe('invalid-input')
  })

  test('a request holds all that the model was sent, so that it can be sent again', async () => {
    const store = begun()
    const compacted: BaseMessage[] = [
      { role: 'system', content: 'You are a coding assistant.' },
      { role: 'user', content: '[codelia.compaction.summary]\nAll so far' },
      { role: 'user', content: 'Go on' }
    ]
    const input = { messages: compacted, tools: [{ name: 'shell' }], tool_choice: null, model: 'large' }
    store.append({ ...common, type: 'llm.request', seq: 1, input })
    expect((await recordsOf(store.filePath))[1]!['input']).toEqual(input)
  })

  test('the output of a tool is stored whole, whatever its event shows of it', async () => {
    const store = begun()
    const whole = 'é\n\u2028"'.repeat(100_000)
    store.append({ ...common, type: 'tool.output', tool: 'shell', tool_call_id: 'call_1', result_raw: whole })
    const event = { type: 'tool_result', tool: 'shell', tool_call_id: 'call_1', result: 'é…' } as const
    store.append({ ...common, type: 'agent.event', seq: 0, event })
    const [, output, shown] = await recordsOf(store.filePath)
    expect(output!['result_raw']).toBe(whole)
    expect(shown!['event']).toEqual(event)
  })

  test('compactions are events', async () => {
    const store = begun()
    const events = [
      { type: 'compaction_start', timestamp: 1 },
      { type: 'compaction_complete', timestamp: 2, compacted: true }
    ] as const
    events.forEach((event, seq) => store.append({ ...common, type: 'agent.event', seq, event }))
    expect((await recordsOf(store.filePath)).slice(1).map((record) => record['event'])).toEqual(events)
  })

  test('a run without its end is read as far as it goes', async () => {
    const store = begun()
    store.append({ ...common, type: 'run.status', status: 'running' })
    expect((await recordsOf(store.filePath)).map(({ type }) => type)).toEqual(['header', 'run.status'])
  })
})

describe('what comes later', () => {
  /** A run file of somebody else. */
  const foreign = (...lines: readonly object[]) => {
    const path = join(folder, 'foreign.jsonl')
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return path
  }

  test('members that nobody knows do no harm and are not lost', async () => {
    const lines = [
      { ...header, colour: 'blue' },
      { ...common, type: 'run.end', outcome: 'completed', 'x.acme': { deep: [1] } }
    ]
    expect(await recordsOf(foreign(...lines))).toEqual(lines)
    const store = await SessionStore.open(join(folder, 'foreign.jsonl'))
    store.append({ ...common, type: 'run.status', status: 'running' })
    expect((await recordsOf(store.filePath)).slice(0, 2)).toEqual(lines)
  })

  test('records of unknown types do no harm and are not lost', async () => {
    const lines = [header, { ...common, type: 'run.pause', why: 'tea' }, { ...common, type: 'run.end', outcome: 'x' }]
    expect(await recordsOf(foreign(...lines))).toEqual(lines)
    await expect(SessionStore.open(join(folder, 'foreign.jsonl'))).resolves.toBeDefined()
  })

  test('a record type of your own needs a name with a prefix', async () => {
    const store = begun()
    store.append({ ...common, type: 'x.acme.note', text: 'Look here' })
    for (const type of ['note', 'run.pause', 'x.', 'x.acme', 'x..note'])
      expect(codeOf(() => store.append({ ...common, type } as never))).toBe('invalid-input')
    expect((await recordsOf(store.filePath))[1]).toEqual({ ...common, type: 'x.acme.note', text: 'Look here' })
  })

  test('words that nobody knows are kept where a fixed set is expected', async () => {
    const lines = [header, { ...common, type: 'run.status', status: 'meditating' }]
    expect(await recordsOf(foreign(...lines))).toEqual(lines)
  })

  test('meta holds whatever one likes', async () => {
    const store = SessionStore.create(folder, { ...header, meta: { 'x.acme': { a: 1 } } })
    store.append({ ...common, type: 'run.context', context_left_percent: 50, meta: { 'x.acme': [null] } })
    expect((await recordsOf(store.filePath)).map((record) => record['meta'])).toEqual([
      { 'x.acme': { a: 1 } },
      { 'x.acme': [null] }
    ])
  })

  test('a run of another schema version is read as far as it goes, and never written on', async () => {
    const lines = [
      { ...header, schema_version: 2, run: { id: run } },
      { ...common, type: 'run.end', outcome: 'completed' }
    ]
    expect(await recordsOf(foreign(...lines))).toEqual(lines)
    await expect(SessionStore.open(join(folder, 'foreign.jsonl'))).rejects.toMatchObject({ code: 'unsupported' })
    expect(codeOf(() => SessionStore.create(folder, { ...header, schema_version: 2 } as never))).toBe('invalid-input')
  })
})

describe('the state of a session', () => {
  test('it is a row of state.db and a file of messages, apart from the runs', () => {
    const store = stateStore()
    store.save(exampleState)
    store.close()
    expect(readdirSync(folder).toSorted()).toEqual(['messages', 'state.db'])
    expect(readdirSync(join(folder, 'messages'))).toEqual([`${session}.jsonl`])
  })

  test('the messages are one a line, as they were given', () => {
    stateStore().save(exampleState)
    expect(readFileSync(messagesFile(), 'utf8')).toBe(
      '{"role":"system","content":"You are a coding assistant."}\n{"role":"user","content":"How many files?"}\n{"role":"assistant","content":"Twelve files."}\n'
    )
  })

  test('the row says when it was updated, its last run and invocation, what a list shows, and the workspace', () => {
    stateStore().save({ ...exampleState, meta: { codelia_workspace_root: '/srv/shop', 'x.acme': 1 } })
    expect(rows()).toEqual([
      {
        session_id: session,
        updated_at: '2026-02-03T12:00:02.900Z',
        run_id: run,
        invoke_seq: 1,
        schema_version: 1,
        meta_json: '{"codelia_workspace_root":"/srv/shop","x.acme":1}',
        message_count: 3,
        last_user_message: 'How many files?',
        workspace_root: '/srv/shop'
      }
    ])
  })

  test('what was saved is loaded', () => {
    const whole = { ...exampleState, meta: { codelia_todos: [{ text: 'Test', done: false }] } }
    const bare: SessionState = {
      schema_version: 1,
      session_id: other,
      updated_at: '2026-02-03T12:00:00Z',
      messages: []
    }
    const store = stateStore()
    store.save(whole)
    store.save(bare)
    expect(stateStore().load(session)).toEqual(whole)
    expect(stateStore().load(other)).toEqual(bare)
    expect(store.load('11111111-2222-4333-8444-555555555555')).toBeNull()
  })

  test('a state is saved whole in place of the one before', () => {
    const store = stateStore()
    store.save({ ...exampleState, meta: { codelia_workspace_root: '/srv/shop' } })
    const next: SessionState = {
      schema_version: 1,
      session_id: session,
      updated_at: '2026-02-03T13:00:00.000Z',
      messages: [{ role: 'user', content: 'Again' }]
    }
    store.save(next)
    expect(store.load(session)).toEqual(next)
    expect(rows()).toMatchObject([{ run_id: null, invoke_seq: null, message_count: 1, workspace_root: '/srv/shop' }])
    expect(readdirSync(join(folder, 'messages'))).toEqual([`${session}.jsonl`])
  })

  test('a session id is a UUID of version 4', () => {
    const store = stateStore()
    for (const id of ['', '../x', '0f8f6029-8617-1f42-be9a-3882cbfada25'])
      expect(codeOf(() => store.save({ ...exampleState, session_id: id }))).toBe('invalid-input')
    for (const id of ['', '../x']) expect(codeOf(() => store.load(id))).toBe('invalid-input')
    expect(existsSync(join(folder, 'messages'))).toBe(false)
    expect(codeOf(() => SessionStore.create(folder, { ...header, session_id: 'mine' }))).toBe('invalid-input')
  })

  test('what is no state is refused, and the store stays as it was', () => {
    const store = stateStore()
    store.save(exampleState)
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    for (const wrong of [
      { schema_version: 2 },
      { updated_at: 'today' },
      { messages: 'Hello' },
      { messages: [{ content: 'Hello' }] },
      { messages: [{ role: 'user', content: 1n }] },
      { messages: [{ role: 'user', content: 'Hello', toJSON: () => undefined }] },
      { messages: Object.assign([], { 1: { role: 'user', content: 'behind a hole' } }) },
      { run_id: 7 },
      { invoke_seq: 1.5 },
      { meta: [] },
      { meta: cycle }
    ])
      expect(codeOf(() => store.save({ ...exampleState, ...wrong } as never))).toBe('invalid-input')
    expect(store.load(session)).toEqual(exampleState)
  })

  test('where the messages cannot be written the row stays too', () => {
    const store = stateStore()
    store.save(exampleState)
    rmSync(messagesFile())
    mkdirSync(join(messagesFile(), 'in the way'), { recursive: true })
    expect(() => store.save({ ...exampleState, run_id: other })).toThrow()
    expect(rows()).toMatchObject([{ run_id: run }])
    expect(readdirSync(join(folder, 'messages'))).toEqual([`${session}.jsonl`])
  })

  test('a session without its file of messages has none', () => {
    const store = stateStore()
    store.save(exampleState)
    rmSync(messagesFile())
    expect(store.load(session)).toEqual({ ...exampleState, messages: [] })
  })

  test('damaged messages are refused, so that what is left of them is never saved as the whole', () => {
    const store = stateStore()
    store.save(exampleState)
    writeFileSync(messagesFile(), readFileSync(messagesFile(), 'utf8').slice(0, 80))
    expect(codeOf(() => store.load(session))).toBe('unsupported')
  })

  test('a state of another schema version is read as far as it goes, and never written over', () => {
    const store = stateStore()
    store.save(exampleState)
    const db = new Database(join(folder, 'state.db'))
    db.exec("UPDATE session_state SET schema_version = 9, meta_json = '{torn'")
    db.close()
    expect(store.load(session)).toEqual({ ...exampleState, schema_version: 9 })
    expect(codeOf(() => store.save(exampleState))).toBe('unsupported')
    expect(rows()).toMatchObject([{ schema_version: 9 }])
  })

  test('what the system says at the start is left out of what is kept to be resumed', () => {
    const messages: BaseMessage[] = [
      { role: 'system', content: 'You are a coding assistant.' },
      { role: 'user', content: 'Hello' },
      { role: 'system', content: '<system-reminder type="session.resume.diff">' },
      { role: 'assistant', content: 'Hi!' }
    ]
    expect(durableHistory(messages)).toEqual([messages[1], messages[3]])
  })

  test('the prompt at the start stays in the header of the run', async () => {
    const [stored] = await recordsOf(exampleStore().filePath)
    expect(stored!['prompts']).toEqual({ system: 'Help with the shop.' })
  })
})

describe('the list of sessions', () => {
  const state = (id: string, day: number, root?: string, content: unknown = `of day ${day}`): SessionState => ({
    schema_version: 1,
    session_id: id,
    updated_at: `2026-02-0${day}T00:00:00.000Z`,
    messages: [
      { role: 'user', content: content as string },
      { role: 'assistant', content: 'Done' }
    ],
    ...(root === undefined ? {} : { meta: { codelia_workspace_root: root } })
  })

  test('the last updated session comes first', () => {
    const store = stateStore()
    expect(store.list()).toEqual([])
    store.save(state(session, 1))
    store.save({ ...state(other, 2, '/srv/shop'), run_id: run })
    expect(store.list()).toEqual([
      {
        session_id: other,
        updated_at: '2026-02-02T00:00:00.000Z',
        run_id: run,
        message_count: 2,
        last_user_message: 'of day 2',
        workspace_root: '/srv/shop'
      },
      { session_id: session, updated_at: '2026-02-01T00:00:00.000Z', message_count: 2, last_user_message: 'of day 1' }
    ])
  })

  test('sessions are listed of one workspace', () => {
    const store = stateStore()
    store.save(state(session, 1, '/srv/shop'))
    store.save(state(other, 2, '/srv/shop-2'))
    writeSnapshot(state('11111111-2222-4333-8444-555555555555', 3, '/srv/shop'), '11111111-2222-4333-8444-555555555555')
    const ids = (root?: string) => store.list(root).map(({ session_id: id }) => id)
    expect(ids('/srv/shop')).toEqual([session, '11111111-2222-4333-8444-555555555555'])
    expect(ids('/srv/shop-2')).toEqual([other])
    expect(ids('/srv')).toEqual([])
  })

  test.each([
    ['a text', 'Hello', 'Hello'],
    [
      'parts',
      [
        { type: 'text', text: 'See ' },
        { type: 'image_url', image_url: { url: 'data:' } }
      ],
      'See [image]'
    ],
    [
      'others',
      [{ type: 'document' }, { type: 'other', provider: 'acme', kind: 'k' }, { type: 'new' }],
      '[document][other:acme/k][content]'
    ],
    ['no parts', [], '[]']
  ])('the last message of the person is told in words: %s', (_, content, words) => {
    const store = stateStore()
    store.save(state(session, 1, undefined, content))
    expect(store.list()[0]!.last_user_message).toBe(words)
  })
})

describe('databases of others', () => {
  test('an older one without workspaces gets the column, and its rows stay', () => {
    const db = new Database(join(folder, 'state.db'))
    db.exec(`
      CREATE TABLE session_state (session_id TEXT PRIMARY KEY, updated_at TEXT NOT NULL, run_id TEXT, invoke_seq INTEGER,
        schema_version INTEGER NOT NULL, meta_json TEXT, message_count INTEGER, last_user_message TEXT);
      INSERT INTO session_state VALUES ('${other}', '2026-01-01T00:00:00.000Z', NULL, NULL, 1,
        '{"codelia_workspace_root":"/srv/old"}', 0, NULL)`)
    db.close()
    const store = stateStore()
    store.save(exampleState)
    expect(store.list('/srv/old').map(({ session_id: id }) => id)).toEqual([other])
    expect(rows()).toMatchObject([{ session_id: other, workspace_root: null }, { session_id: session }])
  })

  test('what is no such database is refused and stays as it was', () => {
    writeFileSync(join(folder, 'state.db'), 'no database at all, but long enough to be one '.repeat(50))
    const before = readFileSync(join(folder, 'state.db'))
    expect(codeOf(stateStore)).toBe('unsupported')
    expect(readFileSync(join(folder, 'state.db')).equals(before)).toBe(true)
    rmSync(join(folder, 'state.db'))
    const db = new Database(join(folder, 'state.db'))
    db.exec('CREATE TABLE notes (name TEXT)')
    db.close()
    const notes = readFileSync(join(folder, 'state.db'))
    expect(codeOf(stateStore)).toBe('unsupported')
    expect(readFileSync(join(folder, 'state.db')).equals(notes)).toBe(true)
    const likeIt = new Database(join(folder, 'state.db'))
    likeIt.exec('CREATE TABLE session_state (name TEXT)')
    likeIt.close()
    expect(codeOf(stateStore)).toBe('unsupported')
    expect(readdirSync(folder)).toEqual(['state.db'])
  })

  test('a new one is in the write-ahead mode and has the table and the index that codelia makes', () => {
    stateStore().save(exampleState)
    const db = new Database(join(folder, 'state.db'), { readonly: true })
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(db.prepare("SELECT name FROM pragma_table_info('session_state')").pluck().all()).toEqual([
      'session_id',
      'updated_at',
      'run_id',
      'invoke_seq',
      'schema_version',
      'meta_json',
      'message_count',
      'last_user_message',
      'workspace_root'
    ])
    expect(db.prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").pluck().all()).toEqual(
      ['idx_session_state_updated_at']
    )
    db.close()
  })
})

describe('snapshots of an older codelia', () => {
  const old = { ...exampleState, meta: { codelia_workspace_root: '/srv/old', 'x.forked_from': other } }

  test('a snapshot is listed and loaded, and taken over when it is', () => {
    const text = writeSnapshot(old)
    const store = stateStore()
    expect(store.list()).toMatchObject([{ session_id: session, message_count: 3, workspace_root: '/srv/old' }])
    expect(rows()).toEqual([])
    expect(store.load(session)).toEqual(old)
    expect(rows()).toMatchObject([{ session_id: session, run_id: run, invoke_seq: 1, workspace_root: '/srv/old' }])
    expect(readFileSync(messagesFile(), 'utf8').split('\n')).toHaveLength(4)
    expect(readFileSync(snapshotFile(), 'utf8')).toBe(text)
    expect(store.list()).toHaveLength(1)
  })

  test('what is in the database holds, not an older snapshot of it', () => {
    const store = stateStore()
    store.save({ ...exampleState, messages: [{ role: 'user', content: 'Newer' }] })
    writeSnapshot(old)
    expect(store.load(session)?.messages).toEqual([{ role: 'user', content: 'Newer' }])
    expect(store.list()).toMatchObject([{ last_user_message: 'Newer' }])
  })

  test('a snapshot of another schema version is loaded as far as it goes, and not taken over', () => {
    writeSnapshot({ ...old, schema_version: 3 })
    const store = stateStore()
    expect(store.load(session)).toEqual({ ...old, schema_version: 3 })
    expect(rows()).toEqual([])
  })

  test('what is no snapshot of that session is passed over', () => {
    const store = stateStore()
    for (const text of ['', '{torn', '[]', 'null', JSON.stringify({ ...old, session_id: other }), '{"session_id":1}']) {
      mkdirSync(join(folder, 'state'), { recursive: true })
      writeFileSync(snapshotFile(), text)
      expect(store.load(session)).toBeNull()
      expect(store.list()).toEqual([])
    }
  })

  test('what makes no sense in a snapshot does no harm', () => {
    writeSnapshot({ ...old, run_id: 7, invoke_seq: 'x', meta: [], messages: [null, 'x', { role: 'user', content: 5 }] })
    const store = stateStore()
    const { run_id: _run, invoke_seq: _seq, meta: _meta, ...rest } = old
    expect(store.list()).toMatchObject([{ message_count: 1, last_user_message: '' }])
    expect(store.load(session)).toEqual({ ...rest, messages: [{ role: 'user', content: 5 }] })
    writeSnapshot(
      {
        ...old,
        session_id: other,
        updated_at: '2026-01-01T00:00:00.000Z',
        messages: [{ role: 'user', content: [null, { type: 'text' }, 7] }]
      },
      other
    )
    expect(store.list()[1]).toMatchObject({ session_id: other, last_user_message: '[content][content]' })
  })

  test('a snapshot without messages is an empty session', () => {
    writeSnapshot({ session_id: session, updated_at: '2026-01-01T00:00:00.000Z' })
    expect(stateStore().load(session)).toEqual({
      schema_version: 1,
      session_id: session,
      updated_at: '2026-01-01T00:00:00.000Z',
      messages: []
    })
  })
})
