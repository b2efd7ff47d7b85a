import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SessionKey } from '#shared/model/keys.ts'
import { entryKinds } from '#shared/model/entry.ts'
import type { EntryRecord, FaultDraft } from '#shared/model/records.ts'
import { sessionRow } from '#shared/model/testing/session-row.ts'
import { locateIndex } from './index-location.ts'
import { condemn, isDamage, openReadDb, openWriteDb } from './open-index.ts'
import { createQueries } from './queries.ts'
import type { Queries, SessionSummary, WriteDb } from './types.ts'
import { type Change, createUpdates, type NewSession, type ReadLine, type Updates } from './updates.ts'

let folder: string
let path: string
let logged: string[]
let db: WriteDb
let updates: Updates
let queries: Queries

const open = () => {
  db = openWriteDb(path, (line) => logged.push(line))
  updates = createUpdates(db)
  queries = createQueries(db)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
  path = join(folder, 'cache', 'index.db')
  logged = []
  open()
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

const key = 'k1' as SessionKey
const session = (file = '/s/a.jsonl', name = key): NewSession => ({
  key: name,
  format: 'omp',
  agent: null,
  files: [{ path: file, role: 'log', framing: 'lines' }],
  folder: dirname(file)
})

const entry = (line: number, more: Partial<EntryRecord> = {}): EntryRecord => ({
  file: 0,
  line,
  part: 1,
  bytes: [line * 10, 9],
  storedId: `e${line}`,
  storedParent: null,
  kind: 'message',
  role: 'user',
  time: 1,
  preview: '',
  model: null,
  usage: null,
  facts: {},
  ...more
})

const fault = (line: number, kind: FaultDraft['kind'] = 'torn-tail'): FaultDraft => ({
  kind,
  line,
  offset: 0,
  length: 1,
  entry: null,
  message: 'm'
})

const line = (number: number, more: Partial<ReadLine> = {}): ReadLine => ({
  number,
  offset: number * 10,
  length: 10,
  frame: null,
  class: 'entry',
  entries: [entry(number)],
  faults: [],
  ...more
})

const change = (revision: number, kept: number, lines: readonly ReadLine[]): Change => ({
  session: key,
  revision,
  file: 0,
  kept,
  grown: null,
  lines,
  checkpoint: '{"at":1}',
  size: 10 * (kept + lines.length),
  length: 10 * (kept + lines.length),
  modified: 1.5,
  checkpointState: { seen: kept },
  state: { seen: kept + lines.length }
})

const summary = (more: Partial<SessionSummary> = {}): SessionSummary => {
  const {
    folder: _folder,
    live: _live,
    ...kept
  } = sessionRow('1', { key, updatedAt: '2026-01-01T00:00:00.000Z', ...more })
  return kept
}

const sumUp = (revision: number, more: Partial<SessionSummary> = {}, name = key) =>
  updates.sumUp({ session: name, revision, summary: summary({ ...more, key: name }), subagentFiles: [], awaited: null })

const ids = () => queries.records(key)?.records.entries.map(({ storedId }) => storedId)

describe('records', () => {
  test('come back as they were read', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('\ud83d'))
    const record = fc.record({
      file: fc.constant(0),
      part: fc.constant(1),
      bytes: fc.tuple(fc.maxSafeNat(), fc.nat()),
      storedId: fc.option(text),
      storedParent: fc.oneof(text, fc.constant(null), fc.constant(undefined)),
      kind: fc.constantFrom(...entryKinds),
      role: fc.option(text),
      time: fc.option(fc.integer({ min: -8.64e15, max: 8.64e15 })),
      preview: text,
      model: fc.option(text),
      usage: fc.constantFrom(null, summary().usage),
      facts: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null)), { noNullPrototype: true })
    })
    fc.assert(
      fc.property(fc.array(record, { maxLength: 20 }), (records) => {
        const entries = records.map((made, at) => ({ ...made, line: at + 1 }))
        const { revision } = updates.begin(session())
        updates.append(
          change(
            revision,
            0,
            entries.map((made) => line(made.line, { entries: [made] }))
          )
        )
        expect(queries.records(key)?.records.entries).toEqual(entries)
        updates.remove(key)
      }),
      { numRuns: 50 }
    )
  })

  test('of a session that gets other files stay with the files that it keeps, for who holds them too', () => {
    const file = (name: string) => ({ path: `/s/${name}`, role: 'log', framing: 'lines' }) as const
    const begin = (...names: readonly [string, ...string[]]) => {
      const [main, ...others] = [file(names[0]), ...names.slice(1).map(file)] as const
      return updates.begin({ ...session(), files: [main, ...others] })
    }
    const named = (name: string, position: number) => [
      line(1, { entries: [entry(1, { storedId: name, file: position })] })
    ]
    const { revision } = begin('a', 'b')
    const second = updates.append(change(revision, 0, named('of a', 0)))
    updates.append({ ...change(second!, 0, named('of b', 1)), file: 1 })
    const held = queries.records(key)!
    const { files, revision: third } = begin('c', 'b')
    expect(files.map((one) => [one.path, one.checkpoint])).toEqual([
      ['/s/c', null],
      ['/s/b', '{"at":1}']
    ])
    updates.append(change(third, 0, named('of c', 0)))
    expect(queries.records(key, held)?.records.entries).toEqual(queries.records(key)?.records.entries)
    expect(ids()).toEqual(['of c', 'of b'])
    begin('b', 'c')
    expect(ids()).toEqual(['of b', 'of c'])
    expect(queries.records(key, held)?.records.entries).toMatchObject([
      { storedId: 'of b', file: 0 },
      { storedId: 'of c', file: 1 }
    ])
  })

  test('of several files are in the order of the set', () => {
    const files: NewSession['files'] = [
      { path: '/s/a', role: 'messages', framing: 'lines' },
      { path: '/s/b', role: 'log', framing: 'lines' }
    ]
    const { revision } = updates.begin({ ...session(), files })
    const second = updates.append({ ...change(revision, 0, [line(1, { entries: [entry(1, { file: 1 })] })]), file: 1 })
    updates.append(change(second!, 0, [line(1), line(2)]))
    expect(queries.records(key)?.records.entries.map(({ file, line: number }) => [file, number])).toEqual([
      [0, 1],
      [0, 2],
      [1, 1]
    ])
  })
})

