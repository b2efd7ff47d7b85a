import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formats } from '#main/formats/registry.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { createEngine } from './create-engine.ts'
import type { Engine } from './types.ts'

const json = (...objects: object[]) => objects.map((object) => `${JSON.stringify(object)}\n`).join('')
const omp = (id: string) =>
  json(
    { type: 'session', version: 3, id, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/w' },
    {
      type: 'message',
      id: 'a1',
      parentId: null,
      timestamp: '2026-01-01T00:00:01.000Z',
      message: { role: 'user', content: 'hi' }
    }
  )
const session = '7d2f0c61-52a4-4b1e-9d1a-3c5b7f6e8a90'
const runId = '0b9f4c1e-8f3d-4c27-a5b6-2d1e7f8a9b0c'
const time = '2026-01-02T03:04:05.000Z'
const run = [
  { type: 'header', schema_version: 1, run_id: runId, session_id: session, started_at: time },
  { type: 'run.start', run_id: runId, ts: time, session_id: session, input: { type: 'text', text: 'hi' } },
  { type: 'run.end', run_id: runId, ts: time, outcome: 'completed' }
]
const dsh = { type: 'session', version: 0, id: 'd1', createdAt: 1_767_225_600_000, cwd: '/w', delegationDepth: 0 }

/** Each session of the home by its main file, and what else belongs to it. */
const sessions: readonly {
  readonly agent: AgentId
  readonly main: string
  readonly files: Readonly<Record<string, string>>
}[] = [
  { agent: 'pi', main: '.pi/agent/sessions/p/1_x.jsonl', files: { '.pi/agent/sessions/p/1_x.jsonl': omp('x') } },
  { agent: 'omp', main: '.omp/agent/sessions/p/1_y.jsonl', files: { '.omp/agent/sessions/p/1_y.jsonl': omp('y') } },
  {
    agent: 'codelia',
    main: `.codelia/sessions/messages/${session}.jsonl`,
    files: {
      [`.codelia/sessions/messages/${session}.jsonl`]: json({ role: 'user', content: 'hi' }),
      [`.codelia/sessions/2026/01/02/${runId}.jsonl`]: json(...run)
    }
  },
  {
    agent: 'dsh',
    main: '.dsh/sessions/--w--/d1/session.jsonl',
    files: { '.dsh/sessions/--w--/d1/session.jsonl': json(dsh) }
  },
  {
    agent: 'shell-agent',
    main: '.bash-agent/projects/-w/s1/conversation.jsonl',
    files: {
      '.bash-agent/projects/-w/s1/conversation.jsonl': json({ role: 'user', content: 'hi' }),
      '.bash-agent/projects/-w/s1/events.jsonl': json({ type: 'session_start', session_id: 's1' }),
      '.bash-agent/projects/-w/s1/summary.txt': '',
      '.bash-agent/projects/-w/s1/plan.md': '',
      '.bash-agent/projects/-w/s1/plan.draft': '',
      '.bash-agent/projects/-w/s1/stats.json': ''
    }
  },
  { agent: 'pi', main: 'work/notes/copy.jsonl', files: { 'work/notes/copy.jsonl': omp('copy') } }
]
/** Trees of other programs, and files that are none of ours. */
const foreign = [
  '.cache/tool/deep/z.jsonl',
  '.vscode/z.jsonl',
  '.git/z.jsonl',
  'work/node_modules/m/z.jsonl',
  'work/.git/z.jsonl',
  '.codelia/auth.json',
  '.omp/agent/blobs/z.jsonl'
]

let base: string
let home: string
let engine: Engine | undefined
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
  home = join(base, 'home')
  for (const { files } of sessions) for (const [name, text] of Object.entries(files)) write(name, text)
  for (const name of foreign) write(name, omp('z'))
})
afterEach(async () => {
  await engine?.close()
  rmSync(base, { recursive: true })
})

