import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Format } from '#main/formats/format.ts'
import { formats } from '#main/formats/registry.ts'
import { calls, type Calls, type Events } from '#shared/contract/contract.ts'
import type { Outline } from '#shared/model/entry.ts'
import type { FolderKey, SessionKey, WrittenKey } from '#shared/model/keys.ts'
import { createClient, type Client } from '#shared/rpc/client.ts'
import { channelPair } from '#shared/rpc/pair.ts'
import { changedRequests } from '#shared/tree/requests-change.ts'
import type { RequestsChange } from '#shared/contract/usage.ts'
import { changedOutline } from '#shared/tree/outline-change.ts'
import { createEngine } from './create-engine.ts'
import type { Engine, EngineOptions, ShellPowers } from './types.ts'

// The trash is found when its module is loaded.
vi.hoisted(() => {
  process.env['XDG_DATA_HOME'] = `/tmp/treeline-test-trash-${process.pid}`
})

const header = { type: 'session', version: 3, id: 'made', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/home/user/p' }
const timestamp = '2026-01-01T00:00:01.000Z'
const user = (id: string, parentId: string | null, text: string) => ({
  type: 'message',
  id,
  parentId,
  timestamp,
  message: { role: 'user', content: [{ type: 'text', text }], timestamp: 1 }
})
const answer = (id: string, parentId: string | null, text: string) => ({
  type: 'message',
  id,
  parentId,
  timestamp,
  message: { role: 'assistant', content: [{ type: 'text', text }], provider: 'p', model: 'm', stopReason: 'stop' }
})
const fileOf = (...objects: object[]) => objects.map((object) => `${JSON.stringify(object)}\n`).join('')
const session = fileOf(
  header,
  user('a1', null, 'hello'),
  answer('a2', 'a1', 'first answer'),
  user('a3', 'a2', 'again'),
  answer('a4', 'a3', 'second answer'),
  user('b3', 'a2', 'otherwise'),
  answer('b4', 'b3', 'third answer')
)

const powers: ShellPowers = {
  info: { version: '0', shell: 'none', why: 'test', nativeDialog: false, reveal: false }
}

let root: string
let sessions: string
let file: string
let log: string[]
let engine: Engine
let client: Client<Calls, Events>

const optionsWith = (more: Partial<EngineOptions> = {}): EngineOptions => ({
  index: join(root, 'cache', 'index.db'),
  dataFolder: join(root, 'data'),
  settings: join(root, 'data', 'settings.json'),
  samples: null,
  env: {},
  home: join(root, 'home'),
  worker: null,
  watch: false,
  log: (line) => log.push(line),
  ...more
})

async function start(more: Partial<EngineOptions> = {}, known: readonly Format[] = formats): Promise<void> {
  engine = await createEngine(optionsWith(more), known)
  client = engine.client(powers)
}

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  sessions = join(root, 'sessions')
  for (const name of ['sessions', 'home', 'out']) mkdirSync(join(root, name))
  file = join(sessions, 'made.jsonl')
  writeFileSync(file, session)
  log = []
  await start()
})
afterEach(async () => {
  await engine.close()
  rmSync(root, { recursive: true })
  rmSync(process.env['XDG_DATA_HOME']!, { recursive: true, force: true })
})

const refused = (code: string, more: object = {}): Error =>
  expect.objectContaining({ name: 'Refusal', code, ...more }) as Error
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
const filesBelow = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted()

async function openSessions(): Promise<SessionKey> {
  await engine.openFolder(sessions)
  await engine.idle()
  const rows = await client.call('session.list', {})
  return rows.find((row) => row.file === file)!.key
}

test('requests of a path that goes on come as what is new, for each window from where it is', async () => {
  const key = await openSessions()
  const usage = { input: 10, output: 5, cacheRead: 20, cacheWrite: 0, totalTokens: 35 }
  const answerOf = (id: string, parentId: string, model: string) => ({
    type: 'message',
    id,
    parentId,
    timestamp,
    message: { role: 'assistant', provider: 'made', model, content: [{ type: 'text', text: id }], usage }
  })
  const steps = [
    [[answerOf('r1', 'b4', 'one')], 'r1', 0],
    [[answerOf('r1', 'b4', 'one'), answerOf('r2', 'r1', 'two')], 'r2', 1],
    [[answerOf('r1', 'b4', 'one'), answerOf('r2', 'r1', 'two'), answerOf('r3', 'r2', 'one')], 'r3', 2],
    [[answerOf('x1', 'b4', 'three')], 'x1', 0]
  ] as const
  let held:
    | { readonly first: RequestsChange; readonly last: RequestsChange; readonly at: readonly string[] }
    | undefined
  for (const [lines, entry, news] of steps) {
    writeFileSync(file, session + fileOf(...lines))
    await engine.openFile(file, null)
    const whole = await client.call('usage.requests', { session: key, entry })
    expect(whole.kept).toEqual({ requests: 0, markers: 0 })
    for (const [index, known] of [held?.first, held?.last].entries()) {
      if (known === undefined) continue
      const since = { revision: known.revision, entry: held?.at[index] ?? '' }
      const change = await client.call('usage.requests', { session: key, entry, since })
      expect({ ...changedRequests(known, change), kept: whole.kept }).toEqual(whole)
      if (index === 1 && news > 0) expect(change.at).toHaveLength(1)
    }
    held = { first: held?.first ?? whole, last: whole, at: [held?.at[0] ?? entry, entry] }
  }
})

