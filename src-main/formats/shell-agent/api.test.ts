import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readSession } from '../testing.ts'
import { Display, SessionStore, type UsageRecord } from './api.ts'
import { shellAgent } from './index.ts'
import { forceShellAgent } from './locate.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const create = (id = 's1') => SessionStore.create(folder, { id, projectFolder: join(folder, 'project') })
const read = (store: SessionStore, name: string) => readFileSync(join(store.folder, name), 'utf8')
const linesOf = (store: SessionStore, name: string) => read(store, name).split('\n').slice(0, -1)
const spent = { input: 100, output: 20, cacheRead: 300, cacheCreation: 4 }
const refused = (code: string) => expect.objectContaining({ code })

describe('a session', () => {
  test('has a folder of its own with all its files, whole at once', () => {
    const store = create()
    expect(store.folder).toBe(join(folder, 'project', 's1'))
    expect(store.id).toBe('s1')
    expect(readdirSync(store.folder).toSorted()).toEqual([
      'conversation.jsonl',
      'events.jsonl',
      'images',
      'plan.draft',
      'plan.md',
      'stats.json',
      'summary.txt'
    ])
    expect(read(store, 'events.jsonl')).toBe('{"type":"session_start","session_id":"s1"}\n')
    for (const name of ['conversation.jsonl', 'summary.txt', 'plan.md', 'plan.draft', 'stats.json']) {
      expect(read(store, name)).toBe('')
    }
    expect(readdirSync(join(folder, 'project'))).toEqual(['s1'])
  })

  test('lies where the agent has those of the project, named by time where it is given no name', () => {
    vi.stubEnv('BASH_AGENT_HOME', folder)
    const project = join(folder, 'my  project (1)')
    mkdirSync(project)
    const store = SessionStore.create(project)
    const key = `-${folder.slice(1).replaceAll('/', '-')}-my-project-1`
    expect(store.folder).toBe(join(folder, '.bash-agent', 'projects', key, store.id))
    expect(store.id).toMatch(/^\d{8}-\d{6}-[\da-f]{4}$/)
    const { folder: elsewhere } = SessionStore.create('/no such/../folder/')
    expect(elsewhere).toContain(join(folder, '.bash-agent', 'projects', '-folder', '2'))
  })

  test('that exists is never made again, and leaves nothing behind', () => {
    create().addUser('kept')
    mkdirSync(join(folder, 'project', 'empty'))
    for (const id of ['s1', 'empty']) expect(() => create(id)).toThrow(refused('exists'))
    expect(read(SessionStore.open(join(folder, 'project', 's1')), 'conversation.jsonl')).toContain('kept')
    expect(readdirSync(join(folder, 'project')).toSorted()).toEqual(['empty', 's1'])
  })

  test('is given no name that leads elsewhere', () => {
    for (const id of ['', '.', '..', '../up', 'a/b', '.hidden', 'a\\b']) {
      expect(() => create(id)).toThrow(refused('invalid-input'))
    }
  })

  test('is opened where both logs are there', () => {
    const { folder: made } = create()
    expect(SessionStore.open(made).folder).toBe(made)
    rmSync(join(made, 'events.jsonl'))
    expect(() => SessionStore.open(made)).toThrow(refused('not-found'))
    expect(() => SessionStore.open(join(folder, 'gone'))).toThrow(refused('not-found'))
  })

  test.skipIf(process.platform === 'win32')('in which the agent runs is read, and never written to', () => {
    const store = create()
    execFileSync('mkfifo', [join(store.folder, 'input.fifo')])
    const files = () => readdirSync(store.folder).map((name) => [name, lstatSync(join(store.folder, name)).mtimeMs])
    const before = files()
    const writes = [
      () => store.addUser('x'),
      () => store.appendEvents({ type: 'retry' }),
      () => store.updateStats('current_turn_count=+1'),
      () => store.recordUsage({ kind: 'agent', ...spent }),
      () => store.writeSummary('x'),
      () => store.writeDraft('x'),
      () => store.confirmPlan(),
      () => store.clearPlan()
    ]
    for (const write of writes) expect(write).toThrow(refused('read-only'))
    expect(files()).toEqual(before)
    expect(store.messages()).toEqual([])
  })

  test('whose files are not all there, as older agents left them, can be written on', () => {
    const store = create()
    for (const name of ['stats.json', 'plan.md', 'plan.draft', 'summary.txt']) rmSync(join(store.folder, name))
    expect([store.summary, store.plan, store.draft, store.confirmPlan()]).toEqual([null, null, null, false])
    store.recordUsage({ kind: 'agent', ...spent })
    expect(store.stats().agent_request_count).toBe(1)
  })
})

