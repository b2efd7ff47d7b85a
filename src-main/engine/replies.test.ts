import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { calls, type Calls, events, type Events } from '#shared/contract/contract.ts'
import type { Client } from '#shared/rpc/client.ts'
import type { InputOf, OutputOf } from '#shared/rpc/types.ts'
import { createEngine } from './create-engine.ts'
import type { Engine } from './types.ts'

// The trash is found when its module is loaded.
vi.hoisted(() => {
  process.env['XDG_DATA_HOME'] = `/tmp/treeline-test-trash-${process.pid}`
})

/** The one thing that no sample holds. */
const picture = [
  { type: 'session', version: 3, id: 'picture', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' },
  {
    type: 'message',
    id: 'a1',
    parentId: null,
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] }
  }
]
  .map((object) => `${JSON.stringify(object)}\n`)
  .join('')

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
  writeFileSync(join(samples, 'picture.jsonl'), picture)
  engine = await createEngine({
    index: join(root, 'index.db'),
    dataFolder: join(root, 'data'),
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

test('every call over every sample session replies as the contract says', async () => {
  await ask('app.info', {})
  const { offered } = await ask('folder.list', {})
  await ask('folder.open', { folder: offered.find(({ sample }) => sample)!.key })
  const page = await ask('picker.list', { at: null })
  const out = page.folders.find(({ name }) => name === 'out')!.key
  await ask('picker.list', { at: out })

  await ask('folder.dialog', {})
  await engine.idle()
  const sessions = await ask('session.list', {})
  expect(sessions).toHaveLength(6)
  let branches = 0
  for (const { key: session } of sessions) {
    await ask('session.get', { session })
    await ask('session.faults', { session })
    await ask('session.verify', { session })
    await ask('session.reveal', { session })
    const { ids } = await ask('session.outline', { session })
    await ask('entry.rows', { session, at: [...ids.keys()] })
    const { lines } = await ask('line.page', { session, from: 0, count: 500 })
    for (const { line } of lines) await ask('line.text', { session, line, from: 0, limit: 262_144 })

    let branchPoint: string | null = null
    for (const entry of ids) {
      const { blocks, branch } = await ask('entry.detail', { session, entry })
      for (const [block, { type }] of blocks.entries()) {
        if (type === 'image') await ask('entry.image', { session, entry, block })
        else await ask('entry.text', { session, entry, block, from: 0 })
      }
      await ask('entry.context', { session, entry })
      await ask('export.preview', { session, entry })
      if (branch.kind === 'refused') continue
      await ask('branch.preview', { session, entry, position: 'after' })
      branchPoint = entry
    }
    if (branchPoint !== null) {
      branches++
      await ask('branch.write', { session, entry: branchPoint, position: 'after' })
    }

    await ask('entry.context', { session })
    const { name } = await ask('export.preview', { session })
    await ask('export.dialog', { session, name: `${session}-${name}` })
    await ask('export.write', { session, into: null, name })
    const { written } = await ask('export.write', { session, into: out, name })
    await ask('written.reveal', { written })
    await ask('written.trash', { written })
  }
  const [opened] = (await ask('folder.list', {})).opened
  await ask('folder.close', { folder: opened!.key })
  expect(branches).toBeGreaterThan(0)
  expect(Object.keys(calls).filter((name) => !asked.has(name))).toEqual([])
  expect(heard).not.toEqual([])
})
