import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Truth, writeChain, writeImages, writeLibrary, writeLongSession } from './sessions.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-bench-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Entry {
  readonly type: string
  readonly id?: string
  readonly parentId?: string | null
  readonly message?: { readonly usage?: Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number>> }
}

/** What the file itself says, read without any of ours. */
function counted(path: string): Truth {
  const [, ...entries] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
  const parents = new Set(entries.map(({ parentId }) => parentId))
  const usages = entries.flatMap(({ message }) => message?.usage ?? [])
  const sum = (member: 'input' | 'output' | 'cacheRead' | 'cacheWrite') =>
    usages.reduce((total, usage) => total + usage[member], 0)
  return {
    bytes: statSync(path).size,
    entries: entries.length,
    leaves: entries.filter(({ id }) => !parents.has(id)).length,
    compactions: entries.filter(({ type }) => type === 'compaction').length,
    requests: usages.length,
    input: sum('input'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
    output: sum('output')
  }
}

test('a long session is as long as asked, and what is known of it is so', () => {
  const path = join(folder, 'long.jsonl')
  const truth = writeLongSession(path, 20_000_000)
  expect(truth).toEqual(counted(path))
  expect(truth.bytes / 20_000_000).toBeCloseTo(1, 1)
  expect(truth).toMatchObject({ compactions: 2, leaves: 2 })
})

test('pictures, a chain and a library of sessions are what is said of them', () => {
  const images = writeImages(join(folder, 'images.jsonl'), 5, 3000)
  expect(images).toEqual(counted(join(folder, 'images.jsonl')))
  expect(images).toMatchObject({ entries: 15, requests: 5 })
  const chain = writeChain(join(folder, 'chain.jsonl'), 1000)
  expect(chain).toEqual(counted(join(folder, 'chain.jsonl')))
  expect(chain).toMatchObject({ entries: 1000, leaves: 1 })
  expect(writeLibrary(join(folder, 'many'), 3)).toEqual(
    [0, 1, 2].map((at) => counted(join(folder, `many/${at}.jsonl`)))
  )
})

test('the same is made in every run', () => {
  const first = writeLongSession(join(folder, 'first.jsonl'), 500_000)
  expect(writeLongSession(join(folder, 'second.jsonl'), 500_000)).toEqual(first)
})