describe('the conversation', () => {
  test('holds prompts, answers and results of tools as the next request has them', () => {
    const store = create()
    store.addUser('Fix "it"\nnow')
    store.addAssistant({ thinking: '', text: 'Looking.', calls: [{ id: 't1', name: 'Read', input: { path: 'a.ts' } }] })
    store.addToolResults([{ id: 't1', content: 'text\u001b[0m' }])
    expect(store.messages()).toEqual([
      { role: 'user', content: 'Fix "it"\nnow' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: '' },
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 't1', name: 'Read', input: { path: 'a.ts' } }
        ]
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'text\u001b[0m' }] }
    ])
    expect(linesOf(store, 'conversation.jsonl').map((line) => JSON.parse(line))).toEqual(store.messages())
  })

  test('is not touched by events, and has no events of its own', () => {
    const store = create()
    store.addUser('one')
    store.appendEvents({ type: 'user_input', content: 'one' }, { type: 'text', content: 'Yes.' })
    expect(linesOf(store, 'conversation.jsonl')).toHaveLength(1)
    expect(linesOf(store, 'events.jsonl')).toHaveLength(3)
  })

  test('with a line that cannot be read is no request', () => {
    const store = create()
    store.addUser('one')
    const whole = read(store, 'conversation.jsonl')
    for (const line of ['no JSON', '{"role":user}', '[1,', '{"role":"us{"role":"user","content":"ran into it"}']) {
      writeFileSync(join(store.folder, 'conversation.jsonl'), `${whole}${line}\n`)
      expect(() => store.messages()).toThrow(refused('unsupported'))
    }
  })

  test('that a crash cut short, at whatever byte, has the messages that were whole, and goes on', () => {
    const store = create()
    store.addUser('Fix "it" für mich\n\u0001')
    store.addAssistant({ thinking: '', text: 'ok', calls: [{ id: 't1', name: 'Read', input: { a: { b: [1] } } }] })
    store.addToolResults([{ id: 't1', content: 'x' }])
    const path = join(store.folder, 'conversation.jsonl')
    const bytes = readFileSync(path)
    const messages = store.messages()
    const ends = linesOf(store, 'conversation.jsonl').map((line) => Buffer.byteLength(line) + 1)
    ends.forEach((length, at) => (ends[at] = length + (ends[at - 1] ?? 0)))
    for (let cut = 0; cut <= bytes.length; cut++) {
      writeFileSync(path, bytes.subarray(0, cut))
      const whole = messages.slice(0, ends.filter((end) => end - 1 <= cut).length)
      expect(store.messages()).toEqual(whole)
      store.addUser('Again')
      expect(store.messages()).toEqual([...whole, { role: 'user', content: 'Again' }])
      expect(readFileSync(path).subarray(0, cut)).toEqual(bytes.subarray(0, cut))
    }
  })

  test('that ends in a torn line goes on with a line of its own', () => {
    const store = create()
    appendFileSync(join(store.folder, 'conversation.jsonl'), '{"role":"us')
    store.addUser('two')
    expect(linesOf(store, 'conversation.jsonl')).toEqual(['{"role":"us', '{"role":"user","content":"two"}'])
  })
})

