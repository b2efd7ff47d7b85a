import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dshAnswer, dshEvent, dshLog, dshPrompt, dshPruned, dshResult } from '#e2e/support/dsh-log.ts'
import { type BranchMode, branchModes } from '#shared/contract/branch.ts'
import { calls, type Calls, events, type Events } from '#shared/contract/contract.ts'
import { exportForms } from '#shared/contract/export.ts'
import { groupings } from '#shared/contract/usage.ts'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import type { Client } from '#shared/rpc/client.ts'
import type { InputOf, OutputOf } from '#shared/rpc/types.ts'
import { createEngine } from './create-engine.ts'
import type { Engine } from './types.ts'

// The trash is found when its module is loaded.
vi.hoisted(() => {
  process.env['XDG_DATA_HOME'] = `/tmp/treeline-test-trash-${process.pid}`
})

const fileOf = (...objects: readonly object[]) => objects.map((object) => `${JSON.stringify(object)}\n`).join('')
const header = { type: 'session', version: 3, id: 'one', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' }
const entryOf = (id: string, parentId: string | null, type: string) => ({
  type,
  id,
  parentId,
  timestamp: '2026-01-01T00:00:01.000Z'
})
const text = (content: string) => ({ role: 'user', content: [{ type: 'text', text: content }] })

/** What no sample holds: a picture, a message that was edited, and a tool's result that a compaction rewrote. */
const own = {
  'picture.jsonl': fileOf(header, {
    ...entryOf('a1', null, 'message'),
    message: { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] }
  }),
  'edited.jsonl': fileOf(
    { ...header, id: 'two' },
    { ...entryOf('e1', null, 'message'), message: text('long\nand boring') },
    { ...entryOf('e2', 'e1', 'context_edit'), targetId: 'e1', replacement: text('long\nand short') }
  ),
  'made/session.jsonl': dshLog(
    {},
    dshEvent('turn/start', { turn: 1 }),
    dshPrompt('m1', 'What is in there?'),
    dshEvent('step/start', { turn: 1, step: 1 }),
    dshAnswer('m2', { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{}' }),
    dshEvent('tool/call', { turn: 1, step: 1, callId: 'c1', name: 'bash', arguments: '{}' }),
    dshResult('m3', 'c1', 'long\nand boring', 4),
    dshEvent('compaction/prune', { shadowedRange: { start: 5, end: 5 }, shadowedSeqs: [5], shadowedTokenCount: 3 }),
    dshPruned('m3', 'c1', 'long\nand short', 5),
    dshEvent('step/end', { turn: 1, step: 1 }),
    dshEvent('turn/end', { turn: 1, reason: { kind: 'completed' } })
  )
}

let root: string
let samples: string
let engine: Engine
let client: Client<Calls, Events>
const asked = new Set<string>()
const heard: unknown[] = []

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  samples = join(root, 'samples')
  mkdirSync(join(root, 'out'))
  cpSync(resolve(import.meta.dirname, '../../resources/samples'), samples, { recursive: true })
  mkdirSync(join(samples, 'made'))
  for (const [name, content] of Object.entries(own)) writeFileSync(join(samples, name), content)
  engine = await createEngine({
    index: join(root, 'index.db'),
    dataFolder: join(root, 'data'),
    settings: null,
    samples,
    env: {},
    home: root,
    worker: null,
    watch: false,
    log: (line) => expect.fail(line)
  })
  client = engine.client({
    info: { version: '0', shell: 'electron', why: 'test', nativeDialog: true, reveal: true },
    chooseFolder: () => Promise.resolve(samples),
    chooseTarget: (name) => Promise.resolve(join(root, 'out', name)),
    reveal: () => undefined,
    offerDownload: () => '/download/once'
  })
  for (const name of Object.keys(events) as (keyof Events)[]) {
    client.on(name, (payload) => heard.push(v.parse(events[name], payload)))
  }
})
afterAll(async () => {
  await engine.close()
  rmSync(root, { recursive: true })
  rmSync(process.env['XDG_DATA_HOME']!, { recursive: true, force: true })
})

/** Calls the engine and holds the reply against the contract: what it must have is there, and nothing else. */
async function ask<K extends keyof Calls>(name: K, input: InputOf<Calls, K>): Promise<OutputOf<Calls, K>> {
  asked.add(name)
  const reply = await client.call(name, input)
  const schema: v.GenericSchema<unknown, unknown> = calls[name].output
  expect({ name, reply: v.parse(schema, reply) }).toEqual({ name, reply })
  return reply
}

/** All that is asked of one entry. */
async function askOfEntry(session: SessionKey, at: number, entry: string) {
  await ask('entry.contents', { session, at: [at] })
  const { blocks, branch, append } = await ask('entry.detail', { session, entry })
  for (const [block, { type }] of blocks.entries()) {
    if (type === 'image') await ask('entry.image', { session, entry, block })
    else await ask('entry.text', { session, entry, block, from: 0 })
  }
  await ask('entry.context', { session, entry })
  const { messages } = await ask('context.head', { session, entry })
  await ask('context.messages', { session, entry, from: 0, count: 200 })
  await ask('context.omitted', { session, entry, from: 0, count: 200 })
  if (messages > 0) {
    const index = messages - 1
    const shown = await ask('context.message', { session, entry, index })
    const block = shown.findIndex(({ type }) => type === 'text')
    if (block !== -1) await ask('context.text', { session, entry, index, block, from: 0 })
  }
  await ask('usage.requests', { session, entry })
  await ask('compaction.list', { session, entry })
  await ask('export.preview', { session, entry })
  if (append.label === null) await ask('entry.label', { session, entry, label: 'seen', dryRun: true })
  return { canBranch: branch.kind === 'allowed', canAppend: append.branch === null, canLabel: append.label === null }
}

