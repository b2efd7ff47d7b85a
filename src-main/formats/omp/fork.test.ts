import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchBytes, type ReadSession, readPath, readSession, readText } from '../testing.ts'
import { arbitrarySession } from './arbitrary-session.ts'
import { planOmpFork } from './fork.ts'
import { omp } from './index.ts'

const now = new Date('2026-12-01T10:20:30.456Z')
const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name)

async function forkOf(session: ReadSession, bytes: Buffer) {
  const plan = await planOmpFork(session, { now, into: null })
  const written = branchBytes(plan.files[0].pieces, [bytes])
  return { plan, lines: written.toString().split('\n').slice(0, -1), written }
}

async function forkOfFixture(name: string) {
  return forkOf(await readPath(omp, fixture(name)), readFileSync(fixture(name)))
}

test('a fork of a pi session is a header that names its path, and every line as it is', async () => {
  const { plan, lines } = await forkOfFixture('pi-branches.jsonl')
  expect(JSON.parse(lines[0]!)).toEqual({
    type: 'session',
    version: 3,
    id: plan.sessionId,
    timestamp: '2026-12-01T10:20:30.456Z',
    cwd: '/home/dev/queue',
    parentSession: fixture('pi-branches.jsonl')
  })
  expect(lines.slice(1)).toEqual(readFileSync(fixture('pi-branches.jsonl'), 'utf8').trimEnd().split('\n').slice(1))
  expect(plan).toMatchObject({ entries: lines.length - 1, resume: expect.stringContaining('pi --session') })
})

test('a fork of an omp session names its id, and keeps the key of the provider’s cache', async () => {
  const header = { type: 'session', version: 3, id: 'old', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/' }
  const entry = '{"type":"custom","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","customType":"x"}'
  const lineage = async (more: object) => {
    const text = `${JSON.stringify({ ...header, ...more })}\n${entry}\n`
    const { lines } = await forkOf(await readText(omp, text, 'omp'), Buffer.from(text))
    expect(Buffer.byteLength(`${lines[0]}\n`)).toBe(256)
    const { parentSession, providerPromptCacheKey } = JSON.parse(lines[1]!)
    return [parentSession, providerPromptCacheKey]
  }
  expect(await lineage({})).toEqual(['old', 'old'])
  expect(await lineage({ providerPromptCacheKey: 'key' })).toEqual(['old', 'key'])
})

test('entries of the first version get ids, parents and what compactions keep by id', async () => {
  const { lines } = await forkOfFixture('first-version.jsonl')
  const entries = lines.slice(1).map((line) => JSON.parse(line))
  expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...entries.slice(0, -1).map(({ id }) => id)])
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  expect(lines.join('\n')).not.toContain('firstKeptEntryIndex')
})

test('messages of hooks in the second version become custom ones, all else stays', async () => {
  const { lines } = await forkOfFixture('second-version.jsonl')
  const source = readFileSync(fixture('second-version.jsonl'), 'utf8').trimEnd().split('\n').slice(1)
  for (const [index, line] of lines.slice(1).entries()) {
    expect(JSON.parse(line)).toEqual(JSON.parse(source[index]!.replace('"hookMessage"', '"custom"')))
  }
})

test('what the agent would not load is not forked', async () => {
  const session = await readPath(omp, fixture('no-header.jsonl'))
  await expect(planOmpFork(session, { now, into: null })).rejects.toMatchObject({ code: 'not-resumable' })
})

describe.each([
  [1, 'pi'],
  [2, 'pi'],
  [3, 'pi'],
  [3, 'omp']
] as const)('any session of version %i, as %s', (version, agent) => {
  test('has the same context at every entry of its fork', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(version), async (text) => {
        const session = await readText(omp, text, agent)
        fc.pre(session.records.entries.length > 0)
        const plan = await planOmpFork(session, { now, into: null }).catch(() => null)
        fc.pre(plan !== null)
        const bytes = branchBytes(plan!.files[0].pieces, [Buffer.from(text)])
        const fork = await readSession(omp, omp.force(plan!.files[0].path, agent), [bytes])
        expect(fork.records.entries).toHaveLength(session.records.entries.length)
        for (const at of session.records.entries.keys()) {
          const [there, here] = [await omp.context(fork, at), await omp.context(session, at)]
          const plain = ({ messages, model, thinking }: typeof here) => ({
            model,
            thinking,
            messages: messages.map((message) => ({ ...message, sources: [] }))
          })
          expect(plain(there)).toEqual(plain(here))
        }
      }),
      { numRuns: 40 }
    )
  })
})
