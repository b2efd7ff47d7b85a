import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Format } from '#main/formats/format.ts'
import { formats } from '#main/formats/registry.ts'
import { openWriteDb } from '#main/index/open-index.ts'
import { createQueries } from '#main/index/queries.ts'
import type { WriteDb } from '#main/index/types.ts'
import { sessionKey } from '#main/platform/session-key.ts'
import { fileWatch } from '#main/watch/file-watch.ts'
import { manualWatch } from '#main/watch/manual-watch.ts'
import type { StartWatch } from '#main/watch/watch.ts'
import { Ingest, type IngestOptions } from './ingest.ts'

let base: string
let root: string
let index: string
let opened: { ingest: Ingest; db: WriteDb }[]

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  root = join(base, 'sessions')
  index = join(base, 'index.db')
  mkdirSync(root)
  opened = []
})
afterEach(async () => {
  for (const { ingest, db } of opened) {
    await ingest.close()
    db.close()
  }
  rmSync(base, { recursive: true })
})

/** Until disposed this process is nobody, and the paths are nobody's, where it is root: nothing is closed to root. */
function asNobody(paths: readonly string[]): Disposable {
  if (process.geteuid?.() !== 0) return { [Symbol.dispose]: () => undefined }
  for (const path of paths) chownSync(path, 65_534, 65_534)
  process.seteuid?.(65_534)
  return { [Symbol.dispose]: () => process.seteuid?.(0) }
}

type Said = { kind: 'folder' | 'changed' | 'gone'; what: string; revision?: number }

