import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fatesOf } from '#main/compaction/fates-of.ts'
import { corpus } from '#e2e/support/corpus.ts'
import type { Block, Message } from '#shared/model/message.ts'
import type { Listing, MessageDraft, SessionSet } from '../format.ts'
import { listFolder } from '../listing-testing.ts'
import { readPath, type ReadSession, readSession } from '../testing.ts'
import { codelia } from './index.ts'
import { linksOf } from './links.ts'

const root = join(corpus!, 'codelia')
const sessionsRoot = join(root, 'home', '.codelia', 'sessions')
const expected = JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8'))
const store = expected['home/.codelia/sessions']

const read = (set: SessionSet): Promise<ReadSession> =>
  readSession(
    codelia,
    set,
    set.files.map((file) => readFileSync(file.path))
  )

const claim = (listing: Listing) => codelia.claim(listing)
const sets = claim(listFolder(sessionsRoot))
const setOf = (id: string) => sets.find(({ files }) => basename(files[0].path).startsWith(id))!

/** A message as the expected file prints it: role and the first 40 characters of each part. */
function printed({ role, blocks, callId }: Pick<MessageDraft, 'role' | 'blocks' | 'callId'>): string {
  const parts = blocks.filter((block) => block.type !== 'text' || block.text !== '').map(partOf)
  return `${role}: ${[...(callId === undefined ? [] : [`[${callId}]`]), ...parts].join('|')}`
}

function partOf(block: Block): string {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return block.text.slice(0, 40)
    case 'tool-call':
      return `[tool_call:${block.id}]`
    case 'image':
      return '[image_url]'
    default:
      return `[${block.type}]`
  }
}

const contextAt = async (session: ReadSession, at: number) => (await codelia.context(session, at)).messages

/** What the expected file says of runs, invocations and usage. */
async function checkRuns(session: ReadSession, want: typeof store, base: string): Promise<void> {
  const { tree, records, lines } = session
  expect(tree.session).toMatchObject({ id: want.id, title: want.title })
  expect(tree.leaves).toHaveLength(want.leaves)
  expect(tree.session.runs).toEqual(
    want.runs.map((run: typeof store) => ({
      id: run.runId,
      file: join(base, run.file),
      startedAt: run.startedAt,
      outcome: run.outcome
    }))
  )
  for (const run of want.runs) {
    const file = records.files.findIndex(({ path }) => path === join(base, run.file))
    const own = lines.filter((line) => line.file === file)
    const kinds: Record<string, number> = { header: own.filter((line) => line.class === 'header').length }
    for (const { facts } of own.flatMap((line) => line.entries)) {
      kinds[String(facts['type'])] = (kinds[String(facts['type'])] ?? 0) + 1
    }
    expect(kinds).toEqual(run.byKind)
    expect(own).toHaveLength(run.lines)
    const bytes = (...classes: string[]) =>
      own.filter((line) => classes.includes(line.class)).reduce((sum, line) => sum + line.length, 0)
    expect({
      entries: bytes('entry', 'header'),
      faults: bytes('fault'),
      blank: bytes('blank'),
      total: records.files[file]!.size
    }).toEqual(run.bytes)
    expect(own.flatMap((line) => line.faults.map(({ kind }) => ({ line: line.number, kind })))).toEqual(run.faults)
    const statuses = records.entries.filter((entry) => entry.file === file && entry.facts['type'] === 'run.status')
    expect(statuses.map(({ facts }) => String(facts['words']).split(' · ')[0])).toEqual(run.statuses)
    const start = records.entries.findIndex((entry) => entry.file === file && entry.facts['type'] === 'run.start')
    const { blocks } = await codelia.blocks(session, start)
    expect(blocks.map(({ type, text }) => (type === 'image' ? '[image_url]' : text)).join('|')).toBe(run.input)
  }
  expect(tree.faults).toEqual([])
  const { invocations } = linksOf(tree)
  const counted = invocations.filter(({ isCopy }) => !isCopy)
  expect(counted).toHaveLength(want.invocations.length)
  for (const [index, one] of want.invocations.entries()) {
    const { request, response, seq } = counted[index]!
    expect(tree.nodes[request!]!.id).toMatch(new RegExp(`^${one.run}.*:${one.requestLine}$`))
    expect(seq).toBe(one.seq)
    const context = await contextAt(session, request!)
    expect(context.map(printed)).toEqual(one.context)
    expect(context).toHaveLength(one.messages)
    if (one.response === null) expect(response).toBeNull()
    else {
      const whole = await contextAt(session, response!)
      expect(whole.slice(context.length).map(printed)).toEqual(one.response)
      expect(records.entries[response!]!.facts).not.toHaveProperty('asked')
    }
    const total = response === null ? null : (records.entries[response]!.usage?.total ?? null)
    expect(total ?? 'unknown').toBe(one.usage)
  }
  checkUsage(session, want.usage)
}

