import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { ContextDraft, MessageDraft } from '../format.ts'
import { type ReadSession, readPath } from '../testing.ts'
import { omp } from './index.ts'

const root = join(corpus!, 'omp-pi')
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('the edge cases, as the agents themselves loaded them', () => {
  const edge = join(root, 'edge')
  const expected = json(join(edge, 'expected.json'))
  const dialects = [
    ['pi', 'pi-1.6.0'],
    ['omp', 'omp-18.2.9']
  ] as const
  const cases = Object.keys(expected).flatMap((file) =>
    dialects.map(([agent, version]) => [file, agent, version] as const)
  )

  test.each(cases)('%s gives the messages and the model of %s', async (file, agent, version) => {
    const session = await readPath(omp, join(edge, file), agent)
    const context = await omp.context(session, null)
    const want = expected[file][version]
    expect(context.messages.map(printed)).toEqual(want.msgs)
    expect(loadedCount(session, context)).toBe(want.loaded)
    if (agent === 'pi') {
      expect(context.model).toEqual(
        want.model === null ? null : { provider: want.model.provider, name: want.model.modelId }
      )
    } else {
      expect(context.model === null ? undefined : `${context.model.provider}/${context.model.name}`).toBe(
        want.models.default
      )
    }
  })

  /** Role and the first 60 characters of the content as the expected file prints it. */
  function printed(message: MessageDraft): string {
    const parts = message.blocks.map((block) => {
      switch (block.type) {
        case 'text':
          return block.text
        case 'tool-call':
          return `[toolCall:${block.id}]`
        default:
          return `[${block.type}:]`
      }
    })
    return `${message.role}: ${parts.join('|').slice(0, 60)}`
  }

  /** What the agent itself parsed: header and entries, nothing without a header. */
  function loadedCount(session: ReadSession, context: ContextDraft): number {
    const opens = session.tree.faults.every((fault) => fault.kind !== 'missing-header')
    return opens && context.entry !== null ? session.records.entries.length + 1 : 0
  }
})

const writers = await Promise.all(
  [
    ['pi', 'pi-writer-1.6', '--home-user-project--'],
    ['omp', 'omp-writer-18.2.9', 'agent/sessions/-project']
  ].map(async ([agent, writer, folder]) => {
    const oracle = json(join(root, writer!, 'oracle-contexts.json'))
    const path = join(root, writer!, folder!, oracle.file)
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
    return {
      agent,
      oracle,
      session: await readPath(omp, path),
      lines: lines.map((line): JsonObject => JSON.parse(line))
    }
  })
)

describe.each(writers)('the contexts that $agent itself built', ({ agent, oracle, session, lines }) => {
  test('come from a file that is read in its own dialect', () => {
    expect(session.tree.agent).toBe(agent)
  })

  test('begin at the default leaf of the agent', () => {
    expect(session.tree.defaultLeaf).toEqual({ id: oracle.defaultLeaf, reason: 'last-entry' })
  })

  test.each(Object.keys(oracle.leaves))('have the same roles, model, thinking level and texts at %s', async (id) => {
    const want = oracle.leaves[id]
    const context = await omp.context(
      session,
      session.tree.nodes.findIndex((node) => node.id === id)
    )
    const typeOf = (message: MessageDraft) => lines.find((line) => line['id'] === message.sources[0])?.['customType']
    const roles = context.messages.map((message) => {
      if (message.role === 'assistant') return `assistant:${message.stopReason}`
      return message.role === 'custom' && agent === 'pi' ? `custom:${String(typeOf(message))}` : message.role
    })
    expect(roles).toEqual(want.roles)
    expect(context.messages).toHaveLength(want.n)
    expect(context).toMatchObject({
      ...(want.model === undefined ? {} : { model: { provider: want.model.provider, name: want.model.modelId } }),
      ...(want.thinkingLevel === undefined ? {} : { thinking: want.thinkingLevel })
    })
    expect(context.messages.map((message) => message.text)).toEqual(
      context.messages.map((message) => textOfLine(lines, message))
    )
  })
})

test('usage adds up to what omp itself counted', () => {
  const { oracle, session } = writers[1]!
  expect(session.tree.session.usage).toMatchObject({
    input: oracle.usage.input,
    output: oracle.usage.output,
    cacheRead: oracle.usage.cacheRead,
    cacheWrite: oracle.usage.cacheWrite,
    total: oracle.usage.totalTokens,
    inherited: 0
  })
  expect(session.tree.session.usage.cost).toBeCloseTo(oracle.usage.cost, 9)
})

/** The text of a message, read from its source's line without the format's own code. */
function textOfLine(lines: readonly JsonObject[], message: MessageDraft): string {
  const line = lines.find((other) => other['id'] === message.sources[0]) as Record<string, never> | undefined
  const stored = (line?.['message'] ?? line) as unknown as Record<string, unknown>
  if (typeof stored['summary'] === 'string') return stored['summary']
  if (stored['role'] === 'bashExecution') return `${String(stored['command'])}\n${String(stored['output'])}`
  const content = stored['content']
  if (typeof content === 'string') return content
  return (content as { type: string; text: string }[])
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('\n')
}

describe('the real files of the first version', () => {
  const folder = join(root, 'pi-real-v1')

  test.each(readdirSync(folder))('%s loses no byte and no object', async (file) => {
    const session = await readPath(omp, join(folder, file))
    const bytes = readFileSync(join(folder, file))
    expect(session.lines.reduce((sum, line) => sum + line.length, 0)).toBe(bytes.length)
    expect(session.lines.filter((line) => line.class === 'fault')).toEqual([])
    const objects = bytes
      .toString()
      .split('\n')
      .flatMap((line) => line.replaceAll(/\}(?=\{"type":"(?:message|compaction|thinking))/g, '}\n').split('\n'))
    expect(session.records.entries.length).toBe(objects.filter(Boolean).length - 1)
    expect(session.records.entries.every((entry) => entry.kind !== 'unknown' && entry.time !== null)).toBe(true)
  })

  test('the glued compaction names itself, so nothing is kept', async () => {
    const session = await readPath(
      omp,
      join(folder, '2025-12-24T00-32-27-967Z_2638daee-0588-4baa-bd33-68b4c002818e.jsonl')
    )
    const glued = session.lines.flatMap((line) => line.faults)
    expect(glued).toMatchObject([{ kind: 'fused-lines', line: 1013 }])
    const at = session.tree.nodes.findIndex((node) => node.id === 'L1013.2')
    expect(session.records.entries[at]).toMatchObject({ line: 1013, part: 2 })
  })
})