/** A writer over the index in this test's folder, with what it said and logged. */
function start(options: Partial<IngestOptions> = {}) {
  const db = openWriteDb(index, () => undefined)
  const said: Said[] = []
  const logged: string[] = []
  const waiting = new Set<() => void>()
  const say = (event: Said) => {
    said.push(event)
    waiting.forEach((look) => look())
  }
  const ingest = new Ingest({
    db,
    formats,
    watch: null,
    env: {},
    home: join(base, 'home'),
    log: (line) => logged.push(line),
    say: {
      folderChanged: (what) => say({ kind: 'folder', what }),
      sessionChanged: (what, revision) => say({ kind: 'changed', what, revision }),
      sessionGone: (what) => say({ kind: 'gone', what })
    },
    ...options
  })
  opened.push({ ingest, db })
  const queries = createQueries(db)
  const files = () => queries.sessionsUnder(root).map(({ summary }) => summary.file)
  const at = (path: string) => queries.session(sessionKey(path))
  const until = (seen: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!seen()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  return { ingest, db, queries, said, logged, files, at, until }
}

const json = (object: object) => `${JSON.stringify(object)}\n`
const header = (id: string, more: object = {}) =>
  json({ type: 'session', version: 3, id, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/w', ...more })
const message = (id: string, parentId: string | null, text = id) =>
  json({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: text, timestamp: 1 }
  })
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => message(`e${at}`, at === 0 ? null : `e${at - 1}`))

function write(name: string, text = header(name) + message('a', null) + message('b', 'a')): string {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** As if the file had been left alone for long. */
const settle = (path: string) => utimesSync(path, 1_700_000_000, 1_700_000_000)

const read = async (options: Partial<IngestOptions> = {}) => {
  const writer = start(options)
  writer.ingest.follow(root)
  await writer.ingest.idle()
  return writer
}

describe('a folder that is opened', () => {
  test('is read at any depth, and says how far it is', async () => {
    const paths = [write('one.jsonl'), write('p/two.jsonl'), write('p/q/three.jsonl')]
    write('p/notes.txt', 'no session')
    const writer = start()
    writer.ingest.follow(root)
    expect(writer.ingest.states()).toMatchObject([{ path: root, name: 'sessions', state: 'reading', sessions: 0 }])
    await writer.ingest.idle()
    expect(writer.files().toSorted()).toEqual(paths.toSorted())
    expect(writer.ingest.states()).toMatchObject([{ state: 'ready', files: 4, sessions: 3, faults: [] }])
    expect(writer.said.at(-1)).toEqual({ kind: 'folder', what: root })
    expect(writer.at(paths[0]!)?.summary).toMatchObject({
      id: 'one.jsonl',
      entries: 2,
      leaves: 1,
      faults: 0,
      cwd: '/w'
    })
  })

  test('without sessions says how many files it looked at and for what', async () => {
    write('a.txt', 'x')
    const { ingest } = await read()
    expect(ingest.states()).toMatchObject([
      { state: 'ready', files: 1, sessions: 0, lookedFor: formats.map(({ lookedFor }) => lookedFor) }
    ])
  })

  test('is not left by symlinks, and node_modules and .git are not entered', async () => {
    const outside = join(base, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'x.jsonl'), header('x') + message('a', null))
    symlinkSync(outside, join(root, 'link'))
    symlinkSync(join(outside, 'x.jsonl'), join(root, 'x.jsonl'))
    write('node_modules/y.jsonl')
    write('.git/z.jsonl')
    const hidden = write('.hidden/kept.jsonl')
    expect((await read()).files()).toEqual([hidden])
  })

  test('that is the home folder is read without hidden trees but the known places', async () => {
    const known = write('.omp/agent/sessions/p/known.jsonl')
    const plain = write('work/plain.jsonl')
    write('.cache/other.jsonl')
    const { files } = await read({ home: root })
    expect(files().toSorted()).toEqual([known, plain].toSorted())
  })

  test('is looked at again without reading what is unchanged', async () => {
    const paths = [write('one.jsonl'), write('two.jsonl')]
    paths.forEach(settle)
    await read()
    let claims = 0
    const [format] = formats
    const counted: Format = { ...format!, claim: (listing) => (claims++, format!.claim(listing)) }
    const again = await read({ formats: formats.map((one) => (one === format ? counted : one)) })
    expect(claims).toBe(0)
    expect(again.said.filter(({ kind }) => kind === 'changed')).toEqual([])
    expect(again.files().toSorted()).toEqual(paths.toSorted())
  })

  test('with a file that cannot be read has a fault, and all the others', async () => {
    const good = write('good.jsonl')
    const bad = write('bad.jsonl')
    const [format] = formats
    const broken: Format = {
      ...format!,
      reader(files, state) {
        if (files[0]!.path === bad) throw Object.assign(new Error('EIO: i/o error'), { syscall: 'read' })
        return format!.reader(files, state)
      }
    }
    const { files, ingest } = await read({ formats: [broken] })
    expect(files()).toEqual([good])
    expect(ingest.states()[0]).toMatchObject({
      state: 'ready',
      faults: [{ file: bad, kind: 'unreadable', severity: 'error', message: expect.stringContaining('EIO') }]
    })
  })

  test('with a file that may not be opened says so', async () => {
    const bad = write('bad.jsonl')
    chmodSync(bad, 0)
    using _ = asNobody([base, root, bad])
    const { ingest } = await read()
    expect(ingest.states()[0]?.faults).toMatchObject([{ file: bad, kind: 'unreadable' }])
  })

  test.runIf(process.platform === 'linux')('with a folder whose name is not UTF-8 says so', async () => {
    const bad = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x63, 0xe9])])
    mkdirSync(bad)
    const good = write('good.jsonl')
    const { ingest, files } = await read()
    expect(files()).toEqual([good])
    expect(ingest.states()[0]?.faults).toMatchObject([
      { file: root, kind: 'unreadable', message: expect.stringContaining('the folder c\ufffd in this one') }
    ])
  })

  test('with a bug in its format logs it and goes on', async () => {
    const good = write('good.jsonl')
    const bad = write('bad.jsonl')
    const [format] = formats
    const broken: Format = {
      ...format!,
      assemble(records) {
        if (records.files[0].path === bad) throw new TypeError('a bug')
        return format!.assemble(records)
      }
    }
    const { files, logged } = await read({ formats: [broken] })
    expect(files()).toEqual([good])
    expect(logged.join('\n')).toContain('a bug')
  })

  test('that holds a store which cannot be read yet has a fault for it', async () => {
    write('s/rollout.jsonl', json({ type: 'session_meta', payload: { id: 'x' } }))
    const { ingest } = await read()
    expect(ingest.states()[0]?.faults).toMatchObject([
      { file: join(root, 's'), kind: 'unsupported-store', severity: 'info' }
    ])
  })

  test('that is gone says so, and its sessions go', async () => {
    const path = write('one.jsonl')
    const watch = manualWatch()
    const { ingest, files, said } = await read({ watch: watch.start })
    rmSync(root, { recursive: true })
    watch.everything()
    await drained(ingest)
    expect(ingest.states()).toMatchObject([{ state: 'gone', sessions: 0 }])
    expect(files()).toEqual([])
    expect(said).toContainEqual({ kind: 'gone', what: sessionKey(path) })
    write('two.jsonl')
    watch.everything()
    await drained(ingest)
    expect(ingest.states()).toMatchObject([{ state: 'ready', sessions: 1 }])
  })

  const lose = async (ingest: Ingest, hint: () => void) => {
    const aside = join(base, 'aside')
    renameSync(root, aside)
    hint()
    await drained(ingest)
    expect(ingest.states()).toMatchObject([{ state: 'gone', sessions: 0 }])
    return () => renameSync(aside, root)
  }

  test('that is gone and comes back is read and followed again', async () => {
    const path = write('deep/one.jsonl')
    const watch = manualWatch()
    const { ingest, files, at } = await read({ watch: watch.start })
    const bringBack = await lose(ingest, () => watch.hint(root))
    bringBack()
    watch.hint(root)
    await drained(ingest)
    expect(ingest.states()).toMatchObject([{ state: 'ready', files: 1, sessions: 1 }])
    expect(files()).toEqual([path])
    appendFileSync(path, message('c', 'b'))
    watch.hint(path)
    await drained(ingest)
    expect(at(path)?.summary.entries).toBe(3)
  })

  test('that is gone stays so at hints until it is there', async () => {
    write('one.jsonl')
    const watch = manualWatch()
    const { ingest, said } = await read({ watch: watch.start })
    await lose(ingest, () => watch.hint(root))
    said.length = 0
    watch.everything()
    await drained(ingest)
    expect(ingest.states()).toMatchObject([{ state: 'gone' }])
    expect(said).toEqual([])
  })

  test('that was gone is read when it is opened again, without any hint', async () => {
    const path = write('one.jsonl')
    const watch = manualWatch()
    const { ingest, files } = await read({ watch: watch.start })
    const bringBack = await lose(ingest, () => watch.hint(root))
    bringBack()
    ingest.follow(root)
    await ingest.idle()
    expect(ingest.states()).toMatchObject([{ state: 'ready', sessions: 1 }])
    expect(files()).toEqual([path])
  })

  test('that is closed and opened again before it was read is read', async () => {
    write('one.jsonl')
    const { ingest } = start()
    ingest.follow(root)
    ingest.drop(root)
    ingest.follow(root)
    await ingest.idle()
    expect(ingest.states()).toMatchObject([{ state: 'ready', sessions: 1 }])
  })

  test('that is closed is not followed any more', async () => {
    const path = write('one.jsonl')
    const watch = manualWatch()
    const { ingest, at } = await read({ watch: watch.start })
    ingest.drop(root)
    appendFileSync(path, message('c', 'b'))
    watch.hint(path)
    await drained(ingest)
    expect(ingest.states()).toEqual([])
    expect(at(path)?.summary.entries).toBe(2)
  })
})