describe('an outline', () => {
  const change = async (key: SessionKey, lines: string) => {
    writeFileSync(file, lines)
    await engine.openFile(file, null)
    return client.call('session.get', { session: key })
  }
  const label = { type: 'label', id: 'l1', parentId: 'b4', timestamp, targetId: 'a1', label: 'start' }

  test('of which an earlier one is known comes as what is new, for each window from where it is', async () => {
    const key = await openSessions()
    const first = await client.call('session.outline', { session: key })
    expect(first.kept).toEqual({ entries: 0, roleNames: 0, labels: 0, leaves: 0 })
    const states = [
      session + fileOf(user('b5', 'b4', 'go on')),
      session + fileOf(user('b5', 'b4', 'go on'), user('a5', 'a4', 'go on here')),
      session + fileOf(user('b5', 'b4', 'go on'), user('a5', 'a4', 'go on here'), label),
      session + fileOf(user('c5', 'b4', 'as another wrote it')),
      fileOf(header, user('a1', null, 'hello'))
    ]
    let before: Outline = first
    for (const lines of states) {
      const { revision } = await change(key, lines)
      const { kept: _, ...whole } = await client.call('session.outline', { session: key })
      expect(whole.revision).toBe(revision)
      for (const held of [first, before]) {
        const since = await client.call('session.outline', { session: key, since: held.revision })
        expect(changedOutline(held, since)).toEqual(whole)
      }
      before = whole
    }
  })

  test('that was appended to is sent without what was there', async () => {
    const key = await openSessions()
    const { revision } = await client.call('session.outline', { session: key })
    await change(key, session + fileOf(user('b5', 'b4', 'go on')))
    expect(await client.call('session.outline', { session: key, since: revision })).toMatchObject({
      kept: { entries: 6, roleNames: 2, labels: 0, leaves: 1 },
      ids: ['b5'],
      parents: [5],
      leaves: [{ id: 'b5', depth: 5 }],
      defaultLeaf: { id: 'b5', reason: 'last-entry' }
    })
  })

  test('is whole where the earlier one is not known', async () => {
    const key = await openSessions()
    const { kept, ids } = await client.call('session.outline', { session: key, since: -1 })
    expect([kept.entries, ids]).toEqual([0, ['a1', 'a2', 'a3', 'a4', 'b3', 'b4']])
  })
})

describe('a folder', () => {
  test('that is opened lists its sessions under its key', async () => {
    const folder = await engine.openFolder(sessions)
    await engine.idle()
    const { opened } = await client.call('folder.list', {})
    expect(opened).toMatchObject([{ key: folder, path: sessions, state: 'ready', sessions: 1 }])
    expect(await client.call('session.list', {})).toMatchObject([
      { id: 'made', file, folder, entries: 6, leaves: 2, live: true, faults: 0 }
    ])
  })

  test('that is opened twice, once by a link, is one', async () => {
    symlinkSync(sessions, join(root, 'link'))
    const folder = await engine.openFolder(sessions)
    expect(await engine.openFolder(join(root, 'link'))).toBe(folder)
    expect((await client.call('folder.list', {})).opened).toHaveLength(1)
  })

  test('that is closed takes its sessions with it', async () => {
    await openSessions()
    const [folder] = (await client.call('folder.list', {})).opened
    await client.call('folder.close', { folder: folder!.key })
    expect((await client.call('folder.list', {})).opened).toEqual([])
    expect(await client.call('session.list', {})).toEqual([])
  })

  test('that does not exist, or is a file, is refused', async () => {
    await expect(engine.openFolder(join(root, 'gone'))).rejects.toEqual(refused('not-found'))
    await expect(engine.openFolder(file)).rejects.toEqual(refused('not-found'))
  })

  test('is opened by the key of a picker’s row or of an offer, and by no invented one', async () => {
    mkdirSync(join(root, 'home', '.pi', 'agent', 'sessions'), { recursive: true })
    const { offered } = await client.call('folder.list', {})
    expect(offered).toMatchObject([{ path: join(root, 'home', '.pi', 'agent', 'sessions'), sample: false }])
    const opened = await client.call('folder.open', { folder: offered[0]!.key })
    expect(opened.path).toBe(offered[0]!.path)

    const page = await client.call('picker.list', { at: null })
    expect(page).toMatchObject({ path: join(root, 'home'), folders: [{ name: '.pi' }] })
    const up = await client.call('picker.list', { at: page.parent })
    const row = up.folders.find(({ name }) => name === 'sessions')
    expect((await client.call('folder.open', { folder: row!.key })).path).toBe(sessions)

    const invented = 'ffffffffffffffff' as FolderKey
    await expect(client.call('folder.open', { folder: invented })).rejects.toEqual(refused('not-found'))
    await expect(client.call('picker.list', { at: invented })).rejects.toEqual(refused('not-found'))
  })
})

