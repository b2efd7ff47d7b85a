import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dsh } from '#main/formats/dsh/index.ts'
import * as log from '#main/formats/dsh/log-testing.ts'
import type { Calls, Events } from '#shared/contract/contract.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { Client } from '#shared/rpc/client.ts'
import { createEngine } from './create-engine.ts'
import type { Engine } from './types.ts'

/** Two prompts, a call whose result is compacted away with them, and another whose result is pruned. */
const events: readonly JsonObject[] = [
  log.turnStart(1),
  log.stepStart(1, 1),
  log.requestHeader('You help.'),
  log.prompt('first'),
  log.answer(1, 1, [log.call('c1')], log.append, { usage: { inputTokens: 10, outputTokens: 5 } }),
  log.callEvent(1, 1, 'c1'),
  log.result(1, 1, 'c1', 'a\nb\nc\n'),
  log.answer(1, 1, [log.call('c2')]),
  log.callEvent(1, 1, 'c2'),
  log.result(1, 1, 'c2', 'one\ntwo\n'),
  { type: 'compaction/start', data: { compactionId: 'k', turn: 1, sourceCommandId: 'cmd' } },
  {
    type: 'compaction/summary',
    data: {
      compactionId: 'k',
      summary: [log.text('It began.')],
      shadowedTokenCount: 9,
      usage: { inputTokens: 2, outputTokens: 1 }
    }
  },
  log.prompt('<compacted-summary>It began.</compacted-summary>', log.replace(3, 6, [3, 4, 6, 10, 11]), {
    kind: 'plugin',
    plugin: 'compact'
  }),
  { type: 'compaction/end', data: { compactionId: 'k', turn: 1 } },
  { type: 'compaction/prune', data: { shadowedSeqs: [9], shadowedTokenCount: 3 } },
  log.result(1, 1, 'c2', 'one\n[pruned]\n', log.replace(9, 9)),
  { type: 'compaction/start', data: { compactionId: 'l', turn: 1 } },
  { type: 'compaction/end', data: { compactionId: 'l', turn: 1, error: { message: 'no answer' } } },
  log.stepEnd(1, 1),
  log.turnEnd(1)
]

let root: string
let folder: string
let engine: Engine
let client: Client<Calls, Events>
let bugs: string[]

async function start(watch = false): Promise<SessionKey> {
  engine = await createEngine(
    {
      index: join(root, 'index.db'),
      dataFolder: join(root, 'data'),
      settings: null,
      samples: null,
      env: {},
      home: root,
      worker: null,
      watch,
      log: (line) => bugs.push(line)
    },
    [dsh]
  )
  client = engine.client({ info: { version: '0', shell: 'none', why: 'test', nativeDialog: false, reveal: false } })
  await engine.openFolder(join(root, 'sessions'))
  await engine.idle()
  const [row] = await client.call('session.list', {})
  return row!.key
}

const rowOf = (session: SessionKey) => client.call('session.get', { session })
const idsOf = async (session: SessionKey) => (await client.call('session.outline', { session })).ids

/** Waits for what a change on disk comes to. */
async function change(write: () => void, isDone: () => Promise<boolean>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const off = client.on('session.changed', () => {
    isDone().then((done) => done && resolve(), reject)
  })
  write()
  await promise
  off()
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  folder = join(root, 'sessions', '--home-user-project--', 'made')
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(root, 'out'))
  bugs = []
})
afterEach(async () => {
  await engine.close()
  rmSync(root, { recursive: true })
  expect(bugs).toEqual([])
})

const write = (name: string, bytes: string | Buffer): string => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

describe('a compaction', () => {
  test('says what it did to the cache of the provider: what stands in front, and what is read anew', async () => {
    write('session.jsonl', log.logText(log.headerOf(0), events))
    const session = await start()
    expect(await client.call('compaction.list', { session })).toMatchObject([
      { entry: '12' },
      { entry: '15' },
      { entry: '17' }
    ])
    const [system] = await client.call('context.messages', { session, entry: '11', from: 0, count: 1 })
    expect(await client.call('compaction.get', { session, entry: '12' })).toMatchObject({
      trigger: 'command',
      summary: 'It began.',
      recordedBefore: 9,
      recordedAfter: 1,
      before: { messages: 6, fates: { kept: 3, summarised: 3 } },
      after: { messages: 4, fates: { kept: 3, added: 1 } },
      firstChange: { at: 1, source: '3', tokens: system!.tokens },
      rewritten: []
    })
  })

  test('that rewrites a result shows how, line by line', async () => {
    write('session.jsonl', log.logText(log.headerOf(0), events))
    const session = await start()
    expect(await client.call('compaction.get', { session, entry: '15' })).toMatchObject({
      trigger: 'prune',
      summary: null,
      before: { fates: { kept: 3, rewritten: 1, summarised: 0, dropped: 0 } },
      firstChange: { at: 3, source: '9' },
      rewritten: [3]
    })
    expect(await client.call('compaction.difference', { session, entry: '15', index: 3 })).toEqual({
      kind: 'parts',
      parts: [
        { change: 'same', text: 'one\n' },
        { change: 'removed', text: 'two\n' },
        { change: 'added', text: '[pruned]\n' }
      ],
      isCut: false
    })
    await expect(client.call('compaction.difference', { session, entry: '12', index: 1 })).rejects.toMatchObject({
      code: 'not-found'
    })
  })

  test('that failed changed nothing', async () => {
    write('session.jsonl', log.logText(log.headerOf(0), events))
    const session = await start()
    expect(await client.call('compaction.get', { session, entry: '17' })).toMatchObject({
      summary: 'Failed: no answer',
      before: { fates: { kept: 4 } },
      after: { fates: { kept: 4, added: 0 } },
      firstChange: null
    })
    const [row] = await client.call('entry.rows', { session, at: [17] })
    expect(row).toMatchObject({ kind: 'compaction', failed: true, turn: 1, step: 1 })
  })
})