/** Hints are taken in a later turn: only then they are tasks to wait for. */
const drained = async (ingest: Ingest) => {
  await new Promise(setImmediate)
  await ingest.idle()
}

describe('a session that changes', () => {
  const follow = async (name = 'one.jsonl') => {
    const path = write(name)
    settle(path)
    const watch = manualWatch()
    const writer = await read({ watch: watch.start })
    const after = async (change: () => void) => {
      const before = writer.said.length
      change()
      watch.hint(path)
      await drained(writer.ingest)
      return writer.said.slice(before)
    }
    return {
      ...writer,
      path,
      watch,
      after,
      ids: () => writer.queries.records(sessionKey(path))?.records.entries.map(({ storedId }) => storedId)
    }
  }

  test('by an append has one entry more and a greater revision, said once', async () => {
    const { path, after, at, ids } = await follow()
    const before = at(path)!.revision
    const said = await after(() => appendFileSync(path, message('c', 'b')))
    expect(said).toEqual([{ kind: 'changed', what: sessionKey(path), revision: at(path)!.revision }])
    expect(at(path)!.revision).toBeGreaterThan(before)
    expect(ids()).toEqual(['a', 'b', 'c'])
    expect(at(path)!.summary).toMatchObject({ entries: 3, faults: 0 })
  })

  test('by half a line shows no entry of it, and loses none', async () => {
    const { path, after, at, ids } = await follow()
    const line = message('c', 'b')
    await after(() => appendFileSync(path, line.slice(0, 30)))
    expect(ids()).toEqual(['a', 'b'])
    expect(at(path)!.summary.faults).toBe(1)
    await after(() => appendFileSync(path, line.slice(30)))
    expect(ids()).toEqual(['a', 'b', 'c'])
    expect(at(path)!.summary.faults).toBe(0)
  })

  test('by a hint without a change says nothing', async () => {
    const { after } = await follow()
    expect(await after(() => undefined)).toEqual([])
  })

  test('by truncation or replacement is read again', async () => {
    const { path, after, ids } = await follow()
    await after(() => truncateSync(path, (header('one.jsonl') + message('a', null)).length))
    expect(ids()).toEqual(['a'])
    const other = join(base, 'other')
    writeFileSync(other, header('one.jsonl') + message('x', null) + message('y', 'x') + message('z', 'y'))
    await after(() => renameSync(other, path))
    expect(ids()).toEqual(['x', 'y', 'z'])
  })

  test('by removal goes, and comes back', async () => {
    const { path, after, at } = await follow()
    const before = at(path)!.revision
    const said = await after(() => rmSync(path))
    expect(said).toContainEqual({ kind: 'gone', what: sessionKey(path) })
    expect(at(path)).toBeUndefined()
    await after(() => write('one.jsonl'))
    expect(at(path)!.revision).toBeGreaterThan(before)
  })

  test('in a file that was no session at first is found', async () => {
    const { watch, ingest, files } = await follow()
    const path = write('new.jsonl', '')
    watch.hint(path)
    await drained(ingest)
    expect(files().length).toBe(1)
    appendFileSync(path, header('new') + message('a', null))
    watch.hint(path)
    await drained(ingest)
    expect(files().length).toBe(2)
  })

  test('in a new folder is found, and goes with its folder', async () => {
    const { watch, ingest, files } = await follow()
    const path = write('p/q/new.jsonl')
    watch.hint(join(root, 'p'))
    await drained(ingest)
    expect(files()).toContain(path)
    expect(watch.folders).toContain(join(root, 'p', 'q'))
    rmSync(join(root, 'p'), { recursive: true })
    watch.hint(join(root, 'p'))
    await drained(ingest)
    expect(files()).not.toContain(path)
    expect(watch.folders).not.toContain(join(root, 'p', 'q'))
  })

  test('while it is recent is polled', async () => {
    const path = write('fresh.jsonl')
    const watch = manualWatch()
    await read({ watch: watch.start })
    expect(watch.hot).toContain(path)
  })

  test('is seen by the system watch, also from a new folder', async () => {
    write('one.jsonl')
    const watch: StartWatch = fileWatch({ log: () => undefined })
    const { until, at } = await read({ watch })
    const path = write('later/two.jsonl', header('two') + message('a', null))
    await until(() => at(path) !== undefined)
    appendFileSync(path, message('b', 'a'))
    await until(() => at(path)?.summary.entries === 2)
  })
})