describe('a session', () => {
  test('has an outline, rows, details and contexts', async () => {
    const key = await openSessions()
    const outline = await client.call('session.outline', { session: key })
    expect(outline).toMatchObject({
      ids: ['a1', 'a2', 'a3', 'a4', 'b3', 'b4'],
      parents: [-1, 0, 1, 2, 1, 4],
      leaves: [
        { id: 'a4', depth: 4 },
        { id: 'b4', depth: 4 }
      ],
      defaultLeaf: { id: 'b4', reason: 'last-entry' }
    })
    const rows = await client.call('entry.rows', { session: key, at: [5, 0, 2] })
    expect(rows.map(({ id, at, onDefaultPath }) => [id, at, onDefaultPath])).toEqual([
      ['b4', 5, true],
      ['a1', 0, true],
      ['a3', 2, false]
    ])
    const detail = await client.call('entry.detail', { session: key, entry: 'b3' })
    expect(detail).toMatchObject({ blocks: [{ text: 'otherwise' }], siblings: ['a3'], children: ['b4'], own: true })
    const context = await client.call('entry.context', { session: key, entry: 'a4' })
    expect(context.messages.map(({ text }) => text)).toEqual(['hello', 'first answer', 'again', 'second answer'])
    const { bytes, findings } = await client.call('session.verify', { session: key })
    expect(bytes).toEqual({ entries: session.length, faults: 0, blank: 0, total: session.length })
    expect(findings).toEqual([])
    const page = await client.call('line.page', { session: key, from: 0, count: 2 })
    expect(page).toMatchObject({
      total: 7,
      lines: [
        { line: 1, class: 'header', entry: null },
        { line: 2, entry: 'a1' }
      ]
    })
  })

  test('or entry that nobody knows is refused, with the file and the entry', async () => {
    const key = await openSessions()
    const entry = 'nobody'
    await expect(client.call('entry.detail', { session: key, entry })).rejects.toEqual(
      refused('not-found', { file, entry })
    )
    const unknown = { session: 'invented' as SessionKey }
    await expect(client.call('session.outline', unknown)).rejects.toEqual(refused('not-found'))
    await expect(client.call('entry.rows', { session: key, at: [99] })).rejects.toEqual(refused('stale'))
    await expect(client.call('line.page', { session: key, from: -1, count: 1 })).rejects.toEqual(
      refused('invalid-input')
    )
    await expect(client.call('session.get', { session: key, agent: 'codex' })).rejects.toEqual(refused('unsupported'))
  })

  test('that grew is read again at the next look', async () => {
    const key = await engine.openFile(file, null)
    expect(await client.call('session.get', { session: key })).toMatchObject({ entries: 6 })
    appendFileSync(file, fileOf(user('b5', 'b4', 'more')))
    expect(await engine.openFile(file, null)).toBe(key)
    expect(await client.call('session.get', { session: key })).toMatchObject({ entries: 7 })
  })
})

describe('a branch', () => {
  const request = { mode: 'new-file', entry: 'a2', position: 'after' } as const

  test('is written as its preview says, and the source stays as it was', async () => {
    const key = await openSessions()
    const before = sha256(file)
    const preview = await client.call('branch.preview', { session: key, ...request })
    expect(preview).toMatchObject({ messageCount: 2, ownText: null })
    expect(filesBelow(sessions)).toEqual(['made.jsonl'])
    const { result, session: branch } = await client.call('branch.write', { session: key, ...request })
    const same = { entry: 'a2', entries: preview.result.entries, tokens: preview.result.tokens }
    expect(result).toMatchObject({ ...same, source: { file, sha256Before: before, sha256After: before } })
    expect(result.written).toEqual([{ path: result.file, offset: 0, bytes: readFileSync(result.file).length }])
    const context = await client.call('entry.context', { session: branch })
    expect(context.messages.map(({ text }) => text)).toEqual(['hello', 'first answer'])
    expect(await client.call('session.get', { session: branch })).toMatchObject({ file: result.file, origin: 'fork' })
  })

  test('before a message ends at its parent and hands back the text', async () => {
    const key = await openSessions()
    const preview = await client.call('branch.preview', {
      session: key,
      entry: 'b3',
      mode: 'new-file',
      position: 'before'
    })
    expect(preview).toMatchObject({ result: { entry: 'a2' }, ownText: 'otherwise' })
    const first = client.call('branch.preview', { session: key, entry: 'a1', mode: 'new-file', position: 'before' })
    await expect(first).rejects.toEqual(refused('not-resumable', { entry: 'a1' }))
  })

  test('of a source that changed since it was read is refused', async () => {
    const key = await openSessions()
    appendFileSync(file, fileOf(user('b5', 'b4', 'more')))
    await expect(client.call('branch.write', { session: key, ...request })).rejects.toEqual(refused('stale', { file }))
    expect(filesBelow(sessions)).toEqual(['made.jsonl'])
  })

  test('goes to the trash while it is as it was written, and only then', async () => {
    const key = await openSessions()
    const { written: made, result } = await client.call('branch.write', { session: key, ...request })
    const written = made!
    appendFileSync(result.file, '\n')
    await expect(client.call('written.trash', { written })).rejects.toEqual(refused('stale'))
    expect(existsSync(result.file)).toBe(true)
    writeFileSync(result.file, readFileSync(result.file).subarray(0, -1))
    await client.call('written.trash', { written })
    expect(existsSync(result.file)).toBe(false)
    const invented = 'made-up' as WrittenKey
    await expect(client.call('written.trash', { written: invented })).rejects.toEqual(refused('not-found'))
    await expect(client.call('written.trash', { written })).rejects.toEqual(refused('not-found'))
  })

  test('has no place beside a source that was not opened', async () => {
    const key = await openSessions()
    const [folder] = (await client.call('folder.list', {})).opened
    await client.call('folder.close', { folder: folder!.key })
    await expect(client.call('branch.write', { session: key, ...request })).rejects.toEqual(refused('read-only'))
  })
})