/** A file that has been left alone for long. */
function write(name: string, text: string): void {
  const path = join(home, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  utimesSync(path, 1_767_225_600, 1_767_225_600)
}

async function list(): Promise<readonly SessionRow[]> {
  await engine?.close()
  const options = { dataFolder: join(base, 'data'), settings: null, samples: null, env: {}, worker: null, watch: false }
  engine = await createEngine({ ...options, home, index: join(base, 'index.db'), log: expect.unreachable }, formats)
  await engine.openFolder(home)
  await engine.idle()
  return client().call('session.list', {})
}

const client = () =>
  engine!.client({ info: { version: '0', shell: 'none', why: 'test', nativeDialog: false, reveal: false } })

interface Touched {
  readonly how: 'list' | 'look' | 'open'
  readonly path: string
}

const calls = {
  readdirSync: 'list',
  lstatSync: 'look',
  statSync: 'look',
  openSync: 'open',
  readFileSync: 'open',
  copyFileSync: 'open'
} as const
const promised = {
  readdir: 'list',
  stat: 'look',
  lstat: 'look',
  open: 'open',
  readFile: 'open',
  copyFile: 'open'
} as const

/** What of the home is touched while something is done, by way of the system's calls. */
async function touching(act: () => Promise<unknown>): Promise<readonly Touched[]> {
  const touched: Touched[] = []
  const undo: (() => void)[] = []
  const spy = (module: object, names: Readonly<Record<string, Touched['how']>>) => {
    const functions = module as Record<string, (...given: unknown[]) => unknown>
    for (const [name, how] of Object.entries(names)) {
      const original = functions[name]!
      functions[name] = (path, ...more) => {
        if (typeof path === 'string' && path.startsWith(home)) touched.push({ how, path: relative(home, path) })
        return original(path, ...more)
      }
      undo.push(() => (functions[name] = original))
    }
  }
  spy(fs, calls)
  spy(fs.promises, promised)
  syncBuiltinESMExports()
  try {
    await act()
  } finally {
    undo.forEach((put) => put())
    syncBuiltinESMExports()
  }
  return touched
}

test('a home with every store below it shows each session in its place', async () => {
  const rows = await list()
  const found = rows.map(({ agent, file }) => `${agent} ${relative(home, file)}`)
  expect(found.toSorted()).toEqual(sessions.map(({ agent, main }) => `${agent} ${main}`).toSorted())
  expect(await client().call('folder.list', {})).toMatchObject({
    opened: [{ state: 'ready', sessions: 6, faults: [] }]
  })
})

test('known places come first, and no tree of another program is entered', async () => {
  const touched = await touching(list)
  const listed = touched.filter(({ how }) => how === 'list').map(({ path }) => path)
  const places = [
    '.pi/agent/sessions',
    '.omp/agent/sessions',
    '.codelia/sessions',
    '.dsh/sessions',
    '.bash-agent/projects'
  ]
  const last = Math.max(...places.map((place) => listed.indexOf(place)))
  expect(places.every((place) => listed.includes(place))).toBe(true)
  expect(listed.indexOf('')).toBeGreaterThan(last)
  expect(listed.indexOf('work')).toBeGreaterThan(last)
  const entered = touched.filter(({ path }) => foreign.some((one) => path === one || path === dirname(one)))
  expect(entered.filter(({ path }) => path !== '.codelia')).toEqual([])
})

test('once it is indexed, listing it again costs one look at each file, and opens none', async () => {
  let before: readonly SessionRow[] = []
  const cold = await touching(async () => (before = await list()))
  for (const { main } of sessions) expect(cold).toContainEqual({ how: 'open', path: main })
  const touched = await touching(async () => expect(await list()).toEqual(before))
  expect(touched.filter(({ how }) => how === 'open')).toEqual([])
  for (const name of sessions.flatMap(({ files }) => Object.keys(files))) {
    expect(touched.filter(({ path }) => path === name)).toEqual([{ how: 'look', path: name }])
  }
})
