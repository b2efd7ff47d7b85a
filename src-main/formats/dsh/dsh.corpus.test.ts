import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import type { JsonObject } from '#shared/model/records.ts'
import { asList, asObject, asString } from '../json.ts'
import { readPath, type ReadSession } from '../testing.ts'
import { dsh } from './index.ts'
import { generationsIn } from './locate.ts'
import { factsOf } from './schema.ts'

const project = '--home-user-project--'
const folder = (root: string, id: string) => join(corpus!, 'dsh', root, project, id)
const idsIn = (root: string) => readdirSync(join(corpus!, 'dsh', root, project))

interface Expected {
  readonly error?: string
  readonly events: number
  readonly last?: string
  readonly messages: readonly string[]
}

const expectedOf = (root: string): readonly (readonly [string, string, Expected])[] =>
  Object.entries(
    JSON.parse(readFileSync(join(corpus!, 'dsh', `${root}.expected.json`), 'utf8')) as Record<string, Expected>
  ).flatMap(([id, expected]) => (id.startsWith('_') ? [] : [[root, id, expected] as const]))

const readHighest = (root: string, id: string): Promise<ReadSession> => {
  const [highest] = generationsIn(readdirSync(folder(root, id)))
  return readPath(dsh, join(folder(root, id), highest!))
}

/** A message in the words of the expected results: role, then blocks, of texts the first 40 characters. */
function inWords(message: JsonObject): string {
  const blocks = asList(message['content']).map((stored) => {
    const block = asObject(stored) ?? {}
    const text = asString(block['text'])
    if (block['type'] === 'text' && text !== null) return text.slice(0, 40)
    return [block['type'], block['id'], block['toolCallId']].filter((part) => part !== undefined).join(':')
  })
  return `${String(message['role'])}:${blocks.join('|')}`
}

/** The conversation's messages as they are stored, by what the context names as their sources. */
async function storedMessages(session: ReadSession): Promise<readonly JsonObject[]> {
  const { messages } = await dsh.context(session, null)
  const at = messages.flatMap(({ kind, sources }) => (kind === 'system' ? [] : [Number(sources[0])]))
  const stored: JsonObject[] = []
  for await (const event of session.content.objects(at)) {
    const data = asObject(event?.['data']) ?? {}
    stored.push(asObject(data['message']) ?? (event?.['type'] === 'user/message' ? data : { ...data, role: '?' }))
  }
  return stored
}

const all = ['root-v0-none', 'root-v0-zstd', 'edge', 'edge-zstd'].flatMap(expectedOf)

describe.each(all.filter(([, , { error }]) => error === undefined))('%s/%s', (root, id, expected) => {
  test('has the events of the agent’s own reader, closers included', async () => {
    const { records } = await readHighest(root, id)
    expect(records.entries).toHaveLength(expected.events)
    const last = records.entries.at(-1)
    expect(last === undefined ? undefined : factsOf(last).type).toBe(expected.last)
  })

  test('has its messages', async () => {
    const session = await readHighest(root, id)
    const { messages } = await dsh.context(session, null)
    const shown = messages.filter(({ kind }) => kind !== 'system')
    expect(shown).toHaveLength(expected.messages.length)
    expect(shown.map(({ role, blocks }) => `${role}:${blocks.length}`)).toEqual(
      expected.messages.map((words) => `${words.slice(0, words.indexOf(':'))}:${blockCount(words)}`)
    )
    // Older payloads are stored in other shapes, so that only what the context shows of them can be compared.
    if (id !== 'legacy-v0-payloads') expect((await storedMessages(session)).map(inWords)).toEqual(expected.messages)
  })
})

/** Texts hold no `|` in these results. */
const blockCount = (words: string): number => words.slice(words.indexOf(':') + 1).split('|').length

test('what the agent refuses is shown with its version', async () => {
  const session = await readHighest('edge', 'future-version-6')
  expect(session.lines[0]?.faults).toMatchObject([
    { kind: 'unknown-version', message: expect.stringContaining('version 6') }
  ])
  expect(session.tree.notes).toMatchObject([{ tone: 'warning', text: expect.stringContaining('version 6') }, {}])
})