test('records that are held are as good as those that are read again', () => {
  const step = fc.record({
    kept: fc.nat(12),
    lines: fc.nat(4),
    grows: fc.boolean(),
    isAsked: fc.boolean(),
    isNew: fc.boolean()
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 15 }), (steps) => {
      let { revision } = updates.begin(session())
      let length = 0
      let held: ReturnType<Queries['records']>
      let begun: readonly number[] = []
      for (const { kept: wanted, lines, grows, isAsked, isNew } of steps) {
        if (isNew) {
          updates.remove(key)
          ;({ revision } = updates.begin(session()))
          length = 0
          begun = []
        }
        const kept = Math.min(wanted, length)
        const added = Array.from({ length: lines }, (_, at) =>
          line(kept + at + 1, { entries: at % 3 === 2 ? [] : [entry(kept + at + 1, { preview: `${revision}` })] })
        )
        begun = begun.filter((number) => number <= kept)
        const last = begun.at(-1)
        const grown = grows && last !== undefined ? entry(last, { bytes: [0, revision] }) : null
        revision = updates.append({ ...change(revision, kept, added), grown })!
        length = kept + lines
        begun = [...begun, ...added.flatMap(({ number, entries }) => (entries.length > 0 ? [number] : []))]
        const fresh = queries.records(key)
        if (grown !== null) expect(fresh?.records.entries.find((one) => one.line === grown.line)).toEqual(grown)
        expect(queries.records(key, held)).toEqual(fresh)
        if (isAsked) held = fresh
      }
      updates.remove(key)
    }),
    { numRuns: 200 }
  )
})

describe('a change', () => {
  test('replaces the lines behind those that stand', () => {
    const { revision } = updates.begin(session())
    const torn = line(2, { class: 'fault', entries: [], faults: [fault(2)] })
    const next = updates.append(change(revision, 0, [line(1), torn]))
    expect(queries.faults(key)).toMatchObject([{ kind: 'torn-tail', line: 2, file: 0 }])
    expect(updates.faultCount(key)).toBe(1)
    updates.append(change(next!, 1, [line(2), line(3)]))
    expect(queries.faults(key)).toEqual([])
    expect(ids()).toEqual(['e1', 'e2', 'e3'])
  })

  test('that another process got ahead of is refused', () => {
    const { revision } = updates.begin(session())
    const other = openWriteDb(path, () => undefined)
    expect(createUpdates(other).append(change(revision, 0, [line(1)]))).toBeGreaterThan(revision)
    other.close()
    expect(updates.append(change(revision, 0, [line(1), line(2)]))).toBeUndefined()
    expect(ids()).toEqual(['e1'])
    expect(sumUp(revision)).toBeUndefined()
  })

  test('is there with its checkpoint or not at all', () => {
    const { revision } = updates.begin(session())
    expect(() => updates.append(change(revision, 0, [line(1), line(1)]))).toThrow('UNIQUE')
    expect(ids()).toEqual([])
    expect(updates.progress(key)).toMatchObject({ revision, files: [{ checkpoint: null, checkpointState: null }] })
    updates.append(change(revision, 0, [line(1)]))
    expect(updates.progress(key)?.files).toMatchObject([{ checkpoint: '{"at":1}', checkpointState: { seen: 0 } }])
    expect(queries.records(key)?.records.files).toMatchObject([{ size: 10, modified: 1.5, state: { seen: 1 } }])
  })
})

