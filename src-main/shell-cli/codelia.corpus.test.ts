import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import type { BranchResult } from '#shared/contract/branch.ts'
import type { ReplayEvent } from '#shared/contract/replay.ts'
import type { Compaction } from '#shared/model/compaction.ts'
import type { Entry } from '#shared/model/entry.ts'
import type { Fault } from '#shared/model/fault.ts'
import type { Context } from '#shared/model/message.ts'
import type { Session } from '#shared/model/session.ts'
import type { Usage } from '#shared/model/usage.ts'
import { makeWorkplace, type Workplace } from './testing/treeline.ts'

const source = join(corpus!, 'codelia')
const expected = JSON.parse(readFileSync(join(source, 'expected.json'), 'utf8'))
const store = expected['home/.codelia/sessions']
const [id] = Object.keys(store.sessions) as [string]
const want = store.sessions[id]

interface Shown {
  readonly session: Session
  readonly entries: readonly Entry[]
  readonly faults: readonly Fault[]
}

let place: Workplace
let root: string
let messages: string
const runFile = (index: number) => join(root, want.runs[index].file)

beforeAll(() => {
  place = makeWorkplace()
  cpSync(join(source, 'home'), join(place.folder, 'home'), { recursive: true })
  root = join(place.folder, 'home', '.codelia', 'sessions')
  messages = join(root, want.messagesFile.file)
})
afterAll(() => place.remove())

const ask = async <T>(...argv: readonly string[]): Promise<T> => {
  const { exitCode, stderr, json } = await place.treeline(...argv, '--json')
  expect([exitCode, stderr]).toEqual([0, ''])
  return json<T>()
}

function filesBelow(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    found.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path, createHash('sha256').update(readFileSync(path)).digest('hex')]
    })
  )
}

test('no command that reads makes or changes a file of the store', async () => {
  const before = filesBelow(place.folder)
  for (const argv of [
    ['list', root],
    ['show', messages],
    ['context', messages],
    ['compactions', messages],
    ['stats', root, '--by', 'session'],
    ['cache', runFile(0)],
    ['replay', messages],
    ['verify', root]
  ])
    await ask(...argv)
  expect(filesBelow(place.folder)).toEqual(before)
})

test('list has one session for each id, newest first, with its runs', async () => {
  const { sessions, faults } = await ask<{ sessions: Session[]; faults: Fault[] }>('list', root)
  expect(faults).toEqual([])
  const updated = sessions.map(({ updatedAt }) => updatedAt!)
  expect(updated).toEqual(updated.toSorted().toReversed())
  expect(sessions.map((session) => session.id).toSorted()).toEqual(store.listOrder.toSorted())
  const session = sessions.find((one) => one.id === id)!
  expect(session).toMatchObject({ agent: 'codelia', file: messages, title: want.title, cwd: '/home/user/project' })
  expect(session.runs).toEqual(
    want.runs.map((run: typeof want) => ({
      id: run.runId,
      file: join(root, run.file),
      startedAt: run.startedAt,
      outcome: run.outcome
    }))
  )
})

test('a file of messages stands for the session: its runs, then its messages, in one line', async () => {
  const { entries, session, faults } = await ask<Shown>('show', messages)
  const ids = [
    ...want.runs.flatMap((run: typeof want) =>
      Array.from({ length: run.lines - 1 }, (_, line) => `${run.runId}:${line + 2}`)
    ),
    ...Array.from({ length: want.messagesFile.lines }, (_, line) => `m${line + 1}`)
  ]
  expect(entries.map((entry) => entry.id)).toEqual(ids)
  expect(entries.map(({ parent }) => parent)).toEqual([null, ...ids.slice(0, -1)])
  expect(session).toMatchObject({ entries: ids.length, leaves: 1, compactions: 1, faults: 0 })
  expect(faults).toEqual([])
  for (const { id: entry, run, line, bytes } of entries) {
    const path = run === null ? messages : join(root, want.runs.find((one: typeof want) => one.runId === run).file)
    const text = readFileSync(path)
      .subarray(bytes![0], bytes![0] + bytes![1])
      .toString()
    expect(text).toBe(readFileSync(path, 'utf8').split('\n')[line! - 1])
    expect(entry).toBe(run === null ? `m${line}` : `${run}:${line}`)
  }
})

