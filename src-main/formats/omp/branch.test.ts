import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchBytes, readPath, readText } from '../testing.ts'
import { arbitrarySession } from './arbitrary-session.ts'
import { expectSameContext } from './branch-testing.ts'
import { omp } from './index.ts'
import { titleLine } from './lines.ts'
import { resumeCommand } from './write.ts'

const now = new Date('2026-12-01T10:20:30.456Z')
const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name)

async function branchOf(name: string, id: string) {
  const session = await readPath(omp, fixture(name))
  const at = session.tree.nodes.findIndex((node) => node.id === id)
  const plan = await omp.planBranch(session, { at, now, into: null })
  const lines = branchBytes(plan.files[0].pieces, [readFileSync(fixture(name))])
    .toString()
    .split('\n')
    .slice(0, -1)
  return { plan, lines, source: readFileSync(fixture(name), 'utf8').split('\n') }
}

test('a branch of a pi session is a header that names its parent, and the path byte by byte', async () => {
  const { plan, lines, source } = await branchOf('pi-branches.jsonl', 'a2')
  expect(JSON.parse(lines[0]!)).toEqual({
    type: 'session',
    version: 3,
    id: plan.sessionId,
    timestamp: '2026-12-01T10:20:30.456Z',
    cwd: '/home/dev/queue',
    parentSession: fixture('pi-branches.jsonl')
  })
  expect(lines.slice(1, 8)).toEqual(source.slice(1, 8))
  expect(plan.files[0].path).toBe(fixture(`2026-12-01T10-20-30-456Z_${plan.sessionId}.jsonl`))
  expect(plan.resume).toBe(`cd /home/dev/queue && pi --session ${plan.files[0].path}`)
  expect(plan.sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('labels leave the path and come back at its end, with their own time', async () => {
  const { plan, lines } = await branchOf('pi-branches.jsonl', 'u2')
  const entries = lines.slice(1).map((line) => JSON.parse(line))
  expect(entries.map((entry) => entry.type)).not.toContain('label,message')
  expect(entries.at(-2)).toMatchObject({ id: 'u2', parentId: 'a2' })
  expect(entries.at(-1)).toEqual({
    type: 'label',
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
    parentId: 'u2',
    timestamp: '2026-01-05T09:00:09.000Z',
    targetId: 'a2',
    label: 'found it'
  })
  expect(plan.entries).toBe(entries.length)
})

test('a branch of an omp session begins with a title line of 256 bytes', async () => {
  const { lines, plan } = await branchOf('omp-modes.jsonl', 'a4')
  expect(Buffer.byteLength(`${lines[0]}\n`)).toBe(256)
  expect(JSON.parse(lines[0]!)).toMatchObject({ type: 'title', v: 1, title: 'Parser rewrite', source: 'user' })
  expect(JSON.parse(lines[1]!)).toMatchObject({ type: 'session', title: 'Parser rewrite', titleSource: 'user' })
  expect(plan.resume).toBe(`cd /home/dev/parser && omp --resume ${plan.files[0].path}`)
})

test('entries of the first version get ids and parents in a file of the newest', async () => {
  const { lines } = await branchOf('first-version.jsonl', 'L6')
  const entries = lines.slice(1).map((line) => JSON.parse(line))
  expect(entries.map((entry) => entry.parentId)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.id)])
  expect(entries.find((entry) => entry.type === 'compaction')).toMatchObject({ firstKeptEntryId: entries[2].id })
  expect(lines.join('\n')).not.toContain('firstKeptEntryIndex')
})

test('a message of a hook becomes a custom one', async () => {
  const { lines } = await branchOf('second-version.jsonl', 'a1')
  expect(JSON.parse(lines[2]!)).toMatchObject({ id: 'h1', message: { role: 'custom', customType: 'hook' } })
})

describe('where the agent could not go on', () => {
  test.each([
    ['pi-branches.jsonl', 'a1', 'between a call of read, bash and its result', ['u1', 'b1', 'r2']],
    ['pi-branches.jsonl', 'r1', 'between a call of bash and its result', ['u1', 'r2']],
    ['damaged.jsonl', 'p1', 'between a call of read and its result', ['utf', 'k1']],
    ['no-header.jsonl', 'u1', 'no session header', []]
  ])('%s refuses %s: %s', async (name, id, reason, nearest) => {
    const session = await readPath(omp, fixture(name), name === 'damaged.jsonl' ? 'omp' : null)
    const at = session.tree.nodes.findIndex((node) => node.id === id)
    const point = omp.branchPoint(session, at)
    expect(point).toEqual({ kind: 'refused', reason: expect.stringContaining(reason), nearest })
    await expect(omp.planBranch(session, { at, now, into: null })).rejects.toMatchObject({
      code: 'not-resumable',
      entry: id,
      nearest
    })
  })

  test('a branch goes on behind a call that the agent itself left without a result', async () => {
    const session = await readPath(omp, fixture('omp-modes.jsonl'))
    const at = (id: string) => session.tree.nodes.findIndex((node) => node.id === id)
    expect(omp.branchPoint(session, at('a3')).kind).toBe('refused')
    expect(omp.branchPoint(session, at('u2')).kind).toBe('allowed')
    expect(omp.branchPoint(session, at('a2')).kind).toBe('allowed')
  })
})

test('a file that changed since it was read is stale', async () => {
  const session = await readPath(omp, fixture('first-version.jsonl'))
  const gone = {
    ...session,
    content: {
      async *objects(at: readonly number[]) {
        for (const _ of at) yield null
      }
    }
  }
  await expect(omp.planBranch(gone, { at: 2, now, into: null })).rejects.toMatchObject({ code: 'stale' })
})

test('the resume command quotes what a shell would take apart', () => {
  expect(resumeCommand('pi', "/home/it's me", '/a b.jsonl')).toBe(`cd '/home/it'\\''s me' && pi --session '/a b.jsonl'`)
  expect(resumeCommand('omp', null, '/a.jsonl')).toBe('omp --resume /a.jsonl')
})

test('a title line has 256 bytes whatever the title', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.option(fc.string({ maxLength: 300 })),
      (title, source) => {
        const line = titleLine(title, source, '2026-12-01T10:20:30.456Z')
        expect(Buffer.byteLength(line)).toBe(256)
        expect(title.startsWith(JSON.parse(line).title)).toBe(true)
      }
    )
  )
})

describe.each([
  [1, 'pi'],
  [2, 'pi'],
  [3, 'pi'],
  [3, 'omp']
] as const)('any session of version %i, as %s', (version, agent) => {
  test('can be branched at every allowed entry, and the agent sees there what it saw', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(version), async (text) => {
        const session = await readText(omp, text, agent)
        for (const at of session.records.entries.keys()) {
          if (omp.branchPoint(session, at).kind === 'allowed') await expectSameContext(session, Buffer.from(text), at)
        }
      }),
      { numRuns: 100 }
    )
  })
})
