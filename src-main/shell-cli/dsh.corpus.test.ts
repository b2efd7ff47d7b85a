import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import { makeWorkplace, type Workplace } from './testing/treeline.ts'

const root = join(corpus!, 'dsh')
const logs = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter(({ name }) => /^session.*\.jsonl(?:\.zstd)?$/.test(name))
  .map(({ parentPath, name }) => join(parentPath, name))

let place: Workplace
beforeAll(() => {
  place = makeWorkplace()
})
afterAll(() => place.remove())

interface Shown {
  readonly session: { readonly id: string; readonly agent: string; readonly entries: number }
  readonly entries: readonly { readonly id: string; readonly parent: string | null; readonly bytes: unknown }[]
}

/** What the commands print, with the exit code that they must have. */
async function json<T>(expected: number, ...argv: readonly string[]): Promise<T> {
  const { exitCode, stderr, json: value } = await place.treeline(...argv, '--json')
  expect([exitCode, exitCode === expected ? '' : stderr]).toEqual([expected, ''])
  return value<T>()
}

test('a folder lists each session once, by its highest generation', async () => {
  const { sessions, faults } = await json<{ sessions: { file: string }[]; faults: { kind: string }[] }>(0, 'list', root)
  const folders = new Set(logs.map((path) => dirname(path)))
  expect(sessions.map(({ file }) => dirname(file)).toSorted()).toEqual([...folders].toSorted())
  for (const { file } of sessions) {
    if (file.includes('root-multi-generation')) expect(basename(file)).toBe('session.v3.jsonl')
  }
  expect(faults.map(({ kind }) => kind)).not.toContain('unsupported-store')
})

describe.each(logs.map((path) => [path.slice(root.length + 1), path] as const))('%s', (_, path) => {
  const about = [path, '--agent', 'dsh'] as const

  test('its bytes are all counted, and its entries are a chain of numbers', async () => {
    const { exitCode, json: value } = await place.treeline('verify', ...about, '--json')
    const { bytes, findings } = value<{
      bytes: Record<'entries' | 'faults' | 'blank' | 'total', number>
      findings: { severity: string }[]
    }>()
    expect(bytes.total).toBe(statSync(path).size)
    expect(bytes.entries + bytes.faults + bytes.blank).toBe(bytes.total)
    expect(exitCode).toBe(findings.some(({ severity }) => severity !== 'info') ? 1 : 0)
    const { session, entries } = await json<Shown>(0, 'show', ...about)
    expect(entries).toHaveLength(session.entries)
    expect(entries.map(({ id, parent }) => [id, parent])).toEqual(
      entries.map((__, at) => [String(at), at === 0 ? null : String(at - 1)])
    )
  })

  test('every command answers', async () => {
    const { session } = await json<Shown>(0, 'show', ...about)
    const { totals } = await json<{ totals: { total: number | null } }>(0, 'stats', ...about)
    const { requests } = await json<{
      requests: { kind: string; inherited: boolean; usage: { total: number | null } }[]
    }>(0, 'cache', ...about)
    const counted = requests.filter(({ kind, inherited }) => kind !== 'auxiliary' && !inherited)
    expect(counted.reduce((sum, { usage }) => sum + (usage.total ?? 0), 0)).toBe(totals.total ?? 0)
    await json(0, 'context', ...about)
    await json(0, 'compactions', ...about)
    await json(0, 'replay', ...about)
    const out = join(place.folder, `${basename(path)}-${session.id}-${Math.random()}.jsonl`)
    const { bytes } = await json<{ bytes: number }>(0, 'export', ...about, '--as', 'jsonl', '--out', out)
    const exported = readFileSync(out)
    expect(exported).toHaveLength(bytes)
    if (!path.endsWith('.zstd')) expect(exported.equals(readFileSync(path))).toBe(true)
  })
})

test('an older generation is read where the person says so, and else named for what it is', async () => {
  const folder = join(root, 'root-multi-generation', '--home-user-project--', 'compaction-recovery')
  const older = join(folder, 'session.v2.jsonl')
  const { exitCode, stderr } = await place.treeline('show', older)
  expect(exitCode).toBe(1)
  expect(stderr).toContain('session.v3.jsonl')
  expect((await json<Shown>(0, 'show', folder)).entries).toHaveLength(23)
  expect((await json<Shown>(0, 'show', older, '--agent', 'dsh')).session.agent).toBe('dsh')
})
