import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@playwright/test'
import { type CodeliaStore, codeliaStore } from '#e2e/support/codelia-store.ts'
import { type Home, makeHome } from '#e2e/support/home.ts'

const root = resolve(import.meta.dirname, '../..')

let home: Home
let store: CodeliaStore
test.beforeEach(() => {
  home = makeHome()
  store = codeliaStore(home)
})
test.afterEach(() => home[Symbol.dispose]())

/** The built command line as a process of its own. */
async function run(...argv: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'out', 'main', 'cli.js'), ...argv, '--json'], {
    cwd: home.path,
    env: { PATH: process.env['PATH'], HOME: home.path, XDG_CACHE_HOME: join(home.path, 'cache') },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')])
  return { json: JSON.parse(stdout), stderr, code: code as number | null }
}

function filesBelow(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    found.map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return [join(parentPath, name), createHash('sha256').update(bytes).digest('hex')]
    })
  )
}

test('a store is listed, shown, compacted, counted and verified, and stays as it was', async () => {
  const before = filesBelow(store.root)
  const { json: list } = await run('list', store.root)
  expect(list.sessions).toMatchObject([
    { agent: 'codelia', title: 'Why does the queue stall?', origin: 'fork' },
    {
      agent: 'codelia',
      file: store.messages,
      title: 'Why does the queue stall?',
      cwd: '/home/dev/queue',
      runs: [{ outcome: 'completed' }, { outcome: 'completed' }, { outcome: null }]
    }
  ])
  expect(list.faults).toMatchObject([{ kind: 'request-response-mismatch', file: store.runs[1], line: 6 }])
  const { json: shown } = await run('show', store.messages)
  expect(shown.entries).toHaveLength(50)
  expect(shown.defaultLeaf).toEqual({ id: 'm7', reason: 'only-leaf' })
  const { json: compacted } = await run('compactions', store.messages)
  expect(compacted.compactions[0].after.map(({ fate }: { fate: string }) => fate)).toEqual([
    'kept',
    'added',
    'added',
    'kept',
    'rewritten'
  ])
  const { json: stats } = await run('stats', store.messages)
  expect(stats.totals).toMatchObject({ requests: 5, unknown: 1, total: 835 })
  expect((await run('verify', store.root)).code).toBe(1)
  expect(filesBelow(store.root)).toEqual(before)
})

test('a run alone is shown, branched from and exported', async () => {
  const [first] = store.runs
  const { json: context } = await run('context', first)
  expect(context.messages.map(({ role }: { role: string }) => role)).toEqual([
    'system',
    'user',
    'reasoning',
    'assistant',
    'tool',
    'assistant'
  ])
  const before = filesBelow(store.root)
  const { json: branch } = await run('branch', first, '--entry', context.entry)
  expect(branch).toMatchObject({
    file: join(store.root, 'state', `${branch.sessionId}.json`),
    resume: `cd /home/dev/queue && codelia --resume ${branch.sessionId}`
  })
  const { [branch.file]: _, ...others } = filesBelow(store.root)
  expect(others).toEqual(before)
  const { json: there } = await run('context', branch.file)
  expect(there.messages).toHaveLength(5)
  const out = join(home.path, 'out.jsonl')
  await run('export', first, '--as', 'jsonl', '--out', out)
  expect(readFileSync(out).equals(readFileSync(first))).toBe(true)
})
