import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { BranchResult } from '#shared/contract/branch.ts'
import type { UsageStats } from '#shared/contract/usage.ts'
import type { Compaction } from '#shared/model/compaction.ts'
import type { Entry } from '#shared/model/entry.ts'
import type { Fault } from '#shared/model/fault.ts'
import type { Context } from '#shared/model/message.ts'
import type { Session } from '#shared/model/session.ts'
import { makeWorkplace } from './testing/treeline.ts'

const { folder, treeline, remove } = makeWorkplace()
afterAll(remove)

const project = join(folder, 'home', '.bash-agent', 'projects', '-home-dev-notes')
cpSync(resolve(import.meta.dirname, '../formats/shell-agent/fixtures'), project, { recursive: true })
const tools = join(project, '20260203-101500-aa01')
const compacted = join(project, '20260203-120000-bb02')
const sub = join(project, 'sub_20260203-120500-cc03')

interface Shown {
  readonly session: Session
  readonly entries: readonly Entry[]
  readonly leaves: readonly { readonly id: string }[]
  readonly defaultLeaf: { readonly id: string | null; readonly reason: string }
  readonly faults: readonly Fault[]
}

const show = async (path: string) => (await treeline('show', path, '--json')).json<Shown>()
const hashes = (path: string): string[] =>
  readdirSync(path)
    .toSorted()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(path, name)))
          .digest('hex')}`
    )

test('a folder lists each directory as a session, a fork below its source, a sub-agent below who started it', async () => {
  const { sessions } = (await treeline('list', folder, '--json')).json<{ sessions: Session[] }>()
  const lineage = sessions.map(({ id, origin, parent }) => [id, origin, parent?.id ?? null])
  expect(lineage.toSorted()).toEqual([
    ['20260203-101500-aa01', 'user', null],
    ['20260203-120000-bb02', 'user', null],
    ['20260203-130000-dd04', 'fork', '20260203-120000-bb02'],
    ['20260203-140000-ee05', 'user', null],
    ['sub_20260203-120500-cc03', 'subagent', '20260203-120000-bb02']
  ])
  const source = join(compacted, 'conversation.jsonl')
  expect(sessions.find(({ origin }) => origin === 'subagent')?.parent?.file).toBe(source)
})

test('a session opens by its directory and by any of its files', async () => {
  const byDirectory = await show(tools)
  for (const name of readdirSync(tools)) expect(await show(join(tools, name))).toEqual(byDirectory)
  expect(byDirectory.session.file).toBe(join(tools, 'conversation.jsonl'))
  expect(byDirectory.entries.map(({ id }) => id).slice(0, 7)).toEqual(['c1', 'c2', 'c3', 'c4', 'e1', 'e2', 'e3'])
  expect(byDirectory.entries.filter(({ parent }) => parent === null).map(({ id }) => id)).toEqual(['c1', 'e1'])
  expect(byDirectory.leaves).toMatchObject([{ id: 'c4' }])
  expect(byDirectory.defaultLeaf).toEqual({ id: 'c4', reason: 'only-leaf' })
  expect(byDirectory.faults.map(({ kind, line, entry }) => [kind, line, entry])).toEqual([
    ['repaired-line', 3, 'c3'],
    ['repaired-line', 9, 'e9'],
    ['malformed-line', 13, null],
    ['unknown-type', 14, 'e14']
  ])
})

test('a directory that is no session of its own is refused with what to do', async () => {
  const { exitCode, stderr } = await treeline('show', project)
  expect(exitCode).toBe(1)
  expect(stderr).toContain('is a directory and no session of its own. Name a file.')
})

test('a session that was never used is empty, and nothing is made up', async () => {
  const { session, entries, defaultLeaf, faults } = await show(join(project, '20260203-140000-ee05'))
  expect(session).toMatchObject({ title: null, entries: 0, leaves: 0, cwd: null })
  expect(session.usage.total).toBe(0)
  expect([entries, defaultLeaf, faults]).toEqual([[], { id: null, reason: 'empty' }, []])
  const context = (await treeline('context', session.file, '--json')).json<Context>()
  expect(context).toMatchObject({ entry: null, messages: [] })
})

test('every byte of all its files is counted', async () => {
  const { exitCode, json } = await treeline('verify', tools, '--json')
  const { bytes, files } = json<{ bytes: Record<string, number>; files: number }>()
  const size = readdirSync(tools).reduce((sum, name) => sum + readFileSync(join(tools, name)).length, 0)
  expect(files).toBe(6)
  expect(bytes['total']).toBe(size)
  expect(bytes['faults']).toBe('{"type":"text","content":"There\n'.length)
  expect(bytes['blank']).toBe(1)
  expect(exitCode).toBe(1)
})

test('a compaction has what was dropped on one side and the summary on the other', async () => {
  const { compactions, faults } = (await treeline('compactions', compacted, '--json')).json<{
    compactions: Compaction[]
    faults: Fault[]
  }>()
  const fates = compactions.map(({ entry, trigger, summary, before, after }) => ({
    entry,
    trigger,
    summary,
    before: before.map(({ source, fate }) => `${source} ${fate}`),
    after: after.map(({ source, fate }) => `${source} ${fate}`)
  }))
  expect(fates).toEqual([
    {
      entry: 'e9',
      trigger: 'auto',
      summary: null,
      before: ['e2 summarised', 'e3 summarised', 'e8 kept'],
      after: ['e8 kept']
    },
    {
      entry: 'e24',
      trigger: 'auto',
      summary: 'Asked twice and thrice.\n',
      before: ['e8 summarised', 'e13 summarised', 'e18 summarised', 'e19 summarised', 'c1 kept'],
      after: ['e24 added', 'c1 kept']
    }
  ])
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(['lost-context']))
})

test('what a sub-agent spent counts once, in the session that started it', async () => {
  const { totals, groups } = (await treeline('stats', project, '--by', 'session', '--json')).json<UsageStats>()
  const of = (name: string) => groups.find(({ key }) => key === name)
  expect(of('sub_20260203-120500-cc03')).toMatchObject({ requests: 0, total: 0, inherited: 55 })
  expect(of('20260203-120000-bb02')).toMatchObject({ requests: 10 })
  expect(totals.total).toBe(groups.reduce((sum, group) => sum + (group.total ?? 0), 0))
  const { totals: alone } = (await treeline('stats', sub, '--json')).json<UsageStats>()
  expect(alone).toMatchObject({ requests: 1, input: 50, output: 5, total: 55 })
})

test('what a copy of a directory repeats counts once, and what either has more counts too', async () => {
  const both = join(folder, 'copied')
  cpSync(tools, join(both, 'one'), { recursive: true })
  const one = (await treeline('stats', both, '--json')).json<UsageStats>().totals
  expect(one.requests).toBeGreaterThan(0)
  cpSync(tools, join(both, 'two'), { recursive: true })
  const { totals } = (await treeline('stats', both, '--json')).json<UsageStats>()
  expect(totals).toEqual({ ...one, inherited: one.total })
  const more = { type: 'usage', input_tokens: 7, output_tokens: 1.5, kind: 'agent' }
  for (const name of ['one', 'two']) appendFileSync(join(both, name, 'events.jsonl'), `${JSON.stringify(more)}\n`)
  appendFileSync(join(both, 'two', 'events.jsonl'), `${JSON.stringify({ ...more, input_tokens: 9 })}\n`)
  const { totals: grown } = (await treeline('stats', both, '--json')).json<UsageStats>()
  expect(grown).toMatchObject({ requests: one.requests + 2, input: one.input! + 16, output: one.output })
})

test('a log without usage events has the totals of stats.json, in every count', async () => {
  const old = join(project, '..', '-old', '20251101-080000-0001')
  mkdirSync(old, { recursive: true })
  writeFileSync(join(old, 'conversation.jsonl'), '{"role":"user","content":"hi"}\n')
  writeFileSync(join(old, 'events.jsonl'), '{"type":"user_message","content":"hi"}\n')
  writeFileSync(
    join(old, 'stats.json'),
    '{"agent_request_count":2,"total_input_tokens":10,"total_output_tokens":"3","total_cache_read_tokens":4}'
  )
  const { session } = await show(old)
  expect(session.usage).toMatchObject({ requests: 2, input: 10, cacheRead: 4, cacheWrite: null, output: 3, total: 17 })
  const { totals } = (await treeline('stats', old, '--json')).json<UsageStats>()
  expect(totals).toEqual(session.usage)
  expect((await treeline('show', old)).stdout).toContain('no usage events, as older versions wrote it')
})

describe('a branch', () => {
  test('is a directory of six files; the source keeps its bytes, and a running one is not written into', async () => {
    const live = join(project, '20260203-150000-ff06')
    cpSync(tools, live, { recursive: true })
    execFileSync('mkfifo', [join(live, 'input.fifo')])
    expect((await show(live)).session.live).toBe(true)
    const before = hashes(tools)
    const { json } = await treeline('branch', live, '--entry', 'c4', '--json')
    const { file, sessionId, entries, written, resume } = json<BranchResult>()
    expect(readdirSync(live).toSorted()).toEqual([...readdirSync(tools), 'input.fifo'].toSorted())
    expect(hashes(tools)).toEqual(before)
    const made = join(project, sessionId)
    expect(file).toBe(join(made, 'conversation.jsonl'))
    expect(readdirSync(made).toSorted()).toEqual(readdirSync(tools).toSorted())
    expect(written.map(({ path, bytes }) => [path, bytes])).toEqual(
      written.map(({ path }) => [path, readFileSync(path).length])
    )
    expect(entries).toBe(4)
    expect(resume).toBe(`bash-agent --session ${sessionId}`)
    const read = (name: string) => readFileSync(join(made, name), 'utf8')
    expect(read('conversation.jsonl')).toBe(readFileSync(join(tools, 'conversation.jsonl'), 'utf8'))
    expect(read('plan.md')).toBe(readFileSync(join(tools, 'plan.md'), 'utf8'))
    expect(read('events.jsonl')).toBe(
      `{"type":"session_start","session_id":"${sessionId}"}\n{"type":"session_fork","session_id":"${sessionId}","source_session_id":"20260203-150000-ff06"}\n`
    )
    expect([read('plan.draft'), read('stats.json'), read('summary.txt')]).toEqual(['', '', ''])
    const { session, faults } = await show(made)
    expect(session).toMatchObject({ id: sessionId, origin: 'fork', parent: { id: '20260203-150000-ff06' } })
    expect(faults.map(({ kind }) => kind)).toEqual(['repaired-line'])
  })

  test('goes where the person says, and a dry run makes nothing', async () => {
    const out = join(folder, 'elsewhere')
    mkdirSync(out)
    const asked = ['branch', compacted, '--entry', 'c2', '--out', out, '--json']
    await treeline(...asked, '--dry-run')
    expect(readdirSync(out)).toEqual([])
    const { file } = (await treeline(...asked)).json<BranchResult>()
    expect(file.startsWith(join(out, '20'))).toBe(true)
    const context = (await treeline('context', file, '--json')).json<Context>()
    expect(context.messages.map(({ kind, text }) => [kind, text])).toEqual([
      ['compaction-summary', 'Asked twice and thrice.\n'],
      ['message', 'third'],
      ['message', 'third answer']
    ])
  })

  test('is refused within a turn, with the nearest entries that work', async () => {
    const { exitCode, json } = await treeline('branch', compacted, '--entry', 'c7', '--json')
    expect(exitCode).toBe(1)
    expect(json()).toMatchObject({ error: { code: 'not-resumable', nearest: ['c5', 'c9', 'c10'] } })
  })
})

test('an export is the conversation byte for byte; a path of events has none of it', async () => {
  const out = join(folder, 'out.jsonl')
  await treeline('export', tools, '--as', 'jsonl', '--out', out)
  expect(readFileSync(out).equals(readFileSync(join(tools, 'conversation.jsonl')))).toBe(true)
})

test('a replay shows the last turns of the event log', async () => {
  const { json } = await treeline('replay', compacted, '--turns', '2', '--json')
  const { events } = json<{ events: { kind: string; text: string; entry: string; tool: string | null }[] }>()
  expect(events.map(({ kind, text, entry }) => [kind, text.split('\n')[0], entry])).toEqual([
    ['user', 'fifth', 'e40'],
    ['tool-call', '{', 'e41'],
    ['tool-result', 'Write(a.txt) [1 lines, 1 bytes]', 'e42'],
    ['text', 'written', 'e45'],
    ['user', 'sixth [Image #1]', 'e48'],
    ['thinking', 'never ended', 'e50']
  ])
})

test('tokens that are appended join the entry that they go on with', async () => {
  const grown = join(project, '20260203-160000-0007')
  cpSync(sub, grown, { recursive: true })
  const events = join(grown, 'events.jsonl')
  const texts = async () => (await show(grown)).entries.filter(({ preview }) => preview.startsWith('so'))
  appendFileSync(events, '{"type":"text","content":"so "}\n')
  expect(await texts()).toMatchObject([{ id: 'e7', preview: 'so ' }])
  const start = readFileSync(events).length
  appendFileSync(events, '{"type":"text","content":"it "}\n{"type":"text","content":"goes"}\n')
  const [entry, ...others] = await texts()
  expect(entry).toMatchObject({ id: 'e7', preview: 'so it goes' })
  expect(others).toEqual([])
  expect(entry!.bytes![0] + entry!.bytes![1]).toBe(readFileSync(events).length - 1)
  expect(entry!.bytes![0]).toBeLessThan(start)
  const { bytes } = (await treeline('verify', grown, '--json')).json<{ bytes: { total: number } }>()
  expect(bytes.total).toBe(readdirSync(grown).reduce((sum, name) => sum + readFileSync(join(grown, name)).length, 0))
})

test('a compaction that rewrites the conversation is read anew, and the events stay', async () => {
  const rewritten = join(project, '20260203-170000-0008')
  cpSync(compacted, rewritten, { recursive: true })
  const before = await show(rewritten)
  const conversation = join(rewritten, 'conversation.jsonl')
  const lines = readFileSync(conversation, 'utf8').split('\n')
  writeFileSync(conversation, lines.slice(4).join('\n'))
  appendFileSync(
    join(rewritten, 'events.jsonl'),
    '{"type":"usage","input_tokens":9,"output_tokens":1,"kind":"compact"}\n'
  )
  writeFileSync(join(rewritten, 'summary.txt'), 'Third and fourth.\n')
  const after = await show(rewritten)
  const events = (shown: Shown) => shown.entries.filter(({ id }) => id.startsWith('e'))
  expect(events(after).slice(0, -1)).toEqual(events(before))
  expect(after.session.compactions).toBe(before.session.compactions + 1)
  const { compactions } = (await treeline('compactions', rewritten, '--json')).json<{ compactions: Compaction[] }>()
  expect(compactions.at(-1)).toMatchObject({ trigger: null, summary: 'Third and fourth.\n' })
  expect(existsSync(join(rewritten, 'input.fifo'))).toBe(false)
})
