import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formats } from '#main/formats/registry.ts'
import { openWriteDb } from '#main/index/open-index.ts'
import { createQueries } from '#main/index/queries.ts'
import type { WriteDb } from '#main/index/types.ts'
import type { EntryRow, OutlineChange } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Ingest } from './ingest/ingest.ts'
import { openingOf } from './opening.ts'
import { createReader } from './reader/create-reader.ts'

let folder: string
let file: string
let db: WriteDb
let ingests: Ingest[]

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  file = join(folder, 'sessions', 'long.jsonl')
  mkdirSync(join(folder, 'sessions'))
  db = openWriteDb(join(folder, 'index.db'), () => undefined)
  ingests = []
})
afterEach(async () => {
  for (const ingest of ingests) await ingest.close()
  db.close()
  rmSync(folder, { recursive: true })
})

const json = (object: object) => `${JSON.stringify(object)}\n`
const timestamp = '2026-01-01T00:00:00.000Z'
const message = (at: number, parent = at - 1) =>
  json({
    type: 'message',
    id: `e${at}`,
    parentId: parent < 0 ? null : `e${parent}`,
    timestamp,
    message: { role: at % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text: `Text ${at}` }] }
  })

/** Entries e0, e1, … below each other, the last but one labelled by the last. */
const write = (entries: number) => {
  const header = json({ type: 'session', version: 3, id: 's', timestamp, cwd: '/w' })
  const messages = Array.from({ length: entries - 1 }, (_, at) => message(at))
  const label = { type: 'label', id: 'label', parentId: `e${entries - 2}`, timestamp, targetId: `e${entries - 2}` }
  writeFileSync(file, [header, ...messages, json({ ...label, label: 'here' })].join(''))
}

const startIngest = (): Ingest => {
  const say = { folderChanged: () => undefined, sessionChanged: () => undefined, sessionGone: () => undefined }
  const ingest = new Ingest({ db, formats, watch: null, env: {}, home: folder, log: () => undefined, say })
  ingests.push(ingest)
  return ingest
}

/** Reads the file, and keeps its opening where it gets one. */
const readFile = async (): Promise<SessionKey> => {
  const ingest = startIngest()
  const session = await ingest.followFile(file, null)
  await ingest.idle()
  return session
}

const { signal } = new AbortController()

/** A reader that holds nothing yet. */
function startReader() {
  const reader = createReader(createQueries(db), formats)
  return {
    outline: (session: SessionKey, since?: number) =>
      reader['session.outline']({ session, ...(since !== undefined && { since }) }, signal) as OutlineChange,
    rows: (session: SessionKey, at: number[]) => reader['entry.rows']({ session, at }, signal) as EntryRow[]
  }
}

const positions = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

test('a long session is shown without its records, as it is with them', async () => {
  write(2345)
  const session = await readFile()
  const kept = db.prepare('SELECT * FROM openings').get()
  db.exec('DELETE FROM openings')
  const byRecords = startReader()
  const [outline, rows] = [byRecords.outline(session), byRecords.rows(session, positions(2200, 145))]
  expect(outline.ids).toHaveLength(2345)
  expect(outline.labels).toEqual([{ at: 2343, label: 'here' }])
  expect(rows[0]).toMatchObject({ id: 'e2200', preview: 'Text 2200', onDefaultPath: true })

  db.prepare('INSERT INTO openings VALUES ($session, $revision, $outline, $rows)').run(kept)
  db.exec('DELETE FROM lines')
  const byOpening = startReader()
  expect(byOpening.outline(session)).toEqual(outline)
  expect(byOpening.rows(session, positions(2200, 145))).toEqual(rows)
})

test('rows further away come from the records', async () => {
  write(2345)
  const session = await readFile()
  expect(
    startReader()
      .rows(session, [0, 2344])
      .map(({ id }) => id)
  ).toEqual(['e0', 'label'])
})

test('a short session keeps no opening', async () => {
  write(1999)
  await readFile()
  expect(db.prepare('SELECT count(*) FROM openings').pluck().get()).toBe(0)
})

test('an opening never stands for another revision, and is renewed when the session rests', async () => {
  write(2000)
  const session = await readFile()
  appendFileSync(file, message(2000, 1998))
  const ingest = startIngest()
  await ingest.followFile(file, null)
  expect(startReader().outline(session).ids.at(-1)).toBe('e2000')
  await ingest.idle()
  db.exec('DELETE FROM lines')
  expect(startReader().outline(session).ids.at(-1)).toBe('e2000')
})

test('one that was not renewed before the end is renewed after the next start', async () => {
  write(2000)
  const session = await readFile()
  db.exec('UPDATE openings SET revision = 0')
  const ingest = startIngest()
  ingest.follow(join(folder, 'sessions'))
  await ingest.idle()
  db.exec('DELETE FROM lines')
  expect(startReader().outline(session).ids).toHaveLength(2000)
})

test('who was sent an opening is sent only what is new behind it', async () => {
  write(2000)
  const session = await readFile()
  const reader = startReader()
  const { revision } = reader.outline(session)
  appendFileSync(file, message(2000, 1998))
  await readFile()
  const { kept, ids } = reader.outline(session, revision)
  expect([kept.entries, ids]).toEqual([2000, ['e2000']])
})

test('a session that is forgotten leaves no opening', async () => {
  write(2000)
  await readFile()
  rmSync(file)
  const ingest = startIngest()
  ingest.follow(join(folder, 'sessions'))
  await ingest.idle()
  expect(db.prepare('SELECT count(*) FROM openings').pluck().get()).toBe(0)
})

test('rows are kept around the default leaf', () => {
  const nodes = positions(0, 1000).map((at) => ({ id: `e${at}`, parent: at - 1, label: null }))
  const entries = nodes.map(() => ({ kind: 'message', role: null, time: null, bytes: [0, 0], file: 0 }))
  const session = (defaultLeaf: string | null) =>
    ({
      stored: { revision: 1 },
      format: {},
      records: { entries },
      tree: { nodes, leaves: [], defaultLeaf: { id: defaultLeaf }, row: () => ({}) }
    }) as unknown as Parameters<typeof openingOf>[0]
  const kept = (defaultLeaf: string | null) => openingOf(session(defaultLeaf)).rows.map((row) => row.at)
  expect(kept('e999')).toEqual(positions(800, 200))
  expect(kept('e250')).toEqual(positions(100, 300))
  expect(kept(null)).toEqual(positions(0, 200))
})