describe('reading that was cut off', () => {
  test('goes on where it stopped', async () => {
    const path = write('long.jsonl', header('long') + many(30_000).join(''))
    settle(path)
    const [format] = formats
    let lines = 0
    const counted = (limit: number): Format => ({
      ...format!,
      reader(files, state) {
        const reader = format!.reader(files, state)
        return {
          state: () => reader.state(),
          read(line) {
            if (++lines > limit) throw Object.assign(new Error('killed'), { syscall: 'kill' })
            return reader.read(line)
          }
        }
      }
    })
    const killed = await read({ formats: [counted(20_000)] })
    expect(killed.files()).toEqual([])
    lines = 0
    const again = await read({ formats: [counted(Infinity)] })
    expect(again.at(path)?.summary.entries).toBe(30_000)
    expect(lines).toBeLessThan(25_000)
  })

  test('of a long session tells of an append before it is summed up again', async () => {
    const path = write('long.jsonl', header('long') + many(6000).join(''))
    const first = await read()
    await first.ingest.close()
    const watch = manualWatch()
    const writer = await read({ watch: watch.start })
    appendFileSync(path, message('x', 'e0'))
    watch.hint(path)
    await writer.until(() => writer.said.some(({ kind }) => kind === 'changed'))
    expect(writer.queries.records(sessionKey(path))?.records.entries.length).toBe(6001)
    expect(writer.at(path)?.summary.entries).toBe(6000)
    await writer.ingest.idle()
    expect(writer.at(path)?.summary.entries).toBe(6001)
    expect(writer.said.filter(({ kind }) => kind === 'changed').length).toBe(2)
  })

  test('by another process on the same index goes on from where that one is', async () => {
    const paths = Array.from({ length: 5 }, (_, at) => write(`s${at}.jsonl`, header(`s${at}`) + many(4000).join('')))
    const [one, other] = [start(), start()]
    one.ingest.follow(root)
    other.ingest.follow(root)
    await Promise.all([one.ingest.idle(), other.ingest.idle()])
    for (const path of paths) expect(one.at(path)?.summary.entries).toBe(4000)
  })
})

