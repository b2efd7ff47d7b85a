import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { encodeFrame } from '#main/formats/made-up/frames.ts'
import { madeUp } from '#main/formats/made-up/index.ts'
import { omp } from '#main/formats/omp/index.ts'
import type { Calls, Events } from '#shared/contract/contract.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { entryKinds } from '#shared/model/entry.ts'
import type { Client } from '#shared/rpc/client.ts'
import { createEngine } from './create-engine.ts'
import type { Engine } from './types.ts'

const lines = [
  '{"who":"person","say":"hällo","at":1000}\n',
  '{"who":"model","say":"yes?\\nwell","at":2000,"spent":7}\n',
  '\n',
  '{"event":"paused"}\n',
  'not json\n',
  '{"who":"person","say":"on we go"}\n',
  '{"who":"model","say":"so we do","spent":5}\n'
]
const stream = lines.join('')
/** Texts of the frames; the sixth line runs on from the third into the fourth. */
const frames = [
  lines.slice(0, 2).join(''),
  lines.slice(2, 5).join(''),
  lines[5]!.slice(0, 20),
  lines[5]!.slice(20) + lines[6]!
]
const log = Buffer.concat(frames.map(encodeFrame))
const sizes = frames.map((text) => encodeFrame(text).length)
const notes = `${JSON.stringify({ title: 'A made-up session', pinned: [2] }, null, 2)}\n`
const piSession = [
  { type: 'session', version: 3, id: 'made', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/home/user/p' },
  {
    type: 'message',
    id: 'a1',
    parentId: null,
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: 'hi' }
  }
]

const lengthOf = (text: string) => Buffer.byteLength(text)
const offsetOf = (line: number) => lengthOf(lines.slice(0, line - 1).join(''))
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

let root: string
let folder: string
let main: string
let beside: string
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
    [madeUp, omp]
  )
  client = engine.client({ info: { version: '0', shell: 'none', why: 'test', nativeDialog: false, reveal: false } })
  await engine.openFolder(folder)
  await engine.idle()
  const rows = await client.call('session.list', {})
  return rows.find(({ file }) => file === main)!.key
}

async function outlineOf(session: SessionKey) {
  const { ids, kinds, labels } = await client.call('session.outline', { session })
  return { ids, kinds: kinds.map((kind) => entryKinds[kind]), labels }
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  folder = join(root, 'sessions')
  for (const path of [folder, join(root, 'out')]) mkdirSync(path)
  main = join(folder, 'one.frames')
  beside = join(folder, 'one.notes')
  writeFileSync(main, log)
  writeFileSync(beside, notes)
  writeFileSync(join(folder, 'pi.jsonl'), piSession.map((object) => `${JSON.stringify(object)}\n`).join(''))
  bugs = []
})
afterEach(async () => {
  await engine.close()
  rmSync(root, { recursive: true })
  expect(bugs).toEqual([])
})

test('two files are one session among those of other formats', async () => {
  const session = await start()
  const rows = await client.call('session.list', {})
  expect(rows.map(({ file, agent, entries, bytes }) => ({ file, agent, entries, bytes }))).toEqual(
    expect.arrayContaining([
      { file: main, agent: 'shell-agent', entries: 5, bytes: log.length + lengthOf(notes) },
      expect.objectContaining({ file: join(folder, 'pi.jsonl'), agent: 'pi', entries: 1 })
    ])
  )
  expect(rows).toHaveLength(2)
  expect(await client.call('session.get', { session })).toMatchObject({
    id: 'one',
    title: 'A made-up session',
    leaves: 1,
    faults: 1,
    usage: { requests: 2, output: 12, total: 12 }
  })
  expect(await outlineOf(session)).toEqual({
    ids: ['f1', 'f2', 'f4', 'f6', 'f7'],
    kinds: ['message', 'message', 'event', 'message', 'message'],
    labels: [{ at: 1, label: 'pinned' }]
  })
})

test('an entry says where it lies in the stream and in which frames', async () => {
  const session = await start()
  const rows = await client.call('entry.rows', { session, at: [1, 3, 4] })
  const [first, second, third, fourth] = sizes as [number, number, number, number]
  expect(rows).toMatchObject([
    { id: 'f2', parent: 'f1', line: 2, bytes: [offsetOf(2), lengthOf(lines[1]!) - 1], frame: [0, first] },
    { id: 'f6', bytes: [offsetOf(6), lengthOf(lines[5]!) - 1], frame: [first + second, third + fourth] },
    { id: 'f7', bytes: [offsetOf(7), lengthOf(lines[6]!) - 1], frame: [first + second + third, fourth] }
  ])
  expect(await client.call('entry.detail', { session, entry: 'f6' })).toMatchObject({
    blocks: [{ type: 'text', text: 'on we go' }],
    own: true
  })
  const context = await client.call('entry.context', { session, entry: 'f6' })
  expect(context.messages.map(({ text }) => text)).toEqual(['hällo', 'yes?\nwell', 'on we go'])
  const pi = (await client.call('session.list', {})).find(({ agent }) => agent === 'pi')!
  const [row] = await client.call('entry.rows', { session: pi.key, at: [0] })
  expect(row).not.toHaveProperty('frame')
})

