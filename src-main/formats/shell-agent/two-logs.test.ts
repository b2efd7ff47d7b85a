import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MessageDraft } from '../format.ts'
import { type ReadSession, readPath } from '../testing.ts'
import { shellAgent } from './index.ts'

const fixture = (name: string): Promise<ReadSession> =>
  readPath(shellAgent, join(import.meta.dirname, 'fixtures', name, 'conversation.jsonl'))
const compacted = () => fixture('20260203-120000-bb02')

function marks({ tree }: ReadSession): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tree.nodes.flatMap(({ id }, at) => (tree.row(at).marks ?? []).map(({ text }) => [id, text] as const))
  )
}

const at = ({ tree }: ReadSession, id: string): number => tree.nodes.findIndex((node) => node.id === id)
const said = (messages: readonly MessageDraft[]) =>
  messages.map(({ role, text, sources }) => [role, text, sources.join(' ')])

test('what only one log has is marked, by why', async () => {
  expect(marks(await compacted())).toEqual({
    // The agent's own lines.
    c3: 'injected',
    // Dropped by either compaction.
    e2: 'compacted',
    e3: 'compacted',
    e8: 'compacted',
    e11: 'discarded',
    e13: 'compacted',
    e18: 'compacted',
    e19: 'compacted',
    // The failed call; its prompt stands in the conversation.
    e38: 'failed'
  })
})

test('lines that a fork copied are marked as copied', async () => {
  const session = await fixture('20260203-130000-dd04')
  expect(marks(session)).toEqual({ c1: 'copied', c2: 'copied' })
  expect(session.tree.session).toMatchObject({
    origin: 'fork',
    parent: {
      id: '20260203-120000-bb02',
      file: join(import.meta.dirname, 'fixtures', '20260203-120000-bb02', 'conversation.jsonl')
    }
  })
})

test('two events of a compaction are one, in either order', async () => {
  const { records, tree } = await compacted()
  const found = records.entries.flatMap(({ kind }, index) => (kind === 'compaction' ? [tree.nodes[index]!.id] : []))
  expect(found).toEqual(['e9', 'e24'])
  expect(tree.session.compactions).toBe(2)
})

test('the last compaction has its summary, and what it kept is what the conversation still has', async () => {
  const session = await compacted()
  const compaction = at(session, 'e24')
  const note = await shellAgent.compaction(session, compaction)
  expect(note).toMatchObject({ trigger: 'auto', summary: 'Asked twice and thrice.\n' })
  expect(note.covered!.has(at(session, 'e18'))).toBe(true)
  const after = await shellAgent.context(session, compaction)
  expect(said(after.messages)).toEqual([
    ['system', 'Asked twice and thrice.\n', 'e24'],
    ['user', 'third', 'c1']
  ])
  const before = await shellAgent.context(session, session.tree.nodes[compaction]!.parent)
  // Of the compaction before it only the turn under way is known.
  expect(said(before.messages)).toEqual([
    ['user', 'again', 'e8'],
    ['assistant', 'again answered', 'e13'],
    ['user', 'again', 'e18'],
    ['assistant', 'a different answer', 'e19'],
    ['user', 'third', 'c1']
  ])
  expect(before.faults.map(({ kind, entry }) => [kind, entry])).toEqual([['lost-context', 'e9']])
  expect(before.omitted.map(({ entry }) => entry)).toEqual(['e2', 'e3'])
})

test('an earlier compaction has no summary any more, and what it stands for is unknown', async () => {
  const session = await compacted()
  const compaction = at(session, 'e9')
  expect(await shellAgent.compaction(session, compaction)).toEqual({
    trigger: 'auto',
    summary: null,
    recordedBefore: null,
    recordedAfter: null,
    covered: null
  })
  const before = await shellAgent.context(session, session.tree.nodes[compaction]!.parent)
  expect(said(before.messages)).toEqual([
    ['user', 'first', 'e2'],
    ['assistant', 'first answer', 'e3'],
    ['user', 'again', 'e8']
  ])
  expect(before.faults).toEqual([])
  const after = await shellAgent.context(session, compaction)
  expect(said(after.messages)).toEqual([['user', 'again', 'e8']])
  expect(after.faults.map(({ kind }) => kind)).toEqual(['lost-context'])
})