describe('a session that came before its parent', () => {
  const dshLog = (id: string, more: object = {}) =>
    json({ type: 'session', version: 0, id, createdAt: 1, cwd: '/w', delegationDepth: 0, ...more })

  test.each([
    ['pi', 'child.jsonl', 'parent.jsonl', header('parent') + message('a', null)],
    ['dsh', '--w--/child/session.jsonl', '--w--/parent/session.jsonl', dshLog('parent')]
  ])('of %s knows it once it is there, also where it is read by another start', async (agent, child, parent, text) => {
    const place = join(root, parent)
    const own =
      agent === 'pi'
        ? header('child', { parentSession: place }) + message('a', null)
        : dshLog('child', { parentSession: 'parent' })
    write(child, own)
    const found = ({ queries }: ReturnType<typeof start>) =>
      queries.sessionsUnder(root).find(({ summary }) => summary.id === 'child')
    const first = start()
    first.ingest.follow(root)
    await drained(first.ingest)
    expect(found(first)?.summary).toMatchObject({ origin: 'fork', faults: 1 })
    await first.ingest.close()

    write(parent, text)
    const second = start()
    second.ingest.follow(root)
    await drained(second.ingest)
    expect(found(second)?.summary).toMatchObject({ parent: { file: place }, faults: 0 })
    const revision = found(second)?.revision
    await second.ingest.close()

    const third = start()
    third.ingest.follow(root)
    await drained(third.ingest)
    expect(found(third)?.revision).toBe(revision)
  })
})