describe('a branch in place', () => {
  const request = { mode: 'in-place', entry: 'a2' } as const

  test('is one entry behind what was there, and the session is read on from it', async () => {
    const key = await openSessions()
    const before = readFileSync(file)
    const preview = await client.call('branch.preview', { session: key, ...request })
    expect(readFileSync(file)).toEqual(before)
    const { result, session: readOn, end, written } = await client.call('branch.write', { session: key, ...request })
    expect(readOn).toBe(key)
    expect(written).toBeNull()
    const after = readFileSync(file)
    expect(after.subarray(0, before.length)).toEqual(before)
    expect(JSON.parse(after.subarray(before.length).toString())).toEqual({
      type: 'custom',
      id: end,
      parentId: 'a2',
      timestamp: expect.any(String),
      customType: 'treeline.branch',
      data: { from: 'b4' }
    })
    const same = { mode: 'in-place', entry: 'a2', file, entries: 1, tokens: preview.result.tokens, addedLineFeeds: 0 }
    expect(preview.result).toMatchObject({ ...same, openElsewhere: false })
    expect(result).toMatchObject({ ...same, openElsewhere: false })
    expect(result.written).toEqual([{ path: file, offset: before.length, bytes: after.length - before.length }])
    expect(result.source).toEqual({
      file,
      sha256Before: result.source.sha256After,
      sha256After: result.source.sha256After
    })
    expect((await client.call('session.outline', { session: key })).defaultLeaf.id).toBe(end)
    const context = await client.call('entry.context', { session: key })
    expect(context.messages.map(({ text }) => text)).toEqual(['hello', 'first answer'])
  })

  test('with a summary tells the agent what was left', async () => {
    const key = await openSessions()
    const summary = { session: key, ...request, summary: 'It was tried otherwise' }
    const preview = await client.call('branch.preview', summary)
    const { result } = await client.call('branch.write', summary)
    expect(result.tokens).toBe(preview.result.tokens)
    expect(JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)!)).toMatchObject({
      type: 'branch_summary',
      parentId: 'a2',
      fromId: 'b4',
      summary: 'It was tried otherwise'
    })
    const context = await client.call('entry.context', { session: key })
    expect(context.messages.map(({ text }) => text)).toEqual(['hello', 'first answer', 'It was tried otherwise'])
    expect(preview.messages.at(-1)).toMatchObject({ role: 'branchSummary', preview: 'It was tried otherwise' })
  })

  test('begins behind a line feed where the last line has none, and says so', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').trimEnd())
    const before = readFileSync(file)
    const key = await openSessions()
    const preview = await client.call('branch.preview', { session: key, ...request })
    const { result } = await client.call('branch.write', { session: key, ...request })
    expect(preview.result.addedLineFeeds).toBe(1)
    expect(result.addedLineFeeds).toBe(1)
    const after = readFileSync(file)
    expect(after.subarray(0, before.length)).toEqual(before)
    expect(after[before.length]).toBe(0x0a)
    expect(result.written[0]!.bytes).toBe(after.length - before.length)
    expect(preview.result.written[0]!.bytes).toBe(after.length - before.length)
  })

  test('is refused while another process has the file open for writing', async () => {
    const key = await openSessions()
    const before = readFileSync(file)
    const held = openSync(file, 'a')
    const busy = refused('read-only', { file })
    await expect(client.call('branch.preview', { session: key, ...request })).rejects.toEqual(busy)
    await expect(client.call('branch.write', { session: key, ...request })).rejects.toEqual(busy)
    await expect(client.call('entry.label', { session: key, entry: 'a2', label: 'x', dryRun: false })).rejects.toEqual(
      busy
    )
    closeSync(held)
    expect(readFileSync(file)).toEqual(before)
  })

  test('of a file with other bytes is refused, even where size and time are the same', async () => {
    const key = await openSessions()
    const { atime, mtime } = statSync(file)
    const changed = readFileSync(file, 'utf8').replace('hello', 'HELLO')
    writeFileSync(file, changed)
    utimesSync(file, atime, mtime)
    await expect(client.call('branch.write', { session: key, ...request })).rejects.toEqual(refused('stale', { file }))
    expect(readFileSync(file, 'utf8')).toBe(changed)
  })

  test('before the first entry is refused, and without an entry there is none', async () => {
    const key = await openSessions()
    const first = { session: key, mode: 'in-place', entry: 'a1', position: 'before' } as const
    await expect(client.call('branch.write', first)).rejects.toEqual(refused('not-resumable'))
    const none = { session: key, mode: 'in-place' } as const
    await expect(client.call('branch.write', none)).rejects.toEqual(refused('invalid-input'))
  })

  test('has no place in a source that was not opened', async () => {
    const key = await openSessions()
    const [folder] = (await client.call('folder.list', {})).opened
    await client.call('folder.close', { folder: folder!.key })
    const into = await engine.folderKey(join(root, 'out'))
    await expect(client.call('branch.write', { session: key, ...request, into })).rejects.toEqual(refused('read-only'))
  })
})