describe('a log in frames', () => {
  const lines = log.logLines(log.headerOf(0), events)
  const [header = '', ...rows] = lines
  const frames = [header, rows.slice(0, 7).join(''), rows.slice(7).join('')].map((text) => zstdCompressSync(text))

  test('is read, counted and exported by its lines', async () => {
    const file = write('session.jsonl.zstd', Buffer.concat(frames))
    const session = await start()
    expect(await rowOf(session)).toMatchObject({ file, entries: events.length, faults: 0, agent: 'dsh' })
    const { size } = statSync(file)
    expect((await client.call('session.verify', { session })).bytes).toEqual({
      entries: size,
      faults: 0,
      blank: 0,
      total: size
    })
    const into = await engine.folderKey(join(root, 'out'))
    const { result } = await client.call('export.write', { session, into, name: 'made.jsonl' })
    expect(readFileSync(result.out, 'utf8')).toBe(lines.join(''))
    const [row] = await client.call('entry.rows', { session, at: [0] })
    expect(row?.frame).toEqual([frames[0]!.length, frames[1]!.length])
    expect(row?.bytes).toEqual([Buffer.byteLength(header), Buffer.byteLength(rows[0]!) - 1])
  })

  test('goes on while it is open; a torn frame waits', async () => {
    const file = write('session.jsonl.zstd', Buffer.concat(frames.slice(0, 2)))
    const session = await start(true)
    const open = ['0', '1', '2', '3', '4', '5', '6']
    // Its turn is open, so the ends of step and turn stand behind it.
    expect(await idsOf(session)).toEqual([...open, '7', '8'])
    const torn = frames[2]!
    await change(
      () => appendFileSync(file, torn.subarray(0, 12)),
      async () => (await client.call('session.verify', { session })).findings.length === 1
    )
    const { bytes, findings } = await client.call('session.verify', { session })
    expect(findings).toMatchObject([{ kind: 'torn-tail', length: 0 }])
    expect(bytes).toMatchObject({ faults: 12, blank: 0 })
    await change(
      () => appendFileSync(file, torn.subarray(12)),
      async () => (await idsOf(session)).length === events.length
    )
    expect((await client.call('session.verify', { session })).findings).toEqual([])
    expect((await client.call('entry.rows', { session, at: [8] }))[0]).not.toHaveProperty('synthetic')
  })

  test('with a wrong checksum ends there, and what stands before is shown', async () => {
    const damaged = Buffer.concat(frames)
    damaged[damaged.length - 20]! ^= 0xff
    write('session.jsonl.zstd', damaged)
    const session = await start()
    expect(await idsOf(session)).toHaveLength(7)
    const { findings, bytes } = await client.call('session.verify', { session })
    const [read, left] = [frames[0]!.length + frames[1]!.length, frames[2]!.length]
    const message = expect.stringContaining(
      `Of the file ${read} bytes were read, ${left} bytes from there on were not.`
    )
    expect(findings).toMatchObject([{ kind: 'unreadable', severity: 'error', message }])
    expect(bytes.faults).toBe(frames[2]!.length)
    const { notes } = await client.call('session.outline', { session })
    expect(notes).toMatchObject([{ tone: 'warning', text: expect.stringContaining('dsh refuses the session') }])
  })
})

test('a newer generation beside it is the same session, and the older one is only named', async () => {
  write('session.jsonl', log.logText(log.headerOf(0), events))
  const session = await start(true)
  const v3 = [log.turnStart(1), log.prompt('migrated'), log.turnEnd(1)]
  await change(
    () => write('session.v3.jsonl', log.logText(log.headerOf(3), v3)),
    async () => (await rowOf(session)).entries === 3
  )
  expect(await client.call('session.list', {})).toMatchObject([
    { key: session, file: join(folder, 'session.v3.jsonl') }
  ])
  expect((await client.call('session.outline', { session })).notes).toMatchObject([
    { tone: 'info', detail: 'session.jsonl' }
  ])
})

