import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { branchBytes, type ReadSession, readSession, readText } from '../testing.ts'
import { codelia } from './index.ts'
import {
  assistant,
  atOf,
  end,
  output,
  prompt,
  readFixture,
  readRun,
  request,
  response,
  result,
  runIds,
  runText,
  sessionId,
  sessionsFixture,
  user
} from './testing.ts'

const now = new Date('2026-12-01T10:20:30.456Z')

async function branch(session: ReadSession, at: number, into: string | null = null) {
  const plan = await codelia.planBranch(session, { at, now, into })
  const text = branchBytes(plan.files[0].pieces, []).toString()
  return { plan, state: JSON.parse(text), text }
}

test('a branch is a snapshot that codelia takes over, which says where it comes from', async () => {
  const session = await readFixture()
  const { plan, state, text } = await branch(session, atOf(session, `${runIds[0]}:16`))
  expect(text.endsWith('}\n')).toBe(true)
  expect(state).toMatchObject({
    schema_version: 1,
    session_id: plan.sessionId,
    updated_at: '2026-12-01T10:20:30.456Z',
    run_id: runIds[0],
    invoke_seq: 2,
    meta: {
      codelia_workspace_root: '/home/dev/queue',
      'x.forked_from': sessionId,
      'x.forked_at_run': runIds[0],
      'x.forked_at_seq': 2
    }
  })
  const own = JSON.parse(
    readFileSync(join(sessionsFixture, 'state', '5b7e1c22-1111-4222-8333-444455556666.json'), 'utf8')
  )
  expect(state.messages).toEqual(own.messages)
  expect(plan).toMatchObject({
    files: [{ path: join(sessionsFixture, 'state', `${plan.sessionId}.json`) }],
    parent: join(sessionsFixture, 'state'),
    entries: 5,
    resume: `cd /home/dev/queue && codelia --resume ${plan.sessionId}`
  })
  expect(plan.sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('it holds the context of its entry but for the messages of the system', async () => {
  const session = await readFixture()
  for (const at of session.tree.nodes.keys()) {
    if (codelia.branchPoint(session, at).kind === 'refused') continue
    const { plan, text } = await branch(session, at)
    const set = codelia.force(join(sessionsFixture, 'state', 'made.json'), null)
    const made = await readSession(codelia, set, [Buffer.from(text)])
    const plain = async (of: ReadSession, index: number | null) =>
      (await codelia.context(of, index)).messages
        .filter(({ role }) => role !== 'system')
        .map(({ role, blocks }) => ({ role, blocks }))
    expect(await plain(made, null)).toEqual(await plain(session, at))
    expect(made.records.entries).toHaveLength(plan.entries)
    expect(made.tree.session).toMatchObject({ origin: 'fork', parent: { id: sessionId } })
  }
})

test('into another folder it is written as it is named', async () => {
  const session = await readFixture()
  const { plan } = await branch(session, atOf(session, 'm3'), '/elsewhere/state')
  expect(plan.files[0].path).toBe(`/elsewhere/state/${plan.sessionId}.json`)
  expect(plan).not.toHaveProperty('parent')
})

test('between a call and its result it is refused, with the nearest entries that work', async () => {
  const session = await readFixture()
  const run = (line: number) => `${runIds[0]}:${line}`
  const at = atOf(session, run(7))
  expect(codelia.branchPoint(session, at)).toEqual({
    kind: 'refused',
    reason: 'It stands between a call of shell and its result, so the agent could not go on from here.',
    nearest: [run(4), run(11), run(12), run(13)]
  })
  await expect(branch(session, at)).rejects.toMatchObject({
    code: 'not-resumable',
    nearest: [run(4), run(11), run(12), run(13)]
  })
  expect(codelia.branchPoint(session, atOf(session, 'm7'))).toMatchObject({ kind: 'refused', nearest: ['m6'] })
})

test('of messages that are nested too deeply to be written it is refused', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const text = runText(prompt('go'), request(1, user('DEEP'))).replace('"DEEP"', deep)
  const session = await readText(codelia, text, null, '/store/2026/01/01/r.jsonl')
  await expect(branch(session, 1)).rejects.toMatchObject({ code: 'not-resumable' })
})

test('where a run ended in between, the call is taken off and so is a result without one', async () => {
  const session = await readRun(
    prompt('go'),
    request(1, user('go'), result('lost')),
    response(1, assistant('on it', 'a', 'b')),
    output('a'),
    end('cancelled')
  )
  expect(codelia.branchPoint(session, 3).kind).toBe('refused')
  const { state } = await branch(session, 4)
  expect(state.messages).toEqual([user('go'), assistant('on it', 'a'), result('a')])
})

test('what codelia kept of the session is carried on', async () => {
  const session = await readFixture()
  const meta = { codelia_todos: [1], codelia_workspace_root: '/w' }
  const records = { ...session.records, beside: { schema_version: 1, meta_json: JSON.stringify(meta) } }
  const view = { ...session, records, tree: codelia.assemble(records) }
  const { state } = await branch(view as ReadSession, atOf(session, 'm4'))
  expect(state.meta).toMatchObject({ ...meta, 'x.forked_from': sessionId })
})

test('nothing said is nothing to branch from', async () => {
  const session = await readRun(prompt('/help'), request(1, { role: 'system', content: 's' }))
  expect(codelia.branchPoint(session, 0)).toMatchObject({ kind: 'refused', nearest: [] })
  expect(codelia.branchPoint(session, 1)).toMatchObject({ kind: 'refused', nearest: [] })
})