test('an entry that lies in no file stands behind the others until the file goes on', async () => {
  const paused = '{"event":"paused"}\n'
  const later = '{"who":"person","say":"there again"}\n'
  appendFileSync(main, encodeFrame(paused))
  const session = await start(true)
  expect((await outlineOf(session)).ids).toEqual(['f1', 'f2', 'f4', 'f6', 'f7', 'f8', 'f0'])
  expect(await client.call('session.get', { session })).toMatchObject({ entries: 7, leaves: 1 })
  const [written, synthetic] = await client.call('entry.rows', { session, at: [5, 6] })
  expect(written).not.toHaveProperty('synthetic')
  expect(synthetic).toMatchObject({ id: 'f0', parent: 'f8', line: null, bytes: null, synthetic: true })
  expect(await client.call('entry.detail', { session, entry: 'f0' })).toMatchObject({ blocks: [{ text: '' }] })
  const into = await engine.folderKey(join(root, 'out'))
  const { result } = await client.call('export.write', { session, into, name: 'one.jsonl' })
  expect(result.entries).toBe(6)
  expect(readFileSync(result.out, 'utf8')).toBe(stream + paused)
  await change(
    () => appendFileSync(main, encodeFrame(later)),
    async () => (await outlineOf(session)).ids.join(' ') === 'f1 f2 f4 f6 f7 f8 f9'
  )
})

test('what a format says beside the entries reaches the window: places, badges, notes', async () => {
  const session = await start()
  const rows = await client.call('entry.rows', { session, at: [0, 1] })
  const pinned = { text: 'pinned', tone: 'good', why: 'The notes name its line.' }
  expect(rows).toMatchObject([
    { turn: 1, step: null, run: null, invocation: null, marks: [] },
    { turn: 2, step: null, run: null, invocation: null, marks: [pinned] }
  ])
  const { notes: said } = await client.call('session.outline', { session })
  expect(said).toEqual([{ tone: 'info', text: '1 pinned', detail: null }])
})

test('every byte on disk is counted, a frame as its lines are', async () => {
  const session = await start()
  const [first, second, third, fourth] = sizes as [number, number, number, number]
  const verdict = await client.call('session.verify', { session })
  expect(verdict.bytes).toEqual({
    entries: first + third + fourth + lengthOf(notes),
    faults: second,
    blank: 0,
    total: log.length + lengthOf(notes)
  })
  expect(verdict).toMatchObject({
    files: 2,
    findings: [{ file: main, kind: 'malformed-line', line: 5, offset: offsetOf(5), length: lengthOf(lines[4]!) }]
  })
  expect(await client.call('session.faults', { session })).toEqual(verdict.findings)
})

test('the lines are shown as they are decoded', async () => {
  const session = await start()
  const { total, lines: page } = await client.call('line.page', { session, from: 4, count: 10 })
  expect(total).toBe(7)
  expect(page).toMatchObject([
    { line: 5, offset: offsetOf(5), class: 'fault', entry: null, text: 'not json' },
    { line: 6, offset: offsetOf(6), class: 'entry', entry: 'f6', text: lines[5]!.trimEnd() },
    { line: 7, entry: 'f7', text: lines[6]!.trimEnd() }
  ])
  const text = await client.call('line.text', { session, line: 6, from: 0, limit: 1000 })
  expect(text).toMatchObject({ text: lines[5]!.trimEnd(), next: null })
})

test('each of its files shows its own lines', async () => {
  const session = await start()
  expect(await client.call('session.files', { session })).toEqual([
    { path: main, bytes: log.length },
    { path: beside, bytes: lengthOf(notes) }
  ])
  const { lines: page } = await client.call('line.page', { session, file: 1, from: 0, count: 10 })
  expect(sum(page.map(({ length }) => length))).toBe(lengthOf(notes))
  const text = await client.call('line.text', { session, file: 1, line: 1, from: 0, limit: 1000 })
  expect(notes.startsWith(text.text)).toBe(true)
  for (const file of [2, -1, 0.5]) {
    await expect(client.call('line.page', { session, file, from: 0, count: 1 })).rejects.toMatchObject({
      code: file === 2 ? 'not-found' : 'invalid-input'
    })
  }
})

test('the lines are exported, and those of a path', async () => {
  const session = await start()
  const into = await engine.folderKey(join(root, 'out'))
  const whole = await client.call('export.write', { session, into, name: 'whole.jsonl' })
  expect(readFileSync(whole.result.out, 'utf8')).toBe(stream)
  expect(whole.result).toMatchObject({
    bytes: lengthOf(stream),
    entries: 5,
    sha256: createHash('sha256').update(stream).digest('hex'),
    source: { file: main, ranges: [[0, lengthOf(stream)]] }
  })
  const path = await client.call('export.write', { session, entry: 'f6', into, name: 'path.jsonl' })
  expect(readFileSync(path.result.out, 'utf8')).toBe([0, 1, 3, 5].map((index) => lines[index]).join(''))
  expect(await client.call('export.preview', { session })).toMatchObject({ bytes: lengthOf(stream), entries: 5 })
})