function checkUsage({ tree, records }: ReadSession, want: typeof store): void {
  const { requests, unknown, input, cacheRead, cacheWrite, output, total } = want
  expect(tree.session.usage).toMatchObject({ requests, unknown, input, cacheRead, cacheWrite, output, total })
  const counted = linksOf(tree).invocations.filter(({ isCopy }) => !isCopy)
  expect(counted.filter(({ response }) => response !== null)).toHaveLength(want.responses)
  const impossible = records.entries
    .filter(({ facts }) => facts['impossible'] === true)
    .map(({ facts }) => facts['seq'])
  expect(impossible).toEqual(want.inconsistentSeqs ?? [])
}

test('the root has the sessions', async () => {
  const sessions = await Promise.all(sets.map(read))
  const byUpdate = (some: readonly ReadSession[]) =>
    some.toSorted((one, other) => (one.tree.session.updatedAt! < other.tree.session.updatedAt! ? 1 : -1))
  // The expected file has codelia's own order: those in the database first.
  const inDatabase = byUpdate(sessions.filter(({ records }) => records.beside !== undefined))
  const others = byUpdate(sessions.filter(({ records }) => records.beside === undefined))
  expect([...inDatabase, ...others].map(({ tree }) => tree.session.id)).toEqual(store.listOrder)
  expect(sets.filter(({ beside }) => beside !== undefined)).toHaveLength(store.stateDbRows)
})

test.each(['2026/11/30', 'messages', 'state'])('%s claims nothing for itself where the root is open', (folder) => {
  expect(codelia.gathered!(join(sessionsRoot, folder))).toBe(sessionsRoot)
})

describe.each(Object.keys(store.sessions))('session %s', (id) => {
  const want = store.sessions[id]

  test('has its runs, its invocations and its usage', async () => {
    const session = await read(setOf(id))
    await checkRuns(session, want, sessionsRoot)
    expect(session.records.beside).toMatchObject({ last_user_message: want.lastUserMessage })
  })

  test('is resumed from its messages', async () => {
    const set = setOf(id)
    const session = await read(set)
    expect(set.files[0].path).toBe(join(sessionsRoot, want.messagesFile.file))
    const own = session.lines.filter((line) => line.file === 0)
    expect(own).toHaveLength(want.messagesFile.lines)
    expect(own.reduce((sum, line) => sum + line.length, 0)).toBe(want.messagesFile.bytes.entries)
    const { messages, entry } = await codelia.context(session, null)
    expect(entry).toBe(`m${want.messagesFile.lines}`)
    expect(messages.map(printed)).toEqual(want.resumeContext)
  })

  test('has its messages at the times of its runs', async () => {
    const { tree, records } = await read(setOf(id))
    const own = records.entries.flatMap(({ file }, at) => (file === 0 ? [at] : []))
    const timeOf = (at: number) => new Date(tree.time!(at) ?? Number.NaN).toISOString()
    const times = own.map(timeOf)
    // A compaction writes in front of what it keeps.
    const said = own.filter((at) => records.entries[at]!.facts['mark'] === undefined).map(timeOf)
    expect(said).toEqual(said.toSorted())
    const starts = want.runs.map(({ startedAt }: typeof store) => startedAt)
    expect(times.every((time) => time > starts[0])).toBe(true)
    // The last run's prompt and answer.
    expect(times.at(-2)! >= starts.at(-1) && times.at(-1)! > times.at(-2)!).toBe(true)
  })

  test('tells what its compactions left', async () => {
    const session = await read(setOf(id))
    const found = session.records.entries.flatMap(({ kind }, at) => (kind === 'compaction' ? [at] : []))
    expect(found).toHaveLength(want.compactions.length)
    for (const [index, one] of want.compactions.entries()) {
      const at = found[index]!
      expect(session.tree.nodes[at]!.id).toBe(`${one.run}:${one.line}`)
      const [before, after] = await Promise.all([contextAt(session, at - 1), contextAt(session, at)])
      const { covered } = await codelia.compaction(session, at)
      const coveredIds = new Set([...covered!].map((entry) => session.tree.nodes[entry]!.id))
      const fates = fatesOf(before as unknown as Message[], after as unknown as Message[], (source) =>
        coveredIds.has(source)
      )
      expect(before.map((message, position) => `${printed(message)} -> ${fates.before[position]}`)).toEqual(
        one.beforeItems
      )
      expect(after.map((message, position) => `${printed(message)} <- ${fates.after[position]}`)).toEqual(
        one.afterItems
      )
    }
  })

  test('each of its runs stands for itself', async () => {
    for (const run of want.runs) {
      const session = await readPath(codelia, join(sessionsRoot, run.file))
      expect(session.tree.session).toMatchObject({ id, runs: [{ id: run.runId, outcome: run.outcome }] })
      const { entry } = await codelia.context(session, null)
      const kinds = session.records.entries.map(({ kind }) => kind)
      const last = kinds.includes('response') ? kinds.lastIndexOf('response') : kinds.lastIndexOf('request')
      expect(entry).toBe(session.tree.nodes[last === -1 ? kinds.length - 1 : last]!.id)
      expect(session.tree.faults).toEqual([])
    }
  })
})

