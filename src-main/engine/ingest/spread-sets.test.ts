import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Format, Listing, SessionSet } from '#main/formats/format.ts'
import { madeUp } from '#main/formats/made-up/index.ts'
import { openWriteDb } from '#main/index/open-index.ts'
import { createQueries } from '#main/index/queries.ts'
import type { WriteDb } from '#main/index/types.ts'
import { manualWatch } from '#main/watch/manual-watch.ts'
import { Ingest } from './ingest.ts'

/** Until disposed this process is nobody where it is root, as nothing is closed to root; all files are nobody's. */
function asNobody(): Disposable {
  if (process.geteuid?.() !== 0) return { [Symbol.dispose]: () => undefined }
  const all = readdirSync(base, { recursive: true, encoding: 'utf8' }).map((name) => join(base, name))
  for (const path of [base, ...all]) chownSync(path, 65_534, 65_534)
  process.seteuid?.(65_534)
  return { [Symbol.dispose]: () => process.seteuid?.(0) }
}

/** Sessions whose files lie in a folder for each day, as `<session>-<part>.part`, and one that may come beside these. */
const spread: Format = {
  ...madeUp,
  claim({ path, files, folders, below, head }: Listing): readonly SessionSet[] {
    const days = folders.filter((name) => /^\d+$/.test(name))
    if (days.length > 0) below('')
    const inDays = days.flatMap((day) => below(day).files.map((name) => `${day}/${name}`))
    const named = [...files, ...inDays].filter((name) => /\.(?:main|part)$/.test(name) && head(name) !== undefined)
    return [...Map.groupBy(named, (name) => basename(name).split(/[-.]/)[0] ?? '')].flatMap(([session, names]) => {
      const [first, ...others] = names.toSorted(mainFirst).map((name) => ({
        path: join(path, name),
        role: 'log' as const,
        framing: 'lines' as const
      }))
      const beside = files.includes('beside.json') ? { beside: JSON.parse(String(head('beside.json'))) } : {}
      return first === undefined
        ? []
        : [{ files: [first, ...others], agent: null, name: join(path, session), ...beside }]
    })
  },
  reader(files, state) {
    const inner = madeUp.reader(files, state)
    const read: typeof inner.read = (line) => {
      const { entries, ...reading } = inner.read({ ...line, file: 0 })
      return { ...reading, entries: entries.map((entry) => ({ ...entry, file: line.file })) }
    }
    return { ...inner, read }
  },
  gathered: (path) => (/^\d+$/.test(basename(path)) ? dirname(path) : path.endsWith('.main') ? dirname(path) : null),
  order: (files) =>
    [...files.keys()].toSorted((one, other) => (basename(files[one]!.path) < basename(files[other]!.path) ? -1 : 1))
}

const mainFirst = (one: string, other: string) => Number(other.endsWith('.main')) - Number(one.endsWith('.main'))

const line = (say: string) => `{"who":"person","say":"${say}"}\n`

let base: string
let root: string
let db: WriteDb
let ingest: Ingest
let watch: ReturnType<typeof manualWatch>
let gone: number

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  root = join(base, 'store')
  write('1/a-1.part', line('one'))
  write('2/a-2.part', line('two'))
  write('2/b-1.part', line('other'))
  db = openWriteDb(join(base, 'index.db'), () => undefined)
  watch = manualWatch()
  gone = 0
  ingest = new Ingest({
    db,
    formats: [spread],
    watch: watch.start,
    env: {},
    home: join(base, 'home'),
    log: (text) => expect.unreachable(text),
    say: { folderChanged: () => undefined, sessionChanged: () => undefined, sessionGone: () => void gone++ }
  })
})

afterEach(async () => {
  await ingest.close()
  db.close()
  rmSync(base, { recursive: true })
})