test('a run file stands for itself', async () => {
  for (const [index, run] of want.runs.entries()) {
    const { entries, session } = await ask<Shown>('show', runFile(index))
    expect(entries).toHaveLength(run.lines - 1)
    expect(session).toMatchObject({ id, file: runFile(index), runs: [{ id: run.runId }] })
    const { exitCode } = await place.treeline('verify', runFile(index))
    expect(exitCode).toBe(0)
  }
})

test('what the model saw at each invocation has the messages that were sent', async () => {
  for (const one of want.invocations) {
    const run = want.runs.find(({ runId }: typeof want) => runId.startsWith(one.run))
    const entry = `${run.runId}:${one.requestLine}`
    const whole = await ask<Context>('context', messages, '--entry', entry)
    const alone = await ask<Context>('context', join(root, run.file), '--entry', entry)
    expect(whole.messages.map(({ role }) => role)).toEqual(one.context.map((said: string) => said.split(':')[0]))
    expect(alone.messages.map(({ text }) => text)).toEqual(whole.messages.map(({ text }) => text))
    expect(whole.entry).toBe(entry)
  }
})

test('the compaction has the fates of each message', async () => {
  const { compactions } = await ask<{ compactions: Compaction[] }>('compactions', messages)
  const [one] = want.compactions
  expect(compactions).toHaveLength(1)
  expect(compactions[0]).toMatchObject({ entry: `${one.run}:${one.line}`, trigger: '/compact' })
  expect(compactions[0]!.before.map(({ fate }) => fate)).toEqual(
    one.beforeItems.map((item: string) => item.split('-> ')[1])
  )
  expect(compactions[0]!.after.map(({ fate }) => fate)).toEqual(
    one.afterItems.map((item: string) => item.split('<- ')[1])
  )
})

test('usage is that of the agent', async () => {
  const { totals, groups } = await ask<{ totals: Usage; groups: (Usage & { key: string })[] }>(
    'stats',
    root,
    '--by',
    'session'
  )
  const sum = (member: string) =>
    Object.values(store.sessions).reduce<number>((all, session) => all + (session as typeof want).usage[member], 0)
  for (const member of ['requests', 'unknown', 'input', 'cacheRead', 'cacheWrite', 'output', 'total'] as const) {
    expect(totals[member]).toBe(sum(member))
    expect(groups.find(({ key }) => key === id)![member]).toBe(want.usage[member])
  }
  const { requests } = await ask<{ requests: { usage: Usage; entry: string }[] }>('cache', messages)
  expect(requests.map(({ usage }) => usage.total ?? 'unknown')).toEqual(
    want.invocations.map(({ usage }: typeof want) => usage)
  )
})

test('bytes add up to the sizes of the files, those of the database left out', async () => {
  const { bytes } = await ask<{ bytes: { entries: number; total: number } }>('verify', root)
  const sizes = Object.keys(filesBelow(root)).filter((path) => !path.endsWith('state.db'))
  const total = sizes.reduce((sum, path) => sum + readFileSync(path).length, 0)
  expect(bytes).toMatchObject({ entries: total, total })
})

test('a run is exported byte for byte, by its file and by its last entry', async () => {
  const run = want.runs[4]
  const outs = ['by-file.jsonl', 'by-entry.jsonl'].map((name) => join(place.folder, name))
  await ask('export', runFile(4), '--as', 'jsonl', '--out', outs[0]!)
  await ask('export', messages, '--entry', `${run.runId}:${run.lines}`, '--as', 'jsonl', '--out', outs[1]!)
  for (const out of outs) expect(readFileSync(out).equals(readFileSync(runFile(4)))).toBe(true)
  const part = join(place.folder, 'part.jsonl')
  await ask('export', runFile(4), '--entry', `${run.runId}:5`, '--as', 'jsonl', '--out', part)
  expect(readFileSync(part, 'utf8')).toBe(
    readFileSync(runFile(4), 'utf8').split('\n').slice(0, 5).join('\n').concat('\n')
  )
})