async function askOfCompactions(session: SessionKey): Promise<void> {
  for (const { entry } of await ask('compaction.list', { session })) {
    await ask('compaction.get', { session, entry })
    const before = await ask('compaction.fates', { session, entry, side: 'before', from: 0, count: 500 })
    await ask('compaction.fates', { session, entry, side: 'after', from: 0, count: 500 })
    for (const [index, { fate }] of before.entries()) {
      if (fate === 'rewritten') await ask('compaction.difference', { session, entry, index })
    }
    await ask('compaction.summary', { session, entry, from: 0 })
    await ask('compaction.find', { session, entry, text: 'e' })
  }
}

async function askToCompare(session: SessionKey, left: string, right: string): Promise<void> {
  const { rows } = await ask('context.compare', { session, left, right })
  const compared = await ask('context.compared', { session, left, right, from: 0, count: Math.min(rows, 200) })
  for (const row of compared) {
    if (row.kind === 'changed') await ask('context.difference', { session, left, right, index: row.left.index })
  }
}

async function askToExport(session: SessionKey, out: FolderKey): Promise<void> {
  for (const as of exportForms) {
    for (const redact of [false, true]) {
      const { name } = await ask('export.preview', { session, as, redact })
      await ask('export.dialog', { session, as, redact, name: `${redact}-${name}` })
      await ask('export.write', { session, as, redact, into: null, name })
      const { written } = await ask('export.write', { session, as, redact, into: out, name: `${session}-${name}` })
      await ask('written.reveal', { written })
      await ask('written.trash', { written })
    }
  }
}

test('every call over every sample session replies as the contract says', async () => {
  await ask('app.info', {})
  await ask('engine.state', {})
  await ask('engine.restart', {})
  await ask('settings.get', {})
  await ask('settings.set', { theme: 'dark' })
  await ask('folder.choose', {})
  const { offered } = await ask('folder.list', {})
  await ask('folder.open', { folder: offered.find(({ sample }) => sample)!.key })
  const page = await ask('picker.list', { at: null })
  const out = page.folders.find(({ name }) => name === 'out')!.key
  await ask('picker.list', { at: out })

  await ask('folder.dialog', {})
  await engine.idle()
  const sessions = await ask('session.list', {})
  expect(sessions).toHaveLength(countOf(samples))
  for (const by of [null, ...groupings]) await ask('usage.stats', { sessions: sessions.map(({ key }) => key), by })

  const modes = new Set<BranchMode>()
  let labels = 0
  for (const { key: session } of sessions) {
    await ask('session.get', { session })
    await ask('session.faults', { session })
    await ask('session.verify', { session })
    await ask('session.reveal', { session })
    await ask('session.replay', { session, turns: 2 })
    await ask('usage.requests', { session })
    const { ids, canFork } = await ask('session.outline', { session })
    await ask('entry.rows', { session, at: [...ids.keys()] })
    for (const file of (await ask('session.files', { session })).keys()) {
      const { lines } = await ask('line.page', { session, file, from: 0, count: 500 })
      for (const { line } of lines) await ask('line.text', { session, file, line, from: 0, limit: 262_144 })
    }
    await ask('entry.context', { session })
    await askOfCompactions(session)
    await askToCompare(session, ids[0]!, ids.at(-1)!)
    await askToExport(session, out)

    // What is appended comes last: all before it is of one revision.
    const branches = new Map<BranchMode, string>()
    let labelled: string | null = null
    for (const [at, entry] of ids.entries()) {
      const { canBranch, canAppend, canLabel } = await askOfEntry(session, at, entry)
      if (canBranch) branches.set('new-file', entry)
      if (canBranch && canAppend) branches.set('in-place', entry)
      if (canLabel) labelled = entry
    }
    if (branches.size > 0 && canFork) branches.set('fork', ids[0]!)
    for (const [mode, entry] of branches) {
      modes.add(mode)
      const request = { session, entry, mode, position: 'after' } as const
      await ask('branch.preview', request)
      const { written } = await ask('branch.write', request)
      if (written !== null) await ask('written.trash', { written })
    }
    if (labelled === null) continue
    labels++
    await ask('entry.label', { session, entry: labelled, label: 'seen', dryRun: false })
  }
  const [opened] = (await ask('folder.list', {})).opened
  await ask('folder.close', { folder: opened!.key })
  expect([...modes].toSorted()).toEqual([...branchModes].toSorted())
  expect(labels).toBeGreaterThan(0)
  expect(Object.keys(calls).filter((name) => !asked.has(name))).toEqual([])
  expect(heard).not.toEqual([])
})

/** Session files in a folder and below. */
const countOf = (folder: string): number =>
  readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.jsonl')).length
