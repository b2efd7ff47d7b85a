import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ShellPowers } from './types.ts'
import { createEngine } from './create-engine.ts'

let root: string
const running: { close(): Promise<void> }[] = []
const powers: ShellPowers = {
  info: { version: '0', shell: 'none', why: 'test', nativeDialog: true, reveal: false },
  chooseFolder: async () => join(root, 'one')
}

async function start() {
  const log: string[] = []
  const engine = await createEngine({
    index: ':memory:',
    dataFolder: join(root, 'data'),
    settings: join(root, 'data', 'settings.json'),
    samples: null,
    env: {},
    home: root,
    worker: null,
    watch: false,
    log: (line) => log.push(line)
  })
  running.push(engine)
  return { engine, client: engine.client(powers), log }
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-kept-')))
  for (const name of ['one', 'two']) mkdirSync(join(root, name))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((engine) => engine.close()))
  rmSync(root, { recursive: true })
})

test('what is set holds at the next start, and every window is told', async () => {
  const first = await start()
  let told = 0
  first.engine.client(powers).on('settings.changed', () => told++)
  expect(await first.client.call('settings.set', { theme: 'dark', libraryWidth: 300 })).toMatchObject({ theme: 'dark' })
  await expect.poll(() => told).toBe(1)
  const second = await start()
  expect(await second.client.call('settings.get', {})).toEqual({
    settings: {
      theme: 'dark',
      contrast: 'system',
      density: 'comfortable',
      libraryWidth: 300,
      inspectorWidth: null,
      libraryGroup: 'project',
      librarySort: 'date',
      libraryProject: null
    },
    problem: null
  })
})

test('only what is a setting can be set', async () => {
  const { client } = await start()
  const refused = { code: 'invalid-input' }
  await expect(client.call('settings.set', { theme: 'pink' as 'dark' })).rejects.toMatchObject(refused)
  await expect(client.call('settings.set', { openFolders: ['/'] } as object)).rejects.toMatchObject(refused)
})

test('the folders that are open are opened again, and those that are gone are listed as gone', async () => {
  const first = await start()
  await first.engine.openFolder(join(root, 'one'))
  const two = await first.engine.openFolder(join(root, 'two'))
  await first.engine.idle()
  rmSync(join(root, 'one'), { recursive: true })
  const second = await start()
  await second.engine.reopenFolders()
  await second.engine.idle()
  expect((await second.client.call('folder.list', {})).opened).toMatchObject([
    { path: join(root, 'one'), state: 'gone' },
    { path: join(root, 'two'), state: 'ready' }
  ])
  await second.client.call('folder.close', { folder: two })
  await second.engine.idle()
  const third = await start()
  await third.engine.reopenFolders()
  expect((await third.client.call('folder.list', {})).opened.map(({ path }) => path)).toEqual([join(root, 'one')])
})

test('folders that were opened before are offered first, the latest first', async () => {
  const { engine, client } = await start()
  for (const name of ['one', 'two', 'one']) await engine.openFolder(join(root, name))
  await engine.idle()
  expect((await client.call('folder.list', {})).offered).toMatchObject([
    { path: join(root, 'one'), label: 'one', recent: true },
    { path: join(root, 'two'), label: 'two', recent: true }
  ])
})

test('a file of settings that makes no sense is kept aside, and said', async () => {
  mkdirSync(join(root, 'data'))
  writeFileSync(join(root, 'data', 'settings.json'), '{"theme":"pink"}')
  const { client } = await start()
  const { settings, problem } = await client.call('settings.get', {})
  expect(settings.theme).toBe('system')
  const aside = /kept as (\S+);/.exec(problem ?? '')?.[1]
  expect(readFileSync(aside!, 'utf8')).toBe('{"theme":"pink"}')
})

test('a folder chosen as a target is named, and not opened', async () => {
  const { client } = await start()
  expect(await client.call('folder.choose', {})).toMatchObject({ path: join(root, 'one') })
  expect((await client.call('folder.list', {})).opened).toEqual([])
})
