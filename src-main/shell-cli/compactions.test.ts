import { globSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { arbitrarySession } from '#main/formats/omp/arbitrary-session.ts'
import type { Compaction } from '#shared/model/compaction.ts'
import type { Fault } from '#shared/model/fault.ts'
import { checkCompactions } from './testing/check-compactions.ts'
import { answer, entryLine, fileOf, header, toolCall, toolResult, user } from './testing/lines.ts'
import { makeWorkplace } from './testing/treeline.ts'

const workplace = makeWorkplace()
const { treeline, write } = workplace
afterAll(workplace.remove)

interface Printed {
  readonly compactions: readonly Compaction[]
  readonly faults: readonly Fault[]
}

const compactionsOf = async (file: string, ...more: string[]) =>
  (await treeline('compactions', file, '--json', ...more)).json<Printed>()
const fatesOf = (list: Compaction['before']) => list.map(({ source, fate }) => `${source} ${fate}`)
const compaction = (id: string, parent: string | null, kept: string, more: object = {}) =>
  entryLine('compaction', id, parent, { summary: `so far ${id}`, firstKeptEntryId: kept, tokensBefore: 900, ...more })

describe('generated sessions', () => {
  test.each([1, 2, 3] as const)(
    'of version %d: each compaction is its contexts, message by message',
    async (version) => {
      let run = 0
      await fc.assert(
        fc.asyncProperty(arbitrarySession(version), async (text) => {
          const file = write(`generated/${version}-${run++}.jsonl`, text)
          await checkCompactions(treeline, file)
          rmSync(file)
        }),
        { numRuns: 12 }
      )
    },
    60_000
  )
})

test.each(globSync('*.jsonl', { cwd: resolve(import.meta.dirname, '../formats/omp/fixtures') }))(
  '%s: each compaction is its contexts, message by message',
  async (name) => {
    await checkCompactions(treeline, resolve(import.meta.dirname, '../formats/omp/fixtures', name))
  }
)

describe('a compaction', () => {
  test('tells what it kept and summarised, with the recorded figures beside the sums', async () => {
    const file = write(
      'kept.jsonl',
      fileOf(
        header(),
        user('a', null, 'first'),
        answer('b', 'a', 'one'),
        user('c', 'b', 'second'),
        answer('d', 'c', 'two'),
        compaction('k', 'd', 'c'),
        answer('e', 'k', 'on')
      )
    )
    const { compactions, faults } = await compactionsOf(file)
    expect(faults).toEqual([])
    expect(compactions).toMatchObject([
      { entry: 'k', trigger: null, summary: 'so far k', recordedBefore: 900, recordedAfter: null }
    ])
    expect(fatesOf(compactions[0]!.before)).toEqual(['a summarised', 'b summarised', 'c kept', 'd kept'])
    expect(fatesOf(compactions[0]!.after)).toEqual(['k added', 'c kept', 'd kept'])
  })

  test('takes the summary before it into its own, wherever that stands', async () => {
    const file = write(
      'chain.jsonl',
      fileOf(
        header(),
        user('a', null, 'first'),
        user('b', 'a', 'second'),
        compaction('k1', 'b', 'b'),
        user('c', 'k1', 'third'),
        compaction('k2', 'c', 'b', { fromHook: true })
      )
    )
    const { compactions } = await compactionsOf(file)
    expect(compactions.map(({ entry, trigger }) => [entry, trigger])).toEqual([
      ['k1', null],
      ['k2', 'extension']
    ])
    expect(fatesOf(compactions[1]!.before)).toEqual(['k1 summarised', 'b kept', 'c kept'])
    expect((await compactionsOf(file, '--entry', 'c')).compactions.map(({ entry }) => entry)).toEqual(['k1'])
  })

  test('that is the first entry has nothing before it', async () => {
    const file = write('root.jsonl', fileOf(header(), compaction('k', null, 'k')))
    const { compactions } = await compactionsOf(file)
    expect(compactions[0]).toMatchObject({ tokensBefore: 0, before: [] })
    expect(fatesOf(compactions[0]!.after)).toEqual(['k added'])
  })

  test('whose first kept entry is unknown summarises all, with a fault that says so', async () => {
    const file = write('lost.jsonl', fileOf(header(), user('a', null, 'first'), compaction('k', 'a', 'gone')))
    const { compactions, faults } = await compactionsOf(file)
    expect(fatesOf(compactions[0]!.before)).toEqual(['a summarised'])
    expect(faults).toMatchObject([{ kind: 'kept-entry-not-ancestor', entry: 'k', severity: 'warning' }])
  })

  test('drops a system message of the kept range, and rewrites what an edit then changes', async () => {
    const file = write(
      'dropped.jsonl',
      fileOf(
        header(),
        user('a', null, 'first'),
        user('b', 'a', 'second'),
        entryLine('message', 's', 'b', { message: { role: 'system', content: 'rules' } }),
        entryLine('context_edit', 'x', 'a', { targetId: 'b', replacement: { content: 'short' } }),
        toolCall('t', 's', 'call'),
        toolResult('r', 't', 'call', 'found'),
        compaction('k', 'r', 'b')
      )
    )
    const { compactions } = await compactionsOf(file)
    expect(fatesOf(compactions[0]!.before)).toEqual(['a summarised', 'b kept', 's dropped', 't kept', 'r kept'])
  })

  test('has its whole summary, however long', async () => {
    const summary = 'é'.repeat(100_000)
    const file = write('long.jsonl', fileOf(header(), user('a', null, 'x'), compaction('k', 'a', 'a', { summary })))
    expect((await compactionsOf(file)).compactions[0]!.summary).toBe(summary)
  })
})

test('for people each message stands on a line under its fate', async () => {
  const { stdout } = await treeline('compactions', join(workplace.folder, 'kept.jsonl'))
  expect(stdout).toContain('Compaction k')
  expect(stdout).toMatch(/summarised +user +\d+ +first/)
  expect(stdout).toMatch(/2 kept, 2 summarised, 1 added/)
})

test('an entry that is no compaction is never taken for one', async () => {
  const file = write('none.jsonl', fileOf(header(), user('a', null, 'x')))
  expect(await compactionsOf(file)).toEqual({ compactions: [], faults: [] })
  expect((await treeline('compactions', file)).stdout).toBe('No compaction.\n')
})