test('at an event behind the last compaction the model had the lines that were written by then', async () => {
  const session = await compacted()
  const texts = async (id: string) =>
    (await shellAgent.context(session, at(session, id))).messages.slice(1).map(({ sources }) => sources[0])
  expect(await texts('e26')).toEqual(['c1', 'c2'])
  expect(await texts('e39')).toEqual(['c1', 'c2', 'c3', 'c4', 'c5'])
  expect(await texts('e41')).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'])
})

test('a turn has the pictures that its prompt names, and none where the folder has none', async () => {
  const session = await compacted()
  const { blocks } = await shellAgent.blocks(session, at(session, 'c10'))
  expect(blocks.map(({ type, bytes }) => [type, bytes])).toEqual([
    ['text', null],
    ['image', null]
  ])
  expect(await shellAgent.image(session, at(session, 'c10'), 1)).toBeUndefined()
})

test('a sub-agent is told of by its name and its main file', async () => {
  const { tree, records } = await compacted()
  expect(tree.subagentFiles).toEqual([
    join(import.meta.dirname, 'fixtures', 'sub_20260203-120500-cc03', 'conversation.jsonl')
  ])
  const requests = shellAgent.requests(records, tree)
  expect(requests.flatMap(({ subagents }) => subagents ?? [])).toEqual(['sub_20260203-120500-cc03'])
  expect((await fixture('sub_20260203-120500-cc03')).tree.session.origin).toBe('subagent')
})

test('what a compaction and a sub-agent spent is told from the answers', async () => {
  const { records, tree } = await compacted()
  const spent = shellAgent
    .requests(records, tree)
    .map(({ at: index, kind }) => [records.entries[index]!.facts['kind'], kind])
  expect(new Set(spent.map(([stored]) => stored))).toEqual(new Set(['agent', 'compact', 'sub_agent']))
  for (const [stored, kind] of spent) {
    expect(kind).toBe(stored === 'agent' ? undefined : stored === 'compact' ? 'compaction' : 'subagent')
  }
})

test('colours are left out of what is shown, and kept in what the model saw', async () => {
  const session = await fixture('20260203-101500-aa01')
  const { blocks } = await shellAgent.blocks(session, at(session, 'c3'))
  expect(blocks.map(({ text }) => text)).toEqual(['one.md\ntwo.md\n'])
  const { messages } = await shellAgent.context(session, null)
  expect(messages[3]!.text).toBe('\u001b[34mone.md\u001b[0m\ntwo.md\n')
})

test('the plan is in the prompt, the draft is not, and both are said', async () => {
  const session = await fixture('20260203-101500-aa01')
  const { messages } = await shellAgent.context(session, null)
  expect(messages[0]).toMatchObject({ kind: 'system', text: '# Plan\n- [ ] count the notes\n' })
  expect(JSON.stringify(messages)).not.toContain('Draft')
  const notes = session.tree.notes!.map(({ text }) => text)
  expect(notes.at(-1)).toBe(
    'plan.md: the locked plan, in the prompt · plan.draft: a draft of a plan, not in the prompt until it is locked.'
  )
  expect(notes[0]).toContain('Context 1,282 tokens, 178,718 below the threshold')
  expect(session.tree.notes![0]!.detail).toContain('(model) T:1 R:2 I:2,120(57%) O:52 C:1,282 S:0tok/s')
})

test('the events up to a line are those that had happened by then, with what ended its call', async () => {
  const session = await compacted()
  const last = (id: string) => session.tree.nodes[session.tree.alongside!(at(session, id)).at(-1) ?? -1]?.id
  expect(['c1', 'c2', 'c4', 'c8', 'c10'].map(last)).toEqual(['e23', 'e28', 'e36', 'e44', 'e50'])
  expect(session.tree.alongside!(at(session, 'e5'))).toEqual([])
})

test('a row of results says what the tools were asked for', async () => {
  const session = await fixture('20260203-101500-aa01')
  expect(session.tree.row(at(session, 'c3'))).toMatchObject({ tool: 'Bash', summary: 'ls notes · 2 lines' })
})