function write(name: string, text: string): string {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const sessions = () =>
  createQueries(db)
    .sessionsUnder(base)
    .map(({ key, files }) => ({
      files: files.map(({ path }) => path.slice(root.length + 1)),
      said: createQueries(db)
        .records(key)
        ?.records.entries.map(({ preview }) => preview)
    }))
    .toSorted((one, other) => (one.files[0]! < other.files[0]! ? -1 : 1))

const seen = async (...hints: string[]) => {
  for (const hint of hints) watch.hint(join(root, hint))
  await new Promise((resolve) => setImmediate(resolve))
  await ingest.idle()
  return sessions()
}

const follow = async (path = base) => {
  ingest.follow(path)
  await ingest.idle()
}

test('a set that is spread over folders is one session, and the folders claim nothing for themselves', async () => {
  await follow()
  expect(sessions()).toEqual([
    { files: ['1/a-1.part', '2/a-2.part'], said: ['one', 'two'] },
    { files: ['2/b-1.part'], said: ['other'] }
  ])
  expect(watch.folders).toEqual(new Set([base, root, join(root, '1'), join(root, '2')]))
})

test('a folder of one that is opened by itself has what lies in it', async () => {
  await follow(join(root, '2'))
  expect(sessions().map(({ files }) => files)).toEqual([['2/a-2.part'], ['2/b-1.part']])
})

test('files that come are seen: in a known folder, in a new one, and a new main file', async () => {
  await follow()
  write('2/a-3.part', line('three'))
  expect((await seen('2/a-3.part'))[0]).toEqual({
    files: ['1/a-1.part', '2/a-2.part', '2/a-3.part'],
    said: ['one', 'two', 'three']
  })
  write('3/a-4.part', line('four'))
  expect((await seen('3'))[0]?.said).toEqual(['one', 'two', 'three', 'four'])
  write('a.main', line('main'))
  const [, session] = await seen('a.main')
  expect(session?.files[0]).toBe('a.main')
  expect(session?.said?.toSorted()).toEqual(['four', 'main', 'one', 'three', 'two'])
  expect(gone).toBe(0)
})

test('lines that come are read from any of its files, and one that is gone leaves the others', async () => {
  await follow()
  appendFileSync(join(root, '1/a-1.part'), line('more'))
  expect((await seen('1/a-1.part'))[0]?.said).toEqual(['one', 'more', 'two'])
  rmSync(join(root, '1/a-1.part'))
  expect((await seen('1/a-1.part'))[0]).toEqual({ files: ['2/a-2.part'], said: ['two'] })
  renameSync(join(root, '2'), join(base, 'elsewhere'))
  expect((await seen('2')).map(({ files }) => files)).toEqual([])
})

test('what is remembered of its folder does not outlive a new file further down', async () => {
  await follow()
  await ingest.close()
  write('2/c-1.part', line('late'))
  ingest = new Ingest({
    db,
    formats: [spread],
    watch: null,
    env: {},
    home: base,
    log: (text) => expect.unreachable(text),
    say: { folderChanged: () => undefined, sessionChanged: () => undefined, sessionGone: () => undefined }
  })
  await follow()
  expect(sessions()).toHaveLength(3)
})

test('a file further down that cannot be read is said, until it can be', async () => {
  const path = write('2/d-1.part', line('closed'))
  chmodSync(path, 0)
  using _ = asNobody()
  await follow()
  expect(ingest.states()[0]?.faults).toMatchObject([{ file: path, kind: 'unreadable' }])
  expect(sessions()).toHaveLength(2)
  chmodSync(path, 0o600)
  expect(await seen('2/d-1.part')).toHaveLength(3)
  expect(ingest.states()[0]?.faults).toEqual([])
})

test('what the folder says of it comes with its records and changes with it', async () => {
  const besides = () =>
    createQueries(db)
      .sessions()
      .map(({ key }) => createQueries(db).records(key)?.records.beside)
  write('beside.json', '{"row":1}')
  await follow()
  expect(besides()).toEqual([{ row: 1 }, { row: 1 }])
  write('beside.json', '{"row":22}')
  await seen('beside.json')
  expect(besides()).toEqual([{ row: 22 }, { row: 22 }])
})

test('a file that stands for it opens all of it, and any other only itself, beside its folder too', async () => {
  const main = write('a.main', line('main'))
  await ingest.followFile(main, null)
  expect(sessions()).toHaveLength(1)
  expect(sessions()[0]?.files).toEqual(['a.main', '1/a-1.part', '2/a-2.part'])
  write('3/a-3.part', line('three'))
  expect((await seen('3'))[0]?.files).toHaveLength(4)
  await ingest.followFile(join(root, '1/a-1.part'), null)
  await follow()
  expect(sessions().map(({ files }) => files[0])).toEqual(['1/a-1.part', '2/b-1.part', 'a.main'])
  appendFileSync(join(root, '1/a-1.part'), line('more'))
  const [alone, , whole] = await seen('1/a-1.part')
  expect(alone?.said).toEqual(['one', 'more'])
  expect(whole?.said).toContain('more')
})