test.each(Object.keys(store.legacy))('snapshot %s', async (id) => {
  const want = store.legacy[id]
  const session = await read(setOf(id))
  expect(session.tree.session).toMatchObject({
    id,
    title: want.title,
    origin: 'fork',
    runs: [],
    parent: { id: want.forkedFrom, file: join(sessionsRoot, 'messages', `${want.forkedFrom}.jsonl`) }
  })
  const { messages, entry } = await codelia.context(session, null)
  expect(entry).toBe(`m${want.resumeContext.length}`)
  expect(messages.map(printed)).toEqual(want.resumeContext)
})

test('whole outputs of tools are found in the cache', async () => {
  const session = await read(setOf('0f8f6029'))
  const found: Record<string, number> = {}
  for (const [at, { kind, facts }] of session.records.entries.entries()) {
    if (kind !== 'tool-result') continue
    const { facts: told, blocks } = await codelia.blocks(session, at)
    const path = told.find(([name]) => name === 'Whole output')![1]
    expect(path).toBe(join(dirname(sessionsRoot), 'cache', 'tool-output', `${String(facts['call'])}.txt`))
    expect(readFileSync(path, 'utf8')).toBe(blocks[0]!.text)
    found[String(facts['call'])] = Buffer.byteLength(blocks[0]!.text)
  }
  expect(found).toEqual(store.toolOutputCache)
})

describe('the edge cases', () => {
  const edge = join(root, 'edge')
  const runs = Object.keys(expected.edge).filter((name) => expected.edge[name].runs !== undefined)

  test.each(runs)('%s', async (name) => {
    await checkRuns(await readPath(codelia, join(edge, name)), expected.edge[name], edge)
  })

  test('as a folder, its files are copies of one run, each request counted once', async () => {
    const [set, ...others] = claim(listFolder(edge))
    expect(others).toEqual([])
    const session = await read(set!)
    expect(session.tree.session.runs!.map(({ file }) => basename(file))).toEqual(runs.toSorted())
    checkUsage(session, expected.edge._folderUsage)
    expect(new Set(session.tree.nodes.map(({ id }) => id)).size).toBe(session.tree.nodes.length)
  })

  test('a torn file of messages shows the good ones', async () => {
    const { asMessagesFile: want } = expected.edge['messages-torn.jsonl']
    const session = await readPath(codelia, join(edge, 'messages-torn.jsonl'), 'codelia')
    expect(session.records.entries.map(({ role }) => role)).toEqual(want.roles)
    const sizes = Map.groupBy(session.lines, (line) => line.class)
    const bytes = (of: 'entry' | 'fault') => sizes.get(of)!.reduce((sum, line) => sum + line.length, 0)
    expect([bytes('entry'), bytes('fault')]).toEqual([want.bytes.entries, want.bytes.faults])
    expect(session.lines.flatMap((line) => line.faults.map(({ kind }) => ({ line: line.number, kind })))).toEqual(
      want.faults
    )
  })
})