test('playback tells what was shown, by the order of the events', async () => {
  const { events } = await ask<{ events: ReplayEvent[] }>('replay', runFile(0))
  expect(events.map(({ kind, tool }) => (tool === null ? kind : `${kind} ${tool}`))).toEqual([
    'user',
    'thinking',
    'tool-call shell',
    'tool-result shell',
    'text',
    'tool-call shell',
    'tool-result shell',
    'tool-call read',
    'tool-result read',
    'text'
  ])
  const last = await ask<{ events: ReplayEvent[] }>('replay', messages, '--turns', '2')
  expect(new Set(last.events.map(({ turn }) => turn))).toEqual(new Set([5, 6]))
})

describe('a branch', () => {
  test('is a new session that says where it comes from, and leaves all others as they were', async () => {
    const before = filesBelow(root)
    const answer = `${want.runs[0].runId}:26`
    const dry = await ask<BranchResult>('branch', messages, '--entry', answer, '--dry-run')
    expect(filesBelow(root)).toEqual(before)
    const result = await ask<BranchResult>('branch', messages, '--entry', answer)
    expect(result).toMatchObject({
      mode: 'new-file',
      entry: answer,
      file: join(root, 'state', `${result.sessionId}.json`),
      entries: 8,
      tokens: dry.tokens,
      resume: `cd /home/user/project && codelia --resume ${result.sessionId}`
    })
    const { [result.file]: written, ...others } = filesBelow(root)
    expect(written).toBeDefined()
    expect(others).toEqual(before)
    const state = JSON.parse(readFileSync(result.file, 'utf8'))
    const request = JSON.parse(readFileSync(runFile(0), 'utf8').split('\n')[24]!)
    const answered = JSON.parse(readFileSync(runFile(0), 'utf8').split('\n')[25]!)
    expect(state.messages).toEqual([...request.input.messages.slice(1), ...answered.output.messages])
    expect(state.meta).toMatchObject({ 'x.forked_from': id, codelia_workspace_root: '/home/user/project' })
    const { session } = await ask<Shown>('show', result.file)
    expect(session).toMatchObject({ origin: 'fork', parent: { id, file: messages }, entries: 8 })
    const { messages: there } = await ask<Context>('context', result.file)
    const { messages: here } = await ask<Context>('context', messages, '--entry', answer)
    expect(there.map(({ text }) => text)).toEqual(here.slice(1).map(({ text }) => text))
    expect(there.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(result.tokens)
  })

  test('makes the folder of snapshots where codelia has none any more', async () => {
    rmSync(join(root, 'state'), { recursive: true })
    const { file } = await ask<BranchResult>('branch', messages, '--entry', 'm4')
    expect(readdirSync(join(root, 'state'))).toEqual([basename(file)])
    expect(statSync(join(root, 'state')).mode & 0o777).toBe(0o700)
  })

  test('between a call and its result is refused', async () => {
    const { exitCode, json } = await place.treeline('branch', messages, '--entry', `${want.runs[0].runId}:13`, '--json')
    expect(exitCode).toBe(1)
    expect(json<{ error: { code: string; nearest: string[] } }>().error).toMatchObject({
      code: 'not-resumable',
      nearest: expect.arrayContaining([`${want.runs[0].runId}:12`])
    })
  })
})

test('copies of a run in a folder are one session, each request counted once', async () => {
  const edge = join(source, 'edge')
  const { sessions } = await ask<{ sessions: Session[] }>('list', edge)
  expect(sessions).toHaveLength(1)
  const { requests, input, cacheRead, cacheWrite, output, total } = expected.edge._folderUsage
  expect(sessions[0]!.usage).toMatchObject({ requests, input, cacheRead, cacheWrite, output, total })
  const { faults } = await ask<Shown>('show', join(edge, 'messages-torn.jsonl'), '--agent', 'codelia')
  expect(faults).toMatchObject([{ kind: 'torn-tail', line: 11, file: join(edge, 'messages-torn.jsonl') }])
})