describe('a label', () => {
  const label = { entry: 'a2', label: 'good', dryRun: false }

  test('is appended below the leaf and shown; without a text it is cleared', async () => {
    const key = await openSessions()
    const labelOf = async () => (await client.call('entry.detail', { session: key, entry: 'a2' })).entry.label
    const dry = await client.call('entry.label', { session: key, ...label, dryRun: true })
    expect(await labelOf()).toBeNull()
    const before = readFileSync(file)
    const { result } = await client.call('entry.label', { session: key, ...label })
    expect(result).toMatchObject({ mode: 'label', entry: 'a2', entries: 1, tokens: dry.result.tokens })
    expect(dry.result.written).toEqual(result.written)
    expect(JSON.parse(readFileSync(file).subarray(before.length).toString())).toMatchObject({
      type: 'label',
      parentId: 'b4',
      targetId: 'a2',
      label: 'good'
    })
    expect(await labelOf()).toBe('good')
    await client.call('entry.label', { session: key, ...label, label: '' })
    expect(await labelOf()).toBeNull()
  })
})

describe('a fork', () => {
  test('holds every entry, and the source stays as it was', async () => {
    const key = await openSessions()
    const before = readFileSync(file)
    const preview = await client.call('branch.preview', { session: key, mode: 'fork' })
    const { result, session: fork } = await client.call('branch.write', { session: key, mode: 'fork' })
    expect(result).toMatchObject({ mode: 'fork', entry: 'b4', entries: 6, tokens: preview.result.tokens })
    expect(readFileSync(file)).toEqual(before)
    const lines = (path: string) => readFileSync(path, 'utf8').split('\n').slice(1)
    expect(lines(result.file)).toEqual(lines(file))
    const outline = async (of: SessionKey) => {
      const { ids, parents, leaves, defaultLeaf } = await client.call('session.outline', { session: of })
      return { ids, parents, leaves, defaultLeaf }
    }
    expect(await outline(fork)).toEqual(await outline(key))
  })

  test('of an omp session takes its folder along, links left out, and goes to the trash with it', async () => {
    const sources = join(sessions, '.omp', 'sessions')
    mkdirSync(join(sources, 'run', 'deep'), { recursive: true })
    const source = join(sources, 'run.jsonl')
    writeFileSync(source, readFileSync(file))
    writeFileSync(join(sources, 'run', '1.bash.log'), 'output')
    writeFileSync(join(sources, 'run', 'deep', '2.log'), '')
    symlinkSync(file, join(sources, 'run', 'link'))
    const key = await engine.openFile(source, null)
    const preview = await client.call('branch.preview', { session: key, mode: 'fork' })
    const { result, written } = await client.call('branch.write', { session: key, mode: 'fork' })
    const folder = result.file.replace(/\.jsonl$/, '')
    expect(result.written.slice(1)).toEqual([
      { path: join(folder, '1.bash.log'), offset: 0, bytes: 6 },
      { path: join(folder, 'deep', '2.log'), offset: 0, bytes: 0 }
    ])
    expect(preview.result.written.map(({ bytes }) => bytes)).toEqual(result.written.map(({ bytes }) => bytes))
    expect(filesBelow(folder).toSorted()).toEqual(['1.bash.log', 'deep', 'deep/2.log'])
    const [, headLine] = readFileSync(result.file, 'utf8')
      .split('\n')
      .map((line) => line && JSON.parse(line))
    const { id } = await client.call('session.get', { session: key })
    expect(headLine).toMatchObject({ version: 3, parentSession: id, providerPromptCacheKey: id })
    writeFileSync(join(folder, 'new'), '')
    await expect(client.call('written.trash', { written: written! })).rejects.toEqual(refused('stale'))
    rmSync(join(folder, 'new'))
    await client.call('written.trash', { written: written! })
    expect(existsSync(result.file) || existsSync(folder)).toBe(false)
  })
})