describe('a session', () => {
  test('is listed once it was summed up, the newest first', () => {
    const first = updates.begin(session())
    const second = updates.begin(session('/s/sub/b.jsonl', 'k2' as SessionKey))
    const third = updates.begin(session('/st/c.jsonl', 'k3' as SessionKey))
    expect(queries.sessions()).toEqual([])
    sumUp(first.revision)
    sumUp(second.revision, { updatedAt: '2026-01-02T00:00:00.000Z' }, 'k2' as SessionKey)
    sumUp(third.revision, { updatedAt: null }, 'k3' as SessionKey)
    expect(queries.sessions().map((stored) => stored.key)).toEqual(['k2', 'k1', 'k3'])
    expect(queries.sessionsUnder('/s').map((stored) => stored.key)).toEqual(['k2', 'k1'])
    expect(queries.sessionsUnder('/s/a.jsonl')).toEqual([])
    expect(queries.session(key)).toMatchObject({ revision: first.revision, summary: { revision: first.revision } })
  })

  test('summed up again gets a new revision only where its records are the same', () => {
    const { revision } = updates.begin(session())
    expect(sumUp(revision)).toBe(revision)
    const again = sumUp(revision, { title: 'found' })
    expect(again).toBeGreaterThan(revision)
    expect(queries.session(key)).toMatchObject({ revision: again, summary: { revision: again, title: 'found' } })
    expect(updates.progress(key)?.isSummed).toBe(true)
  })

  test('that leaves and comes back has a greater revision', () => {
    const { revision } = updates.begin(session())
    updates.remove(key)
    expect(queries.session(key)).toBeUndefined()
    expect(updates.begin(session()).revision).toBeGreaterThan(revision)
  })

  test('begins anew where its files or its format are other ones, not where the agent is', () => {
    const { revision } = updates.begin(session())
    updates.append(change(revision, 0, [line(1)]))
    expect(updates.begin({ ...session(), agent: 'omp' })).toMatchObject({
      isSummed: false,
      files: [{ checkpoint: '{"at":1}' }]
    })
    expect(ids()).toEqual(['e1'])
    updates.begin({ ...session(), format: 'codelia' })
    expect(ids()).toEqual([])
  })
})

test('a session of a sub-agent that does not say who started it belongs to the one that says so', () => {
  const child = '/s/sub/a.jsonl'
  const name = 'k2' as SessionKey
  const { revision } = updates.begin(session(child, name))
  const own = summary({ key: name, file: child, origin: 'subagent', parent: null })
  updates.sumUp({ session: name, revision, summary: own, subagentFiles: [], awaited: null })
  expect(queries.session(name)?.summary.parent).toBeNull()

  const parent = updates.begin(session())
  const told = summary({ id: 'starter' })
  updates.sumUp({
    session: key,
    revision: parent.revision,
    summary: told,
    subagentFiles: [child, '/s/other.jsonl'],
    awaited: null
  })
  expect(queries.session(name)?.summary.parent).toEqual({ id: 'starter', file: parent.files[0].path })
  updates.remove(key)
  expect(queries.session(name)?.summary.parent).toBeNull()
  updates.remove(name)
})

test('lines are paged, found by number and summed up by what they are', () => {
  const { revision } = updates.begin(session())
  const lines = [
    line(1, { class: 'header', entries: [] }),
    line(2),
    line(3, { class: 'blank', length: 1, entries: [] }),
    line(4, { class: 'fault', length: 5, entries: [] })
  ]
  updates.append(change(revision, 0, lines))
  expect(queries.linePage(key, 0, 1, 2)).toEqual({
    total: 4,
    lines: [
      { number: 2, offset: 20, length: 10, class: 'entry' },
      { number: 3, offset: 30, length: 1, class: 'blank' }
    ]
  })
  expect(queries.line(key, 0, 4)).toEqual({ number: 4, offset: 40, length: 5, class: 'fault' })
  expect(queries.line(key, 0, 5)).toBeUndefined()
  expect(queries.line(key, 1, 1)).toBeUndefined()
  expect(queries.byteLedger(key)).toEqual({ entries: 20, faults: 5, blank: 1, total: 26 })
})

