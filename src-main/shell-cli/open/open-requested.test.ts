import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Engine, ShellPowers } from '#main/engine/types.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { openRequested } from './open-requested.ts'

const folder = mkdtempSync(join(tmpdir(), 'treeline-open-'))
const file = join(folder, 'a.jsonl')
writeFileSync(file, '')

function opened() {
  const log: unknown[] = []
  const engine = {
    openFolder: async (path: string) => void log.push(['folder', path]),
    reopenFolders: async () => void log.push(['again']),
    openFile: async (...both: unknown[]) => {
      log.push(['file', ...both])
      return 'k&y'
    },
    client: () => ({
      async call(name: string, input: { readonly entry?: string; readonly agent?: string }) {
        log.push([name, input])
        if (input.entry === 'missing' || input.agent === 'omp')
          throw new Refusal('not-found', 'There is no such entry.')
      }
    })
  } as unknown as Engine
  const open = (target: Parameters<typeof openRequested>[2]) => openRequested(engine, {} as ShellPowers, target)
  return { log, open }
}

test('without a path the folders of the last time are opened', async () => {
  const { log, open } = opened()
  expect(await open({ path: null, entry: null, agent: null })).toBe('')
  expect(log).toEqual([['again']])
})

test('a folder is opened; the page decides what to select', async () => {
  const { log, open } = opened()
  expect(await open({ path: folder, entry: null, agent: null })).toBe('')
  expect(log).toEqual([['folder', folder]])
})

test('a file is opened and the query names its session, entry and agent', async () => {
  const { log, open } = opened()
  expect(await open({ path: file, entry: null, agent: null })).toBe('?session=k%26y')
  expect(await open({ path: file, entry: 'e', agent: 'pi' })).toBe('?session=k%26y&entry=e&agent=pi')
  expect(log).toEqual([
    ['file', file, null, 'shown'],
    ['entry.rows', { session: 'k&y', at: [] }],
    ['file', file, 'pi', 'read'],
    ['entry.detail', { session: 'k&y', entry: 'e', agent: 'pi' }]
  ])
})

test('a file that cannot be put together is opened all the same: the window says why', async () => {
  const { log, open } = opened()
  const unreadable = join(folder, 'unreadable.jsonl')
  writeFileSync(unreadable, '')
  expect(await open({ path: unreadable, entry: null, agent: 'omp' })).toBe('?session=k%26y&agent=omp')
  expect(log.at(-1)).toEqual(['entry.rows', { session: 'k&y', agent: 'omp', at: [] }])
})

test('what is not there is refused by its name', async () => {
  const { open } = opened()
  const path = join(folder, 'none')
  await expect(open({ path, entry: null, agent: null })).rejects.toMatchObject({ code: 'not-found', file: path })
  await expect(open({ path: file, entry: 'missing', agent: null })).rejects.toMatchObject({ code: 'not-found' })
  await expect(open({ path: folder, entry: 'e', agent: null })).rejects.toMatchObject({ code: 'invalid-input' })
})