test('the event log records what an onlooker sees: texts, thinking, calls, results, usage, errors, sub-agents, context updates', () => {
  const store = create()
  const time = '2026-05-09T11:00:03Z'
  const sub = { session_id: 'sub_1' }
  store.appendEvents(
    { type: 'user_input', content: 'go' },
    { type: 'thinking', content: 'hm' },
    { type: 'text', content: 'Yes.' },
    { type: 'tool_call', name: 'SubAgent', id: 't1', input: { prompt: 'p' } },
    { type: 'sub_agent_start', ...sub, timestamp: time, prompt: 'p', description: 'd', fork: false },
    { type: 'tool_result', tool_use_id: 't1', name: 'SubAgent', content: 'started' },
    { type: 'error', message: 'overloaded' },
    { type: 'sub_agent_result', ...sub, status: 'ok', input_tokens: 1, output_tokens: 2, thinking: '', text: 'done' },
    { type: 'sub_agent_end', ...sub, timestamp: time, status: 'ok' },
    { type: 'context_update', kind: 'compact', trigger: 'auto' }
  )
  store.recordUsage({ kind: 'compact', ...spent })
  expect(linesOf(store, 'events.jsonl').slice(5)).toEqual([
    '{"type":"sub_agent_start","session_id":"sub_1","timestamp":"2026-05-09T11:00:03Z","prompt":"p","description":"d","fork":false}',
    '{"type":"tool_result","tool_use_id":"t1","name":"SubAgent","content":"started"}',
    '{"type":"error","message":"overloaded"}',
    '{"type":"sub_agent_result","session_id":"sub_1","status":"ok","input_tokens":1,"output_tokens":2,"thinking":"","text":"done"}',
    '{"type":"sub_agent_end","session_id":"sub_1","timestamp":"2026-05-09T11:00:03Z","status":"ok"}',
    '{"type":"context_update","kind":"compact","trigger":"auto"}',
    '{"type":"usage","input_tokens":100,"output_tokens":20,"cache_read_input_tokens":300,"cache_creation_input_tokens":4,"kind":"compact"}'
  ])
})

describe('summary and plan', () => {
  test('the summary is the latest text of a compaction', () => {
    const store = create()
    expect(store.summary).toBeNull()
    store.writeSummary('first')
    store.writeSummary('User asked.\nDone.')
    expect(store.summary).toBe('User asked.\nDone.')
    expect(read(store, 'summary.txt')).toBe('User asked.\nDone.\n')
  })

  test('a draft leaves the plan as it is until it is confirmed', () => {
    const store = create()
    store.writeDraft('# One')
    expect([store.plan, store.draft]).toEqual([null, '# One'])
    expect(store.confirmPlan()).toBe(true)
    expect([store.plan, store.draft]).toEqual(['# One', null])
    store.writeDraft('# Two')
    expect([store.plan, store.draft]).toEqual(['# One', '# Two'])
    store.clearPlan()
    expect([store.plan, store.draft]).toEqual([null, '# Two'])
    store.writeDraft('')
    expect(store.confirmPlan()).toBe(false)
  })
})

describe('recent turns', () => {
  const withTurns = (count: number): SessionStore => {
    const store = create()
    for (let turn = 1; turn <= count; turn++) {
      store.appendEvents(
        { type: 'user_input', content: `prompt ${turn}` },
        { type: 'text', content: 'an' },
        { type: 'text', content: 'swer' },
        { type: 'stop', reason: 'end_turn' }
      )
    }
    return store
  }

  test('are the lines from the tenth last prompt on, or as many turns as are asked for', async () => {
    const store = withTurns(12)
    const all = linesOf(store, 'events.jsonl')
    expect(await store.recentTurnLines()).toEqual(all.slice(-40))
    expect(await store.recentTurnLines(2)).toEqual(all.slice(-8))
  })

  test('begin with the first prompt where there are fewer, and with the first line where there is none', async () => {
    const store = withTurns(3)
    expect(await store.recentTurnLines()).toEqual(linesOf(store, 'events.jsonl').slice(1))
    const other = create('s2')
    other.appendEvents({ type: 'text', content: 'a' })
    expect(await other.recentTurnLines()).toEqual(linesOf(other, 'events.jsonl'))
  })

  test('of an empty log, or none, are none', async () => {
    const store = create()
    writeFileSync(join(store.folder, 'events.jsonl'), '')
    expect(await store.recentTurnLines()).toEqual([])
    rmSync(join(store.folder, 'events.jsonl'))
    expect(await store.recentTurnLines()).toEqual([])
    expect(await store.replay()).toEqual([])
  })

  test('are shown without the conversation, and do not bring it back', async () => {
    const store = withTurns(2)
    rmSync(join(store.folder, 'conversation.jsonl'))
    expect((await store.replay()).map(({ kind, text }) => [kind, text])).toEqual([
      ['user', 'prompt 1'],
      ['text', 'answer'],
      ['user', 'prompt 2'],
      ['text', 'answer']
    ])
    expect(existsSync(join(store.folder, 'conversation.jsonl'))).toBe(false)
  })

  test('are shown by the display that shows events as they come', async () => {
    const store = withTurns(2)
    const live = new Display()
    let offset = 0
    for (const line of linesOf(store, 'events.jsonl')) {
      live.push(JSON.parse(line), offset)
      offset += Buffer.byteLength(line) + 1
    }
    expect(await store.replay()).toEqual(live.messages)
  })
})

