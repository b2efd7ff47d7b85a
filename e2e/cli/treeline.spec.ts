import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@playwright/test'

const root = resolve(import.meta.dirname, '../..')
const samples = join(root, 'resources', 'samples')

let place = ''
test.beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-e2e-cli-')))
})
test.afterEach(() => rmSync(place, { recursive: true, force: true }))

/** The built command line as a process of its own, with folders of its own. */
function start(argv: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [join(root, 'out', 'main', 'cli.js'), ...argv], {
    cwd: place,
    env: {
      PATH: process.env['PATH'],
      HOME: place,
      XDG_CACHE_HOME: join(place, 'cache'),
      XDG_DATA_HOME: join(place, 'data'),
      ...env
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
}

async function run(argv: readonly string[], env: Record<string, string> = {}) {
  const child = start(argv, env)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')])
  return { stdout, stderr, code: code as number | null }
}

/** A session whose `show` is some megabytes long, more than any pipe holds. */
function longSession(): string {
  const header = { type: 'session', version: 3, id: 'long', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' }
  const entry = (at: number) => ({
    type: 'message',
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: `message ${at} ${'x'.repeat(150)}` }
  })
  const path = join(place, 'long.jsonl')
  writeFileSync(
    path,
    [header, ...Array.from({ length: 10_000 }, (_, at) => entry(at))]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  )
  return path
}

test('prints one JSON value, keeps its index in the cache folder, and needs it for nothing but time', async () => {
  const first = await run(['list', samples, '--json'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(first.stdout).sessions).toHaveLength(5)
  expect(readdirSync(join(place, 'cache', 'treeline'))).toContain('index.db')
  rmSync(join(place, 'cache'), { recursive: true })
  expect((await run(['list', samples, '--json'])).stdout).toBe(first.stdout)
  expect((await run(['list', samples, '--json'])).stdout).toBe(first.stdout)
})

test('a private index leaves nothing behind', async () => {
  const { code } = await run(['list', samples, '--json', '--index', ':memory:'], { TMPDIR: place })
  expect(code).toBe(0)
  expect(existsSync(join(place, 'cache'))).toBe(false)
  expect(existsSync(join(place, ':memory:'))).toBe(false)
  expect(readdirSync(place).filter((name) => name !== 'data' && name !== 'node-compile-cache')).toEqual([])
})

test('two at once share an index', async () => {
  const both = await Promise.all([run(['list', samples, '--json']), run(['list', samples, '--json'])])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(both[0].stdout).toBe(both[1].stdout)
})

test('relative paths begin where npm was called', async () => {
  mkdirSync(join(place, 'else', 'where'), { recursive: true })
  const sample = join(place, 'else', 'where', 'a.jsonl')
  writeFileSync(sample, '{"type":"session","version":3,"id":"a","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}\n')
  const { stdout, code } = await run(['show', 'where/a.jsonl', '--json'], { INIT_CWD: join(place, 'else') })
  expect(code).toBe(0)
  expect(JSON.parse(stdout).session.file).toBe(sample)
})

test('wrong usage, a missing file and a damaged one have their own exit codes', async () => {
  expect(await run(['frobnicate'])).toMatchObject({ code: 2, stdout: '' })
  expect(await run(['show', 'gone.jsonl'])).toMatchObject({ code: 1, stdout: '' })
  expect(await run(['verify', samples])).toMatchObject({ code: 1 })
  expect(await run(['--help'])).toMatchObject({ code: 0, stderr: '' })
})

test('a long answer is whole, whatever the pace of the reader', async () => {
  const file = longSession()
  const child = start(['show', file, '--json'])
  const exited = once(child, 'exit')
  await once(child.stdout!, 'readable')
  const stdout = await text(child.stdout!)
  expect(JSON.parse(stdout).entries).toHaveLength(10_000)
  expect(stdout.length).toBeGreaterThan(2_000_000)
  expect(await exited).toEqual([0, null])
})

test('a reader that has seen enough is no error', async () => {
  const child = start(['show', longSession(), '--json'])
  const stderr = text(child.stderr!)
  const exited = once(child, 'exit')
  await once(child.stdout!, 'data')
  child.stdout!.destroy()
  expect(await exited).toEqual([0, null])
  expect(await stderr).toBe('')
})

test('an interrupt ends it with 130', async () => {
  const child = start(['show', longSession(), '--json'])
  const stderr = text(child.stderr!)
  const exited = once(child, 'exit')
  // It waits for a reader by then.
  await once(child.stdout!, 'readable')
  child.kill('SIGINT')
  child.stdout!.resume()
  expect(await exited).toEqual([130, null])
  expect(await stderr).toBe('')
})