describe('an export', () => {
  test('goes into a chosen folder once, and is never overwritten', async () => {
    const key = await openSessions()
    const into = await engine.folderKey(join(root, 'out'))
    const preview = await client.call('export.preview', { session: key })
    expect(preview).toEqual({ name: 'made.jsonl', bytes: session.length, entries: 6, entry: null, secrets: [] })
    const what = { session: key, into, name: preview.name }
    const { result, download } = await client.call('export.write', what)
    expect(readFileSync(result.out, 'utf8')).toBe(session)
    expect([result.sha256, download]).toEqual([sha256(file), null])
    await expect(client.call('export.write', what)).rejects.toEqual(refused('exists', { file: result.out }))
  })

  test('of a path has the lines up to an entry', async () => {
    const key = await openSessions()
    const into = await engine.folderKey(join(root, 'out'))
    const { result } = await client.call('export.write', { session: key, entry: 'b3', into, name: 'path.jsonl' })
    const lines = session.split('\n')
    expect(readFileSync(result.out, 'utf8')).toBe([0, 1, 2, 5].map((index) => `${lines[index]}\n`).join(''))
    expect(result).toMatchObject({ entries: 3, addedLineFeeds: 0 })
  })

  test('without a folder is a download where the shell has them', async () => {
    const key = await openSessions()
    const what = { session: key, into: null, name: 'a.jsonl' }
    await expect(client.call('export.write', what)).rejects.toEqual(refused('unsupported'))
    const offered: string[][] = []
    const shell = engine.client({ ...powers, offerDownload: (...offer) => `/download/${offered.push(offer)}` })
    const { download, result } = await shell.call('export.write', what)
    expect([download, offered]).toEqual(['/download/1', [[result.out, 'a.jsonl']]])
    expect(readFileSync(result.out, 'utf8')).toBe(session)
  })

  test('by the shell’s dialog goes where the person says, or nowhere', async () => {
    const key = await openSessions()
    const target = join(root, 'out', 'chosen.jsonl')
    const answers = [undefined, target]
    const shell = engine.client({ ...powers, chooseTarget: () => Promise.resolve(answers.shift()) })
    expect(await shell.call('export.dialog', { session: key, name: 'a.jsonl' })).toBeNull()
    expect(await shell.call('export.dialog', { session: key, name: 'a.jsonl' })).toMatchObject({
      result: { out: target }
    })
    expect(readFileSync(target, 'utf8')).toBe(session)
  })

  test('never makes a file outside, whatever it is called and wherever it shall go', async () => {
    const key = await openSessions()
    const into = await engine.folderKey(join(root, 'out'))
    const before = filesBelow(root).filter((name) => !name.startsWith('cache'))
    const name = fc.oneof(
      fc.constantFrom('..', '../x', '../../x', '/tmp/x', 'a/../../x', 'a\0b', 'made.jsonl', '.', '', '\\..\\x'),
      fc.string({ unit: 'binary', maxLength: 20 })
    )
    const target = fc.oneof(
      fc.constant(into),
      fc.string().map((text) => text as FolderKey)
    )
    await fc.assert(
      fc.asyncProperty(name, target, async (asked, folder) => {
        await client.call('export.write', { session: key, into: folder, name: asked }).catch(() => undefined)
        const outside = filesBelow(root).filter((path) => !path.startsWith('cache') && !path.startsWith('out/'))
        expect(outside).toEqual(before)
      }),
      { numRuns: 60 }
    )
  })

  test('does not follow a chosen folder that has become a link', async () => {
    const key = await openSessions()
    mkdirSync(join(root, 'out', 'chosen'))
    const into = await engine.folderKey(join(root, 'out', 'chosen'))
    rmSync(join(root, 'out', 'chosen'), { recursive: true })
    symlinkSync(join(root, 'home'), join(root, 'out', 'chosen'))
    const write = client.call('export.write', { session: key, into, name: 'a.jsonl' })
    await expect(write).rejects.toEqual(refused('not-found'))
    expect(readdirSync(join(root, 'home'))).toEqual([])
  })
})

describe('the engine', () => {
  test('tells every window of a change', async () => {
    const other = engine.client(powers)
    const heard: string[] = []
    for (const [name, one] of Object.entries({ client, other })) {
      one.on('folder.changed', () => heard.push(`${name} folder`))
      one.on('session.changed', () => heard.push(`${name} session`))
    }
    await openSessions()
    await other.call('app.info', {})
    for (const word of ['client folder', 'other folder', 'client session', 'other session']) {
      expect(heard).toContain(word)
    }
  })

  test('answers no call but those of the contract, and none whose input is off', async () => {
    const pair = channelPair()
    engine.attach(pair.right, powers)
    const raw = createClient<Record<string, Calls['app.info']>, Events>(pair.left)
    for (const name of ['role.close', 'file.follow', 'idle', 'constructor', '__proto__', 'export']) {
      await expect(raw.call(name, {})).rejects.toEqual(refused('unsupported'))
    }
    const wrong = { session: 7 } as unknown as { session: SessionKey }
    await expect(client.call('session.get', wrong)).rejects.toEqual(refused('invalid-input'))
    const unsupported = ['folder.dialog', 'export.dialog'] as const
    await expect(client.call(unsupported[0], {})).rejects.toEqual(refused('unsupported'))
  })

  test('refuses invented keys in every call that takes one, and makes no file for them', async () => {
    await openSessions()
    const before = filesBelow(root).filter((name) => !name.startsWith('cache'))
    const key = 'ffffffffffffffff'
    const counts = {
      from: 0,
      count: 1,
      line: 1,
      limit: 1,
      block: 0,
      index: 0,
      left: 'a1',
      right: 'a2',
      side: 'before',
      text: 'x',
      turns: 1
    }
    const invented = {
      session: key,
      folder: key,
      written: key,
      into: key,
      entry: 'a1',
      name: 'x',
      mode: 'new-file',
      position: 'after',
      label: 'x',
      dryRun: false
    }
    const shell = engine.client({
      ...powers,
      chooseTarget: () => Promise.resolve(join(root, 'out', 'x')),
      reveal: () => expect.unreachable()
    })
    const names = Object.entries(calls).flatMap(([name, { input }]) => {
      const keyed = ['session', 'folder', 'written'].some((member) => member in input.entries)
      return keyed ? [name as keyof Calls] : []
    })
    expect(names).toHaveLength(40)
    const answers: unknown[] = []
    for (const name of names) {
      const at = name === 'entry.rows' || name === 'entry.contents' ? [0] : key
      const failed = await shell.call(name, { ...counts, ...invented, at } as never).catch((error: unknown) => error)
      answers.push([name, failed])
    }
    expect(answers).toEqual(names.map((name) => [name, refused('not-found')]))
    const several = shell.call('usage.stats', { sessions: [key as SessionKey], by: null })
    await expect(several).rejects.toEqual(refused('not-found'))
    expect(filesBelow(root).filter((name) => !name.startsWith('cache'))).toEqual(before)
  })

  test('gives a bug of ours an id that finds its stack in the log', async () => {
    await engine.close()
    const [omp] = formats
    const broken: Format = { ...omp!, blocks: () => Promise.reject(new Error('a mistake of ours')) }
    await start({}, [broken])
    const key = await openSessions()
    const failed = await client.call('entry.detail', { session: key, entry: 'a1' }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ name: 'InternalError', message: expect.not.stringContaining('a mistake of ours') })
    const { id } = failed as { id: string }
    expect(log.find((line) => line.includes(id))).toContain('a mistake of ours')
  })

  test('passes a cancellation on to the role that works', async () => {
    await engine.close()
    const [omp] = formats
    const cancelled = Promise.withResolvers<string>()
    const slow: Format = {
      ...omp!,
      context: (_view, _at, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            cancelled.resolve('cancelled')
            reject(signal.reason as Error)
          })
          controller.abort()
        })
    }
    const controller = new AbortController()
    await start({}, [slow])
    const key = await openSessions()
    const call = client.call('entry.context', { session: key }, controller.signal)
    await expect(call).rejects.toEqual(refused('cancelled'))
    expect(await cancelled.promise).toBe('cancelled')
  })
})