describe('stats', () => {
  test('are changed by key=+n and key=value, and keep the rest', () => {
    const store = create()
    store.updateStats('current_turn_count=+1', 'total_input_tokens=+10')
    const stats = store.updateStats('current_turn_count=+1', 'current_context_tokens=99')
    expect(stats).toMatchObject({ current_turn_count: 2, total_input_tokens: 10, current_context_tokens: 99 })
    expect(stats).toEqual(store.stats())
    expect(stats.last_updated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  test('count turns, requests of each kind, tokens and cache tokens', () => {
    const store = create()
    store.updateStats('current_turn_count=+1')
    expect(store.recordUsage({ kind: 'agent', ...spent })).toBe(424)
    expect(store.recordUsage({ kind: 'compact', ...spent, output: 1 })).toBe(405)
    expect(store.recordUsage({ kind: 'sub_agent', ...spent, sessionId: 'sub_1', requests: 3 })).toBe(424)
    expect(store.stats()).toMatchObject({
      current_turn_count: 1,
      agent_request_count: 4,
      compact_request_count: 1,
      sub_agent_request_count: 1,
      total_input_tokens: 300,
      total_output_tokens: 41,
      total_cache_read_tokens: 900,
      total_cache_creation_tokens: 12
    })
    expect(linesOf(store, 'events.jsonl').at(-1)).toBe(
      '{"type":"usage","input_tokens":100,"output_tokens":20,"cache_read_input_tokens":300,"cache_creation_input_tokens":4,"kind":"sub_agent","sub_session_id":"sub_1"}'
    )
  })

  test('have the context of the last request of the agent, and of no other', () => {
    const store = create()
    store.recordUsage({ kind: 'agent', ...spent })
    store.recordUsage({ kind: 'compact', ...spent, input: 9000 })
    store.recordUsage({ kind: 'sub_agent', ...spent, input: 9000, sessionId: 'sub_1', requests: 1 })
    expect(store.stats().current_context_tokens).toBe(424)
  })

  test('give the title', () => {
    const store = create()
    store.updateStats('current_turn_count=+2', 'last_call_speed_tok_per_sec=87')
    store.recordUsage({ kind: 'agent', input: 1000, output: 1234, cacheRead: 3000, cacheCreation: 0 })
    expect(store.title('large-1', true)).toBe('large-1 T:2 R:1 I:4,000(75%) O:1,234 C:5,234 S:87tok/s')
    expect(store.title('large-1')).toBe('⏳ large-1 T:2 R:1 I:4,000(75%) O:1,234 C:5,234 S:87tok/s')
  })

  test('that are no object of JSON are refused, with nothing written', () => {
    const store = create()
    writeFileSync(join(store.folder, 'stats.json'), '{"current_turn_')
    const events = read(store, 'events.jsonl')
    expect(() => store.recordUsage({ kind: 'agent', ...spent })).toThrow(refused('unsupported'))
    expect(() => store.updateStats('current_turn_count=+1')).toThrow(refused('unsupported'))
    expect(() => store.title('m')).toThrow(refused('unsupported'))
    expect([read(store, 'stats.json'), read(store, 'events.jsonl')]).toEqual(['{"current_turn_', events])
  })

  test('take no tokens but whole numbers', () => {
    const store = create()
    for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const usage: UsageRecord = { kind: 'agent', ...spent, cacheRead: bad }
      expect(() => store.recordUsage(usage)).toThrow(refused('invalid-input'))
    }
    expect(linesOf(store, 'events.jsonl')).toHaveLength(1)
  })

  test('of several processes that write at once lose nothing, and no reader finds half a file', async () => {
    const store = create()
    const program = join(folder, 'write.ts')
    writeFileSync(
      program,
      `import { SessionStore } from '${join(import.meta.dirname, 'api.ts')}'
       const store = SessionStore.open('${store.folder}')
       for (let at = 0; at < 20; at++) {
         store.recordUsage({ kind: 'agent', input: 1, output: 2, cacheRead: 3, cacheCreation: 4 })
         store.addUser('prompt ' + at)
       }`
    )
    const writers = Promise.all([1, 2].map(() => promisify(execFile)(process.execPath, [program])))
    const until = { isDone: false }
    void writers.finally(() => (until.isDone = true))
    while (!until.isDone) {
      expect(store.stats().last_updated === null || (store.stats().agent_request_count ?? 0) > 0).toBe(true)
      await new Promise(setImmediate)
    }
    await writers
    expect(store.stats()).toMatchObject({ agent_request_count: 40, total_cache_creation_tokens: 160 })
    expect(store.messages()).toHaveLength(40)
    expect(linesOf(store, 'events.jsonl')).toHaveLength(41)
    expect(readdirSync(store.folder)).toHaveLength(7)
    expect(statSync(join(store.folder, 'stats.json')).mode & 0o777).toBe(0o600)
  })
})

describe('what is written', () => {
  const shown = (store: SessionStore) => {
    const set = forceShellAgent(join(store.folder, 'conversation.jsonl'), null)
    return readSession(
      shellAgent,
      set,
      set.files.map(({ path }) => readFileSync(path))
    )
  }

  test('is shown as it was meant: the plan and the summary in the context, the draft not, and no fault', async () => {
    const store = create()
    store.addUser('Fix it')
    store.appendEvents({ type: 'user_input', content: 'Fix it' })
    const input = { path: 'a.ts' }
    store.addAssistant({ thinking: 'Hm.', text: '', calls: [{ id: 't1', name: 'Read', input }] })
    store.addToolResults([{ id: 't1', content: 'text\u001b[0m' }])
    store.appendEvents(
      { type: 'thinking', content: 'Hm.' },
      { type: 'tool_call', name: 'Read', id: 't1', input },
      { type: 'tool_result', tool_use_id: 't1', name: 'Read', content: 'text\u001b[0m' }
    )
    store.recordUsage({ kind: 'agent', ...spent })
    store.appendEvents({ type: 'stop', reason: 'tool_use' })
    store.addAssistant({ thinking: '', text: 'Done.', calls: [] })
    store.appendEvents({ type: 'text', content: 'Do' }, { type: 'text', content: 'ne.' })
    store.recordUsage({ kind: 'agent', ...spent })
    store.appendEvents({ type: 'stop', reason: 'end_turn' })
    store.writeSummary('Before.')
    store.writeDraft('# Plan')
    store.confirmPlan()
    store.writeDraft('# Another')

    const session = await shown(store)
    const { messages } = await shellAgent.context(session, null)
    expect(messages.map(({ kind, role, text }) => [kind, role, text])).toEqual([
      ['system', 'system', '# Plan'],
      ['compaction-summary', 'system', 'Before.\n'],
      ['message', 'user', 'Fix it'],
      ['message', 'assistant', ''],
      ['message', 'user', 'text\u001b[0m'],
      ['message', 'assistant', 'Done.']
    ])
    expect([...session.lines.flatMap(({ faults }) => faults), ...session.tree.faults]).toEqual([])
    expect(session.tree.session).toMatchObject({ id: 's1', title: 'Fix it', usage: { requests: 2, total: 848 } })
  })

  test('adds up: the counters are those of the events, whatever is recorded', async () => {
    const count = fc.nat(1_000_000)
    const tokens = { input: count, output: count, cacheRead: count, cacheCreation: count }
    const usage = fc.oneof(
      fc.record({ kind: fc.constantFrom('agent' as const, 'compact' as const), ...tokens }),
      fc.record({
        kind: fc.constant('sub_agent' as const),
        sessionId: fc.constant('sub_1'),
        requests: count,
        ...tokens
      })
    )
    await fc.assert(
      fc.asyncProperty(fc.array(usage, { maxLength: 6 }), fc.nat(), async (usages, number) => {
        const store = create(`p${number}`)
        for (const one of usages) store.recordUsage(one)
        const { tree } = await shown(store)
        expect(tree.faults.filter(({ kind }) => kind === 'stats-drift')).toEqual([])
        rmSync(store.folder, { recursive: true })
      }),
      { numRuns: 10 }
    )
  })
})