test('100,000 entries are written and read quickly', () => {
  const usage = summary().usage
  const { revision } = updates.begin(session())
  let at = revision
  const before = performance.now()
  for (let kept = 0; kept < 100_000; kept += 1000) {
    const lines = Array.from({ length: 1000 }, (_, index) =>
      line(kept + index + 1, {
        entries: [
          entry(kept + index + 1, { storedParent: 'x', preview: 'p'.repeat(150), usage, facts: { call: 'abc' } })
        ]
      })
    )
    at = updates.append(change(at, kept, lines))!
  }
  const written = performance.now()
  expect(queries.records(key)?.records.entries.length).toBe(100_000)
  const read = performance.now()
  expect(written - before).toBeLessThan(10_000)
  expect(read - written).toBeLessThan(5000)
})

describe('the index', () => {
  test('of another version is emptied in place', () => {
    updates.begin(session())
    db.exec('CREATE TABLE "old ""table" (a); PRAGMA user_version = 99')
    db.close()
    open()
    expect(updates.progress(key)).toBeUndefined()
    expect(logged).toEqual([expect.stringContaining('has version 99')])
    expect(db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE 'old%'").get()).toEqual({ n: 0 })
  })

  test('that is damaged is deleted and made again', () => {
    db.close()
    writeFileSync(path, 'this is no database, and long enough to be looked at '.repeat(100))
    open()
    updates.begin(session())
    expect(logged).toEqual([expect.stringContaining('is damaged')])
  })

  test('that turns out to be damaged can be condemned, and is made again when it is opened next', () => {
    const { revision } = updates.begin(session())
    updates.append(
      change(
        revision,
        0,
        Array.from({ length: 2000 }, (_, at) => line(at + 1))
      )
    )
    db.close()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, 4096))
    db = openWriteDb(path, (text) => logged.push(text))
    const readAll = () => db.prepare('SELECT max(entries) FROM lines').get()
    expect(readAll).toThrow('malformed')
    try {
      readAll()
    } catch (error) {
      expect(isDamage(error)).toBe(true)
    }
    condemn(db)
    db.close()
    open()
    expect(updates.progress(key)).toBeUndefined()
  })

  test('is refused with its place where it cannot be opened', () => {
    expect(() => openWriteDb(folder, () => undefined)).toThrow(
      expect.objectContaining({ code: 'read-only', file: folder })
    )
  })

  test('can be read by a handle that cannot write', () => {
    const { revision } = updates.begin(session())
    sumUp(revision)
    const reading = openReadDb(path)
    expect(createQueries(reading).session(key)?.key).toBe(key)
    expect(() => reading.exec('DELETE FROM sessions')).toThrow('readonly')
    reading.close()
  })

  test('can be opened, made and written by several processes at once', async () => {
    const shared = join(folder, 'shared', 'index.db')
    const script = `
      import { openWriteDb } from ${JSON.stringify(join(import.meta.dirname, 'open-index.ts'))}
      import { createUpdates } from ${JSON.stringify(join(import.meta.dirname, 'updates.ts'))}
      const updates = createUpdates(openWriteDb(${JSON.stringify(shared)}, console.error))
      for (let at = 0; at < 200; at++) {
        const path = '/s/' + process.pid + '-' + at
        const files = [{ path, role: 'log', framing: 'lines' }]
        updates.begin({ key: path, format: 'omp', agent: null, files, folder: '/s' })
      }
    `
    const runs = Array.from({ length: 3 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
    )
    expect((await Promise.all(runs)).map(({ stderr }) => stderr).join('')).toBe('')
    const both = new Database(shared, { readonly: true })
    expect(both.prepare('SELECT count(*) AS n, max(revision) AS last FROM sessions').get()).toEqual({
      n: 600,
      last: 600
    })
    both.close()
  })
})

describe('a private index', () => {
  test('is a temporary file, removed when it is disposed', () => {
    const location = locateIndex(':memory:')
    openWriteDb(location.path, () => undefined).close()
    expect(existsSync(location.path)).toBe(true)
    location[Symbol.dispose]()
    expect(existsSync(dirname(location.path))).toBe(false)
  })

  test('is removed at exit, and after a kill by the next process', async () => {
    const leave = `
      import { locateIndex } from ${JSON.stringify(join(import.meta.dirname, 'index-location.ts'))}
      console.log(locateIndex(':memory:').path)
    `
    const run = (script: string) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]).catch(
        (error: { stdout: string }) => error
      )
    const { stdout: ended } = await run(leave)
    expect(existsSync(dirname(ended.trim()))).toBe(false)
    const { stdout: killed } = await run(`${leave}; process.kill(process.pid, 'SIGKILL')`)
    const left = dirname(killed.trim())
    expect(readdirSync(dirname(left))).toContain(basename(left))
    using _ = locateIndex(':memory:')
    expect(existsSync(left)).toBe(false)
  })

  test('elsewhere is the path that was given', () => {
    expect(locateIndex(path).path).toBe(path)
  })
})