describe('with threads', () => {
  const worker = join(import.meta.dirname, '..', 'worker.ts')

  test('both roles answer as in one thread', async () => {
    await engine.close()
    await start({ worker, index: ':memory:' })
    const key = await openSessions()
    expect(await client.call('session.get', { session: key })).toMatchObject({ id: 'made', entries: 6 })
    const missing = client.call('entry.detail', { session: key, entry: 'nobody' })
    await expect(missing).rejects.toEqual(refused('not-found', { file, entry: 'nobody' }))
    expect((await client.call('entry.context', { session: key })).messages).toHaveLength(4)
  })

  test('a thread that dies is said clearly', async () => {
    await engine.close()
    const dying = join(root, 'dying.mjs')
    writeFileSync(dying, "throw new Error('no room')")
    const started = createEngine(optionsWith({ worker: dying }))
    await expect(started).rejects.toEqual(refused('disconnected'))
    expect(log.join('\n')).toContain('no room')
    await start()
  })
})

describe('a thread that ends by itself', () => {
  /** Serves a role, and dies of what is asked of it: by a mistake, or as Node says that the memory is full. */
  const mortal = () => {
    const path = join(root, 'mortal.mjs')
    const here = pathToFileURL(`${import.meta.dirname}/`).href
    writeFileSync(
      path,
      `import { workerData } from 'node:worker_threads'
      import { serveRole } from '${here}serve-role.ts'
      import { portChannel } from '${here}port-channel.ts'
      const { options, port } = workerData
      port.on('message', ({ name, input }) => {
        if (name === 'entry.detail' && input.entry === 'mistake') throw new Error('a mistake of ours')
        if (name === 'folder.drop') throw Object.assign(new Error('full'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })
      })
      serveRole(options, portChannel(port))`
    )
    return path
  }
  const changed = (times: number) =>
    new Promise<void>((resolve) => {
      let left = times
      client.on('engine.changed', () => --left === 0 && resolve())
    })

  test('is said with its cause, and started again where the person asks', async () => {
    await engine.close()
    await start({ worker: mortal(), index: ':memory:' })
    const key = await openSessions()
    const [once, twice] = [changed(1), changed(2)]
    expect(await client.call('engine.state', {})).toEqual({ ended: null })
    const asked = client.call('entry.detail', { session: key, entry: 'mistake' })
    await expect(asked).rejects.toEqual(refused('disconnected'))
    await once
    const { ended } = await client.call('engine.state', {})
    expect(ended).toEqual({ role: 'reader', why: { kind: 'bug', id: expect.stringMatching(/^bug-/) } })
    expect(log.find((line) => ended?.why.kind === 'bug' && line.includes(ended.why.id))).toContain('a mistake of ours')
    await expect(client.call('session.get', { session: key })).rejects.toEqual(refused('disconnected'))

    await Promise.all([client.call('engine.restart', {}), client.call('engine.restart', {})])
    await twice
    expect(await client.call('engine.state', {})).toEqual({ ended: null })
    expect(await client.call('session.get', { session: key })).toMatchObject({ id: 'made', entries: 6 })
  })

  test('for want of memory says so, and what was open is followed again', async () => {
    await engine.close()
    await start({ worker: mortal(), index: ':memory:', watch: true })
    const named = join(root, 'home', 'named.jsonl')
    writeFileSync(named, session)
    await openSessions()
    const key = await engine.openFile(named, null)
    const folder = await engine.openFolder(join(root, 'out'))
    const once = changed(1)
    await expect(client.call('folder.close', { folder })).rejects.toEqual(refused('disconnected'))
    await once
    expect(await client.call('engine.state', {})).toEqual({ ended: { role: 'writer', why: { kind: 'memory' } } })
    await expect(client.call('folder.list', {})).rejects.toEqual(refused('disconnected'))

    await client.call('engine.restart', {})
    await engine.idle()
    const { opened } = await client.call('folder.list', {})
    expect(opened.map(({ path }) => path)).toEqual([sessions])
    const appended = new Promise<void>((resolve) => {
      client.on('session.changed', ({ session: changedKey }) => changedKey === key && resolve())
    })
    appendFileSync(named, fileOf(user('b5', 'b4', 'more')))
    await appended
    expect(await client.call('session.get', { session: key })).toMatchObject({ entries: 7 })
  })

  test('and again as soon as it is started is refused, and said', async () => {
    await engine.close()
    const path = mortal()
    await start({ worker: path, index: ':memory:' })
    writeFileSync(path, "throw new Error('no room')")
    await expect(client.call('engine.restart', {})).rejects.toEqual(refused('disconnected'))
    expect(await client.call('engine.state', {})).toMatchObject({ ended: { role: 'writer' } })
  })
})