describe('a file that is named', () => {
  test('is read with its parent and the sessions that its agents started, and nothing else', async () => {
    const parent = write('p/2026_parent.jsonl', header('parent') + message('a', null))
    const path = write('p/child.jsonl', header('child', { parentSession: parent }) + message('a', null))
    const agent = write('p/child/Worker.jsonl', header('worker') + message('a', null))
    write('p/unrelated.jsonl')
    const { ingest, files } = start()
    expect(await ingest.followFile(path, null)).toBe(sessionKey(path))
    expect(files().toSorted()).toEqual([parent, path, agent].toSorted())
  })

  test('is followed', async () => {
    const path = write('one.jsonl')
    const watch = manualWatch()
    const { ingest, at } = start({ watch: watch.start })
    await ingest.followFile(path, null)
    appendFileSync(path, message('c', 'b'))
    watch.hint(path)
    await drained(ingest)
    expect(at(path)?.summary.entries).toBe(3)
  })

  test('that is long can be shown before it is read to its end', async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => message(`e${at}`, at === 0 ? null : `e${at - 1}`))
    const path = write('long.jsonl', header('long') + lines.join(''))
    const { ingest, at } = start()
    await ingest.followFile(path, null, 'shown')
    const part = at(path)?.summary
    expect(part?.reading).toBe(true)
    expect(part?.entries).toBeGreaterThan(0)
    expect(part?.entries).toBeLessThan(60_000)
    await drained(ingest)
    expect(at(path)?.summary).toMatchObject({ entries: 60_000, leaves: 1 })
    expect(at(path)?.summary).not.toHaveProperty('reading')
  })

  test('that is long and has grown is summed up, with its parent, before anything else is asked', async () => {
    const parent = write('parent.jsonl', header('parent') + many(6000).join(''))
    const path = write('long.jsonl', header('long', { parentSession: parent }) + many(6000).join(''))
    const first = start()
    await first.ingest.followFile(path, null)
    await first.ingest.close()
    for (const file of [parent, path]) appendFileSync(file, message('x', 'e0'))
    const { ingest, at } = start()
    await ingest.followFile(path, null)
    expect([at(path)?.summary.entries, at(parent)?.summary.entries]).toEqual([6001, 6001])
  })

  test('is read as a damaged session where nothing in it parses', async () => {
    const empty = write('empty.jsonl', '')
    const torn = write('torn.jsonl', '{"type":"mess')
    const { ingest, at } = start()
    await ingest.followFile(empty, null)
    await ingest.followFile(torn, null)
    expect(at(empty)?.summary.entries).toBe(0)
    expect(at(torn)?.summary).toMatchObject({ entries: 0, bytes: 13 })
  })

  test('is refused where it is missing, no file, or no session', async () => {
    const { ingest } = start()
    const missing = join(root, 'missing.jsonl')
    await expect(ingest.followFile(missing, null)).rejects.toMatchObject({ code: 'not-found', file: missing })
    await expect(ingest.followFile(root, null)).rejects.toMatchObject({ code: 'unsupported' })
    await expect(ingest.followFile(write('a.txt', 'hello'), null)).rejects.toMatchObject({ code: 'unsupported' })
    await expect(ingest.followFile(write('b.jsonl', '{"a":1}\n'), null)).rejects.toMatchObject({ code: 'unsupported' })
    await expect(ingest.followFile(write('c.jsonl'), 'codex')).rejects.toMatchObject({ code: 'unsupported' })
  })

  test('is read as the agent that was named, whatever it looks like', async () => {
    const path = write('b.jsonl', '{"a":1}\n')
    const { ingest, at } = start()
    await ingest.followFile(path, 'omp')
    expect(at(path)).toMatchObject({ format: 'omp', agent: 'omp', summary: { agent: 'omp' } })
  })

  test('stays where its folder is opened, which does not take it for a session', async () => {
    const path = write('empty.jsonl', '')
    const { ingest, at } = start()
    await ingest.followFile(path, null)
    ingest.follow(root)
    await ingest.idle()
    expect(at(path)).toBeDefined()
  })

  test('is refused when the writer is closed first', async () => {
    const { ingest } = start()
    const asked = ingest.followFile(write('one.jsonl'), null)
    const closing = ingest.close()
    await expect(asked).rejects.toMatchObject({ code: 'disconnected' })
    await closing
  })
})

describe('where the disk of the index is full', () => {
  function startFull() {
    const writer = start()
    const [{ page_count: pages }] = writer.db.pragma('page_count') as [{ page_count: number }]
    writer.db.pragma(`max_page_count = ${pages}`)
    return writer
  }
  const long =
    header('long') + Array.from({ length: 3000 }, (_, at) => message(`e${at}`, null, 'x'.repeat(200))).join('')

  test('a folder says which of its files were not read', async () => {
    const path = write('long.jsonl', long)
    const { ingest } = startFull()
    ingest.follow(root)
    await ingest.idle()
    const [state] = ingest.states()
    expect(state?.faults.map(({ kind, file }) => [kind, file])).toEqual([['unreadable', path]])
    expect(state?.faults[0]?.message).toContain('disk is full')
  })

  test('a named file is refused with the place of the index', async () => {
    const { ingest } = startFull()
    await expect(ingest.followFile(write('long.jsonl', long), null)).rejects.toMatchObject({
      code: 'read-only',
      file: index
    })
  })
})

test('sessions of a folder that lay there when nobody looked and are gone now leave the index', async () => {
  const path = write('p/one.jsonl')
  write('two.jsonl')
  await read()
  rmSync(join(root, 'p'), { recursive: true })
  const { files, said } = await read()
  expect(files()).toEqual([join(root, 'two.jsonl')])
  expect(said).toContainEqual({ kind: 'gone', what: sessionKey(path) })
})