test('a path that ends inside of a packed row is exported with the whole row', async () => {
  const row = { type: 'text-chunks', data: { turn: 1, step: 1, index: 0, dt: [1, 1], texts: ['a', 'b', 'c'] } }
  const lines = log.logLines(log.headerOf(0), [log.turnStart(1), row, log.turnEnd(1)])
  write('session.jsonl', lines.join(''))
  const session = await start()
  const into = await engine.folderKey(join(root, 'out'))
  const { result } = await client.call('export.write', { session, entry: '2', into, name: 'path.jsonl' })
  expect(readFileSync(result.out, 'utf8')).toBe(lines.slice(0, 3).join(''))
  expect(result.entries).toBe(4)
})

describe('an export to be read', () => {
  async function exported(name: string, bytes: string, as: 'markdown' | 'html' | 'normalized', entry?: string) {
    write(name, bytes)
    const session = await start()
    const into = await engine.folderKey(join(root, 'out'))
    const about = { session, into, name: 'made.txt', as, ...(entry === undefined ? {} : { entry }) }
    const { result } = await client.call('export.write', about)
    const text = readFileSync(result.out, 'utf8')
    return {
      entries: result.entries,
      headings: [...text.matchAll(/^### .* entry (.*)$/gm)].map(([, id]) => id),
      articles: text.split('<article').length - 1,
      count: (words: string) => text.split(words).length - 1
    }
  }

  const packed = (...texts: readonly string[]): JsonObject => ({
    type: 'text-chunks',
    data: { turn: 1, step: 1, index: 0, dt: texts.slice(1).map(() => 1), texts }
  })
  /** Events 3 to 6 are an attempt, 8 to 11 the stream of the answer. */
  const v0 = log.logText(log.headerOf(0), [
    log.turnStart(1),
    log.stepStart(1, 1),
    log.prompt('hi'),
    packed('It ', 'will ', 'fail'),
    log.finish(1, 1, 'error'),
    { type: 'llm/retry', data: { retryId: 'r', turn: 1, step: 1, retry: 1, failure: { message: 'too slow' } } },
    packed('All ', 'is ', 'well'),
    log.finish(1, 1, 'stop'),
    log.answer(1, 1, [log.text('All is well')], { ...log.append, sourceEventSeqs: [[8, 11]] }),
    log.stepEnd(1, 1),
    log.turnEnd(1)
  ])

  test('has an answer once and an attempt as one, where they are chunks', async () => {
    const markdown = await exported('session.jsonl', v0, 'markdown')
    expect(markdown.headings).toEqual(['0', '1', '2', '3 to 6', '7', '12', '13', '14'])
    expect(['All is well', 'It will fail', '4 pieces of answers that are in it whole'].map(markdown.count)).toEqual([
      1, 1, 1
    ])
    expect(markdown.entries).toBe(11)
  })

  test('as a page is the same', async () => {
    const page = await exported('session.jsonl', v0, 'html')
    expect([page.articles, page.entries, page.count('All is well'), page.count('It will fail')]).toEqual([8, 11, 1, 1])
  })

  test('has as one what came of an answer that is not in it', async () => {
    const part = await exported('session.jsonl', v0, 'markdown', '9')
    expect(part.headings).toEqual(['0', '1', '2', '3 to 6', '7', '8 to 9'])
    expect([part.count('All is \n'), part.count('in it whole'), part.entries]).toEqual([1, 0, 10])
  })

  const stream = (...texts: readonly string[]) => [{ type: 'text-chunks', time0: log.begun, index: 0, dt: [1], texts }]
  const v3 = log.logText(log.headerOf(3), [
    log.turnStart(1),
    log.prompt('hi'),
    { type: 'assistant/attempt', data: { turn: 1, step: 1, stream: stream('It will ', 'fail') } },
    log.answer(1, 1, [log.text('All is well')], log.append, { stream: stream('All is ', 'well') }),
    log.turnEnd(1)
  ])

  test('leaves out the stream that an answer holds beside its words, and keeps that of an attempt', async () => {
    const markdown = await exported('session.v3.jsonl', v3, 'markdown')
    expect(markdown.headings).toEqual(['0', '1', '2', '3', '4'])
    expect(['All is well', 'It will fail'].map(markdown.count)).toEqual([1, 1])
  })

  test('the normalized one has every chunk and stream', async () => {
    const normalized = await exported('session.v3.jsonl', v3, 'normalized')
    expect([normalized.entries, normalized.count('stream: text 0')]).toEqual([5, 2])
    await engine.close()
    rmSync(join(root, 'out', 'made.txt'))
    rmSync(join(folder, 'session.v3.jsonl'))
    const chunks = await exported('session.jsonl', v0, 'normalized')
    expect([chunks.entries, chunks.count('\n'), chunks.count('"text":"All "')]).toEqual([15, 16, 1])
  })
})

test('nothing that is read is changed', async () => {
  const file = write('session.jsonl', log.logText(log.headerOf(0), events.slice(0, 6)))
  const hash = () => createHash('sha256').update(readFileSync(file)).digest('hex')
  const before = hash()
  const session = await start()
  await client.call('entry.context', { session })
  expect(hash()).toBe(before)
})