describe('a context', () => {
  test('comes page by page and adds up', async () => {
    const key = await openSessions()
    const at = { session: key, entry: 'a4' }
    const head = await client.call('context.head', at)
    const messages = await client.call('context.messages', { ...at, from: 1, count: 2 })
    expect(messages.map(({ index, preview, sources }) => [index, preview, sources])).toEqual([
      [1, 'first answer', ['a2']],
      [2, 'again', ['a3']]
    ])
    const all = await client.call('context.messages', { ...at, from: 0, count: 200 })
    expect(all).toHaveLength(head.messages)
    expect(all.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(head.tokens)
    const blocks = await client.call('context.message', { ...at, index: 3 })
    expect(blocks).toMatchObject([{ type: 'text', text: 'second answer', length: 13 }])
    const rest = await client.call('context.text', { ...at, index: 3, block: 0, from: 7 })
    expect(rest).toEqual({ text: 'answer', next: null })
    await expect(client.call('context.message', { ...at, index: 4 })).rejects.toEqual(refused('not-found'))
  })

  test('is compared with another from their common ancestor', async () => {
    const key = await openSessions()
    const sides = { session: key, left: 'a4', right: 'b4' }
    const compared = await client.call('context.compare', sides)
    expect(compared).toMatchObject({
      ancestor: 'a2',
      prefix: { messages: 2 },
      common: { messages: 2 },
      changed: { messages: 0 },
      onlyLeft: { messages: 2 },
      onlyRight: { messages: 2 },
      rows: 6
    })
    expect(compared.common.tokens + compared.onlyLeft.tokens).toBe(compared.left.tokens)
    expect(compared.common.tokens + compared.onlyRight.tokens).toBe(compared.right.tokens)
    const rows = await client.call('context.compared', { ...sides, from: 2, count: 4 })
    expect(rows.map((row) => (row.kind === 'right' ? row.right.preview : row.left.preview))).toEqual([
      'again',
      'second answer',
      'otherwise',
      'third answer'
    ])
    await expect(client.call('context.difference', { ...sides, index: 0 })).rejects.toEqual(refused('not-found'))
  })

  test('that an edit changed differs from itself by the edit’s lines', async () => {
    const edited = user('e1', null, 'long\nand boring')
    const edit = {
      type: 'context_edit',
      id: 'e2',
      parentId: 'e1',
      timestamp,
      targetId: 'e1',
      replacement: { role: 'user', content: [{ type: 'text', text: 'long\nand short' }] }
    }
    writeFileSync(join(sessions, 'edited.jsonl'), fileOf({ ...header, id: 'edited' }, edited, edit))
    const key = await engine.openFile(join(sessions, 'edited.jsonl'), 'pi')
    const sides = { session: key, left: 'e1', right: 'e2' }
    expect(await client.call('context.compare', sides)).toMatchObject({ changed: { messages: 1 }, rows: 1 })
    expect(await client.call('context.difference', { ...sides, index: 0 })).toEqual({
      kind: 'parts',
      parts: [
        { change: 'same', text: 'long\n' },
        { change: 'removed', text: 'and boring' },
        { change: 'added', text: 'and short' }
      ],
      isCut: false
    })
  })
})

test('contents come for several entries at once, long texts cut', async () => {
  writeFileSync(
    join(sessions, 'long.jsonl'),
    fileOf(header, user('l1', null, 'x'.repeat(20_000)), answer('l2', 'l1', 'y'))
  )
  const key = await engine.openFile(join(sessions, 'long.jsonl'), null)
  const contents = await client.call('entry.contents', { session: key, at: [1, 0] })
  expect(contents.map(({ id, blocks: [block] }) => [id, block?.text.length, block?.length])).toEqual([
    ['l2', 1, 1],
    ['l1', 16_384, 20_000]
  ])
  await expect(client.call('entry.contents', { session: key, at: [2] })).rejects.toEqual(refused('stale'))
})
