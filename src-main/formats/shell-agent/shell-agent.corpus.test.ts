import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import type { Message } from '#shared/model/message.ts'
import { sumUsage } from '#shared/model/usage.ts'
import type { MessageDraft } from '../format.ts'
import { type ReadSession, readPath } from '../testing.ts'
import { shellAgent } from './index.ts'

interface Log {
  readonly lines: number
  readonly byKind: Readonly<Record<string, number>>
  readonly bytes: Readonly<Record<'entries' | 'faults' | 'blank' | 'total', number>>
  readonly faults: readonly { readonly line: number; readonly repaired: string }[]
}
type Members = Readonly<Record<'input' | 'cacheRead' | 'cacheWrite' | 'output', number>>
interface Expected {
  readonly id: string
  readonly title: string | null
  readonly forkedFrom: string | null
  readonly conversation: Log
  readonly events: Log
  readonly leaves: number
  readonly context: {
    readonly plan: string | null
    readonly summary: string | null
    readonly messages: readonly string[]
  }
  readonly planDraftNotInContext: boolean
  readonly eventTurns: readonly { readonly line: number; readonly user: string; readonly items: readonly string[] }[]
  readonly compactions: readonly {
    readonly eventLines: readonly number[]
    readonly trigger: string | null
    readonly turnsBefore: number
    readonly turnsKept: number
    readonly turnsDropped: number
    readonly keptLines?: number
    readonly summary: string
    readonly dropped: readonly string[]
  }[]
  readonly usage: (Members & { readonly requests: number; readonly total: number }) | null
  readonly usageByKind: Readonly<Record<string, Members & { readonly requests: number }>>
  readonly stats: {
    readonly present: boolean
    readonly drift?: readonly unknown[]
    readonly contextTokens?: number
    readonly totals?: Members
  }
  readonly subAgents: readonly { readonly id: string; readonly directoryPresent: boolean }[]
}

const store = join(corpus!, 'shellagent')
const project = join(store, 'home', '.bash-agent', 'projects', '-home-user-project')
const { sessions } = JSON.parse(readFileSync(join(store, 'expected.json'), 'utf8')) as {
  readonly sessions: Readonly<Record<string, Expected>>
}
const cases = Object.entries(sessions).map(([name, expected]) => ({ name, expected }))

const open = (name: string): Promise<ReadSession> => readPath(shellAgent, join(project, name, 'conversation.jsonl'))
const fileOf = ({ records }: ReadSession, name: string): number =>
  records.files.findIndex(({ path }) => path.endsWith(`/${name}`))

test('every session of the fixtures is expected', () => {
  expect(readdirSync(project).toSorted()).toEqual(Object.keys(sessions).toSorted())
})