test('a branch is made of decoded lines, and is a session of its own', async () => {
  const session = await start()
  const request = { session, entry: 'f2', mode: 'new-file', position: 'after' } as const
  const preview = await client.call('branch.preview', request)
  expect(preview.lines).toEqual(lines.slice(0, 2).map((line) => line.trimEnd()))
  const { result, session: branch } = await client.call('branch.write', request)
  expect(readFileSync(result.file, 'utf8')).toBe(lines.slice(0, 2).join(''))
  const sha256 = createHash('sha256').update(log).digest('hex')
  expect(result).toMatchObject({ entries: 2, source: { file: main, sha256Before: sha256, sha256After: sha256 } })
  expect(readFileSync(main).equals(log)).toBe(true)
  expect((await client.call('entry.context', { session: branch })).messages.map(({ text }) => text)).toEqual([
    'hällo',
    'yes?\nwell'
  ])
  await expect(client.call('branch.write', { ...request, entry: 'f6' })).rejects.toMatchObject({
    code: 'not-resumable',
    nearest: ['f2']
  })
})

test('either file named by itself opens the whole session', async () => {
  const session = await start()
  for (const path of [main, beside]) expect(await engine.openFile(path, null)).toBe(session)
  expect(await client.call('session.get', { session })).toMatchObject({ title: 'A made-up session' })
})

test('a frame that is cut off waits, and is counted as a fault until it is whole', async () => {
  const torn = encodeFrame('{"who":"person","say":"bye"}\n')
  writeFileSync(main, Buffer.concat([log, torn.subarray(0, 9)]))
  const session = await start()
  const early = await client.call('session.verify', { session })
  expect(early.bytes).toMatchObject({ faults: sizes[1]! + 9, total: log.length + 9 + lengthOf(notes) })
  expect(early.findings).toMatchObject([
    { line: 5 },
    { kind: 'torn-tail', line: 8, offset: lengthOf(stream), length: 0 }
  ])

  truncateSync(main, log.length)
  appendFileSync(main, torn)
  await engine.openFile(main, null)
  const whole = await client.call('session.verify', { session })
  expect(whole.bytes).toMatchObject({ faults: sizes[1]!, total: log.length + torn.length + lengthOf(notes) })
  expect((await outlineOf(session)).ids).toEqual(['f1', 'f2', 'f4', 'f6', 'f7', 'f8'])
})

test('what is appended, and notes that are written anew, appear while the session is open', async () => {
  const session = await start(true)
  const titleIs = (title: string) => async () => (await client.call('session.get', { session })).title === title
  const entriesAre = (count: number) => async () => (await outlineOf(session)).ids.length === count

  await change(
    () => appendFileSync(main, encodeFrame('{"who":"person","say":"half')),
    async () => {
      const { findings } = await client.call('session.verify', { session })
      return findings.some(({ kind }) => kind === 'torn-tail')
    }
  )
  expect(await entriesAre(5)()).toBe(true)
  await change(() => appendFileSync(main, encodeFrame(' and half"}\n')), entriesAre(6))
  expect(await client.call('entry.detail', { session, entry: 'f8' })).toMatchObject({
    blocks: [{ text: 'half and half' }]
  })

  await change(() => writeFileSync(beside, '{\n"title": "Another"\n}\n'), titleIs('Another'))
  expect((await outlineOf(session)).labels).toEqual([])
  writeFileSync(`${beside}.new`, '{"title":"Renamed over","pinned":[1]}')
  await change(() => renameSync(`${beside}.new`, beside), titleIs('Renamed over'))
  expect(await outlineOf(session)).toMatchObject({ labels: [{ at: 0, label: 'pinned' }] })
  const { bytes } = await client.call('session.verify', { session })
  expect(bytes.total).toBe(sum([main, beside].map((path) => statSync(path).size)))
})

test('a session gains and loses its second file', async () => {
  rmSync(beside)
  const session = await start(true)
  const titleIs = (title: string | null) => async () => (await client.call('session.get', { session })).title === title
  expect(await titleIs(null)()).toBe(true)
  for (const title of ['A made-up session', null, 'A made-up session'] as const) {
    await change(() => (title === null ? rmSync(beside) : writeFileSync(beside, notes)), titleIs(title))
    expect(await client.call('session.verify', { session })).toMatchObject({ files: title === null ? 1 : 2 })
  }
  expect(await client.call('session.list', {})).toHaveLength(2)
})

/** Changes a file and waits until an event tells of what is looked for. */
async function change(write: () => void, isDone: () => Promise<boolean>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const off = client.on('session.changed', () => {
    isDone().then((done) => done && resolve(), reject)
  })
  write()
  await promise
  off()
}