describe.each(idsIn('root-multi-generation'))('%s as v0, v2 and v3', (id) => {
  const read = (): Promise<readonly ReadSession[]> =>
    Promise.all(
      ['session.jsonl', 'session.v2.jsonl', 'session.v3.jsonl'].map((name) =>
        readPath(dsh, join(folder('root-multi-generation', id), name))
      )
    )

  test('is the same conversation, message by message', async () => {
    // Sources are renamed on the way, ids and content are not.
    const said = async (session: ReadSession) =>
      (await storedMessages(session)).map(({ id: own, role, content }) => ({ own, role, content }))
    const [v0, ...others] = await Promise.all((await read()).map(said))
    expect(v0?.length).toBeGreaterThan(0)
    for (const other of others) expect(other).toEqual(v0)
  })

  test('has the same usage, request by request', async () => {
    const [v0, ...others] = (await read()).map(({ records, tree }) => ({
      session: tree.session.usage,
      requests: dsh.requests(records, tree).map(({ at, usage, inherited, kind, contextTokens }) => ({
        usage: usage ?? records.entries[at]?.usage,
        model: records.entries[at]?.model,
        inherited,
        kind,
        contextTokens
      }))
    }))
    for (const other of others) expect(other).toEqual(v0)
  })

  test('has the same compactions, of the same messages', async () => {
    const compactions = async (session: ReadSession) => {
      const { entries } = session.records
      const places = [...entries.keys()].filter((at) => entries[at]?.kind === 'compaction')
      const textsAt = async (at: number) =>
        (await dsh.context(session, at)).messages.flatMap(({ kind, text }) => (kind === 'system' ? [] : [text]))
      return Promise.all(
        places.map(async (at) => {
          const { covered, ...note } = await dsh.compaction(session, at)
          return { ...note, covered: covered?.size, before: await textsAt(at - 1), after: await textsAt(at) }
        })
      )
    }
    const [v0, ...others] = await Promise.all((await read()).map(compactions))
    for (const other of others) expect(other).toEqual(v0)
    if (id.startsWith('compaction-recovery')) {
      expect(v0).toMatchObject([{ covered: 1, recordedBefore: 266, recordedAfter: 4, trigger: null }])
    }
  })
})

test.each(['root-v0-none', 'root-v0-zstd', 'root-v3-zstd', 'root-multi-generation', 'derived-v4-unverified'])(
  '%s: nothing is wrong with any session',
  async (root) => {
    for (const id of idsIn(root)) {
      const { lines, tree } = await readHighest(root, id)
      expect([...lines.flatMap(({ faults }) => faults), ...tree.faults]).toEqual([])
    }
  }
)

/** In one a call came in no pieces, in the other names were replaced after it was recorded. */
const othersInPieces = ['code-mode-read-image', 'goal-multi-turn-actions']

test.each(idsIn('root-v0-none').filter((id) => !othersInPieces.includes(id)))(
  '%s: an answer says all that its stream says',
  async (id) => {
    const session = await readHighest('root-v0-none', id)
    const { records, tree } = session
    const streamed = new Map<number, string>()
    for (const at of records.entries.keys()) {
      const answer = tree.streamOf?.(at)?.answer ?? null
      if (answer === null) continue
      const { blocks } = await dsh.blocks(session, at)
      const said = blocks.flatMap(({ type, text }) => (type === 'other' ? [] : [text]))
      streamed.set(answer, (streamed.get(answer) ?? '') + said.join(''))
    }
    for (const [at, text] of streamed) {
      for await (const event of session.content.objects([at])) {
        const content = asList(asObject(asObject(event?.['data'])?.['message'])?.['content']).map((block) =>
          asObject(block)
        )
        expect(content.map((block) => asString(block?.['text'] ?? block?.['arguments']) ?? '').join('')).toBe(text)
      }
    }
    const answers = records.entries.filter((entry) => factsOf(entry).type === 'assistant/message')
    expect(streamed.size).toBe(answers.filter((entry) => (factsOf(entry).stream ?? -1) >= 0).length)
  }
)

test('only the highest generation of a directory is a session', () => {
  const path = folder('root-multi-generation', 'compaction-recovery')
  const listing = {
    path,
    files: readdirSync(path),
    folders: [],
    below: () => ({ files: [], folders: [] }),
    head: (name: string) => readFileSync(join(path, name)).subarray(0, 65_536)
  }
  expect(dsh.claim(listing)).toEqual([
    {
      files: [{ path: join(path, 'session.v3.jsonl'), role: 'log', framing: 'lines' }],
      agent: null,
      isDirectory: true,
      name: path,
      beside: { others: ['session.v2.jsonl', 'session.jsonl'] }
    }
  ])
})