describe.each(cases)('$name', ({ name, expected }) => {
  test.each(['conversation', 'events'] as const)('the lines of its %s', async (log) => {
    const session = await open(name)
    const file = fileOf(session, `${log}.jsonl`)
    const lines = session.lines.filter((line) => line.file === file)
    const { lines: count, bytes, byKind, faults } = expected[log]
    expect(lines).toHaveLength(count)
    const size = (of: string) => lines.reduce((sum, line) => (line.class === of ? sum + line.length : sum), 0)
    expect({ entries: size('entry'), faults: size('fault'), blank: size('blank') }).toEqual({
      entries: bytes.entries,
      faults: bytes.faults,
      blank: bytes.blank
    })
    expect(session.records.files[file]!.size).toBe(bytes.total)
    expect(linesByKind(session, file)).toEqual(byKind)
    const repairs: Readonly<Record<string, RegExp>> = { 'control-bytes': /^Control bytes/, 'fork-empty': /"fork":/ }
    const found = lines.flatMap((line) => line.faults)
    expect(found.map(({ line, kind }) => [line, kind])).toEqual(faults.map(({ line }) => [line, 'repaired-line']))
    for (const [index, { repaired }] of faults.entries()) expect(found[index]!.message).toMatch(repairs[repaired]!)
  })

  test('who it is, its title, what it was forked from, its leaves', async () => {
    const { tree } = await open(name)
    expect(tree.session).toMatchObject({ id: expected.id, title: expected.title })
    expect(tree.session.parent?.id ?? null).toBe(expected.forkedFrom)
    expect(tree.leaves).toHaveLength(expected.leaves)
    expect(tree.session.origin).toBe(name.startsWith('sub_') ? 'subagent' : 'user')
  })

  test('the context', async () => {
    const { messages, entry } = await shellAgent.context(await open(name), null)
    const text = (kind: MessageDraft['kind']) => messages.find((message) => message.kind === kind)?.text ?? null
    expect(text('system')?.trimEnd() ?? null).toBe(expected.context.plan)
    expect(text('compaction-summary')?.trimEnd() ?? null).toBe(expected.context.summary)
    expect(messages.filter(({ kind }) => kind === 'message').map(brief)).toEqual(expected.context.messages)
    expect(entry).toBe(expected.conversation.lines === 0 ? null : `c${expected.conversation.lines}`)
    const draft = readFileSync(join(project, name, 'plan.draft'), 'utf8').trim()
    expect(draft !== '').toBe(expected.planDraftNotInContext)
    if (draft !== '') expect(JSON.stringify(messages)).not.toContain(JSON.stringify(draft).slice(1, -1))
  })

  test('the turns, as they are replayed', async () => {
    const session = await open(name)
    const events = await shellAgent.replay!(session, 1000)
    const turns: { user: string; items: string[] }[] = []
    for (const { kind, text, entry } of events!) {
      const record = session.records.entries[session.tree.nodes.findIndex(({ id }) => id === entry)]!
      // What sub-agents say is shown and not listed there.
      if (kind === 'custom') continue
      if (kind === 'user') turns.push({ user: text, items: [] })
      else turns.at(-1)!.items.push(`${kind.replace('-', '_')}: ${record.facts['call'] ?? text}`)
    }
    expect(turns).toEqual(expected.eventTurns.map(({ user, items }) => ({ user, items })))
    const prompts = session.records.entries.filter(
      ({ file, role }) => file === fileOf(session, 'events.jsonl') && role === 'user'
    )
    expect(prompts.map(({ line }) => line)).toEqual(expected.eventTurns.map(({ line }) => line))
  })

  test('its compactions', async () => {
    const session = await open(name)
    const { records, tree } = session
    const found = [...records.entries.keys()].filter((at) => records.entries[at]!.kind === 'compaction')
    expect(found.map((at) => tree.nodes[at]!.id)).toEqual(expected.compactions.map((one) => `e${one.eventLines[0]}`))
    expect(tree.session.compactions).toBe(expected.compactions.length)
    for (const [index, at] of found.entries()) {
      const one = expected.compactions[index]!
      const note = await shellAgent.compaction(session, at)
      expect(note).toMatchObject({ trigger: one.trigger })
      expect(note.summary?.trimEnd()).toBe(one.summary)
      const before = await shellAgent.context(session, tree.nodes[at]!.parent)
      const after = await shellAgent.context(session, at)
      const prompts = (messages: readonly MessageDraft[]) =>
        messages.filter(({ kind, role, blocks }) => kind === 'message' && role === 'user' && blocks[0]?.type === 'text')
      const keptIds = new Set(after.messages.flatMap(({ sources }) => sources))
      const dropped = before.messages.filter(({ sources }) => !keptIds.has(sources[0]!))
      expect(prompts(before.messages)).toHaveLength(one.turnsBefore)
      expect(prompts(after.messages)).toHaveLength(one.turnsKept)
      expect(prompts(dropped).map(({ text }) => text)).toEqual(one.dropped)
      expect(one.turnsBefore - one.turnsKept).toBe(one.turnsDropped)
      if (one.keptLines !== undefined)
        expect(after.messages.filter(({ kind }) => kind === 'message')).toHaveLength(one.keptLines)
      const ids = new Map(tree.nodes.map(({ id }, position) => [id, position]))
      for (const { sources } of dropped) expect(note.covered!.has(ids.get(sources[0]!)!)).toBe(true)
    }
  })

  test('its usage, by who spent it, and what stats.json says', async () => {
    const { records, tree } = await open(name)
    const requests = shellAgent.requests(records, tree)
    const spent = (kind?: string) =>
      sumUsage(
        requests.flatMap((request) => {
          const record = records.entries[request.at]!
          return kind === undefined || record.facts['kind'] === kind ? [request.usage ?? record.usage!] : []
        })
      )
    const { usage, usageByKind, stats } = expected
    if (usage !== null) expect(tree.session.usage).toMatchObject(usage)
    else expect(tree.session.usage).toMatchObject(stats.totals!)
    expect(spent()).toEqual(tree.session.usage)
    for (const [kind, members] of Object.entries(usageByKind)) expect(spent(kind)).toMatchObject(members)
    expect(tree.faults.filter(({ kind }) => kind === 'stats-drift')).toHaveLength(stats.drift?.length ?? 0)
    const contexts = requests.flatMap(({ contextTokens }) => contextTokens ?? [])
    if (stats.present) expect(contexts.at(-1)).toBe(stats.contextTokens)
    const reported = requests.flatMap(({ subagents }) => subagents ?? [])
    expect(expected.subAgents.map(({ id }) => id)).toEqual(expect.arrayContaining(reported))
  })
})

/** Lines, not entries: tokens that ran together count each. */
function linesByKind({ records }: ReadSession, file: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { file: own, facts, role, kind } of records.entries) {
    if (own !== file) continue
    const name = String(facts['type'] ?? (kind === 'tool-result' ? 'tool-results' : role))
    counts[name] = (counts[name] ?? 0) + Number(facts['tokens'] ?? 1)
  }
  return counts
}

function brief({ role, blocks }: MessageDraft): string {
  return `${role}: ${blocks.map(briefBlock).join('|')}`
}

function briefBlock(block: Message['blocks'][number]): string {
  switch (block.type) {
    case 'text':
      return block.text.slice(0, 40)
    case 'thinking':
      return block.text === '' ? '[thinking empty]' : '[thinking]'
    case 'tool-call':
      return `[tool_use:${block.id}]`
    case 'tool-result':
      return `[tool_result:${block.callId}]`
    default:
      return `[${block.type}]`
  }
}
