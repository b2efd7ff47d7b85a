import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Format } from '#main/formats/format.ts'
import { formats } from '#main/formats/registry.ts'
import { calls, type Calls, type Events } from '#shared/contract/contract.ts'
import type { FolderKey, SessionKey, WrittenKey } from '#shared/model/keys.ts'
import { createClient, type Client } from '#shared/rpc/client.ts'
import { channelPair } from '#shared/rpc/pair.ts'
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
  const request = { entry: 'a2', position: 'after' } as const

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
    const preview = await client.call('branch.preview', { session: key, entry: 'b3', position: 'before' })
    expect(preview).toMatchObject({ result: { entry: 'a2' }, ownText: 'otherwise' })
    const first = client.call('branch.preview', { session: key, entry: 'a1', position: 'before' })
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
    const { written, result } = await client.call('branch.write', { session: key, ...request })
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

describe('an export', () => {
  test('goes into a chosen folder once, and is never overwritten', async () => {
    const key = await openSessions()
    const into = await engine.folderKey(join(root, 'out'))
    const preview = await client.call('export.preview', { session: key })
    expect(preview).toEqual({ name: 'made.jsonl', bytes: session.length, entries: 6, secrets: [] })
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
    const counts = { from: 0, count: 1, line: 1, limit: 1, block: 0 }
    const invented = { session: key, folder: key, written: key, into: key, entry: 'a1', name: 'x', position: 'after' }
    const shell = engine.client({
      ...powers,
      chooseTarget: () => Promise.resolve(join(root, 'out', 'x')),
      reveal: () => expect.unreachable()
    })
    const names = Object.entries(calls).flatMap(([name, { input }]) => {
      const keyed = ['session', 'folder', 'written'].some((member) => member in input.entries)
      return keyed ? [name as keyof Calls] : []
    })
    expect(names).toHaveLength(21)
    const answers: unknown[] = []
    for (const name of names) {
      const at = name === 'entry.rows' ? [0] : key
      const failed = await shell.call(name, { ...counts, ...invented, at } as never).catch((error: unknown) => error)
      answers.push([name, failed])
    }
    expect(answers).toEqual(names.map((name) => [name, refused('not-found')]))
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
