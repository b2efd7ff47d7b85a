import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import { BranchResult } from '#shared/contract/branch.ts'
import { ExportResult } from '#shared/contract/export.ts'
import { ByteLedger } from '#shared/contract/session.ts'
import { DefaultLeaf, Entry, Leaf, Note } from '#shared/model/entry.ts'
import { Fault } from '#shared/model/fault.ts'
import { Context, type Message } from '#shared/model/message.ts'
import { Session } from '#shared/model/session.ts'
import { sourceLines, sourceObjects, type SourceObject } from './testing/source-objects.ts'
import { makeWorkplace } from './testing/treeline.ts'

const root = join(corpus!, 'omp-pi')
const files = globSync('**/*.jsonl', { cwd: root }).toSorted()
const pathOf = (name: string) => join(root, name)
const workplace = makeWorkplace()
const { treeline } = workplace

const strict = <const S extends v.ObjectEntries>(entries: S) => v.strictObject(entries)
const Shown = strict({
  session: strict(Session.entries),
  entries: v.array(strict(Entry.entries)),
  leaves: v.array(Leaf),
  defaultLeaf: DefaultLeaf,
  faults: v.array(strict(Fault.entries)),
  notes: v.array(Note)
})
const Verified = strict({ files: v.number(), findings: v.array(Fault), bytes: strict(ByteLedger.entries) })

const show = async (name: string, ...more: string[]) =>
  v.parse(Shown, (await treeline('show', pathOf(name), '--json', ...more)).json())
const contextOf = async (file: string, ...more: string[]) =>
  v.parse(strict(Context.entries), (await treeline('context', file, '--json', ...more)).json())

const hashes = () =>
  files.map((name) =>
    createHash('sha256')
      .update(readFileSync(pathOf(name)))
      .digest('hex')
  )
let before: string[] = []
beforeAll(() => void (before = hashes()))
afterAll(() => {
  workplace.remove()
  expect(hashes()).toEqual(before)
})

/** Objects that are entries: all but the headers and title slots. */
const entriesIn = (file: Buffer) =>
  sourceObjects(file).filter(({ value }) => value.type !== 'session' && value.type !== 'title')

/** The public ids of a file's entries by the table of ids, in file order. */
function idsOf(objects: readonly SourceObject[]): string[] {
  const stored = objects.map(({ value }) => (typeof value.id === 'string' && value.id !== '' ? value.id : null))
  return objects.map(({ line, part }, index) => {
    const id = stored[index]
    if (id === null || id === undefined) return part === 1 ? `L${line}` : `L${line}.${part}`
    return stored.lastIndexOf(id) === index ? id : `${id}@${line}`
  })
}

describe.each(files)('%s', (name) => {
  const file = readFileSync(pathOf(name))
  const objects = entriesIn(file)
  const ids = idsOf(objects)

  test('show has every entry with its own bytes, and names its leaves', async () => {
    const { session, entries, leaves, defaultLeaf } = await show(name)
    expect(session.file).toBe(pathOf(name))
    expect(entries.map(({ id }) => id)).toEqual(ids)
    expect(entries.map(({ line }) => line)).toEqual(objects.map(({ line }) => line))
    entries.forEach(({ bytes }, index) => {
      const [offset, length] = bytes!
      expect(JSON.parse(file.subarray(offset, offset + length).toString())).toEqual(objects[index]!.value)
    })
    const parents = new Set(entries.map(({ parent }) => parent))
    expect(leaves.map(({ id }) => id)).toEqual(ids.filter((id) => !parents.has(id)))
    for (const leaf of leaves) {
      let depth = 0
      for (let id: string | null = leaf.id; id !== null; depth += 1)
        id = entries.find((entry) => entry.id === id)!.parent
      expect(leaf.depth).toBe(depth)
    }
    expect(defaultLeaf).toEqual({
      id: ids.at(-1) ?? null,
      reason: ids.length === 0 ? 'empty' : leaves.length === 1 ? 'only-leaf' : 'last-entry'
    })
    expect(session.entries).toBe(entries.length)
    expect(session.leaves).toBe(leaves.length)
    expect(session.compactions).toBe(objects.filter(({ value }) => value.type === 'compaction').length)
    expect(entries.every(({ preview }) => [...preview].length <= 200)).toBe(true)
  })

  test('parents are as stored, the line before in v1', async () => {
    const { entries } = await show(name)
    const version1 = sourceObjects(file).some(({ value }) => value.type === 'session' && value.version === undefined)
    entries.forEach(({ parent }, index) => {
      const stored = objects[index]!.value.parentId
      if (version1) expect(parent).toBe(ids[index - 1] ?? null)
      else if (ids.includes(stored) && !name.includes('cycle')) expect(parent).toBe(stored)
      else if (!name.includes('cycle')) expect(parent).toBe(null)
    })
  })

  test('verify counts every byte once, and exits by what it found', async () => {
    const printed = await treeline('verify', pathOf(name), '--json')
    const { files: count, findings, bytes } = v.parse(Verified, printed.json())
    expect(count).toBe(1)
    expect(bytes.total).toBe(file.length)
    expect(bytes.entries + bytes.faults + bytes.blank).toBe(file.length)
    const bad = sourceLines(file).filter((line) => {
      try {
        return typeof JSON.parse(line.bytes.toString()) !== 'object'
      } catch {
        return line.bytes.toString().trim() !== ''
      }
    })
    if (bad.length === 0) expect(bytes.faults).toBe(0)
    const wrong = findings.filter(({ severity }) => severity !== 'info')
    expect(printed.exitCode).toBe(wrong.length === 0 ? 0 : 1)
    expect(printed.stderr === '').toBe(wrong.length === 0)
    for (const line of bad) expect(findings.some((finding) => finding.line === line.line)).toBe(true)
    for (const { offset, length } of findings) {
      if (offset !== null) expect(offset + (length ?? 0)).toBeLessThanOrEqual(file.length)
    }
  })

  test('every message of the context is made of its source lines', async () => {
    const context = await contextOf(pathOf(name))
    const known = new Map(ids.map((id, index) => [id, objects[index]!.value]))
    for (const message of context.messages) {
      const source = known.get(message.sources[0]!)
      expect(source).toBeDefined()
      if (!editedBy(objects).has(message.sources[0]!)) expect(message.text).toBe(textOf(source))
      expect(message.tokens).toBeGreaterThanOrEqual(0)
    }
    const inContext = new Set(context.messages.flatMap(({ sources }) => sources))
    for (const { entry } of context.omitted) expect(inContext.has(entry)).toBe(false)
  })

  test('export of the file is the file', async () => {
    const out = join(workplace.folder, `whole-${basename(name)}`)
    const result = v.parse(
      ExportResult,
      (await treeline('export', pathOf(name), '--as', 'jsonl', '--out', out, '--json')).json()
    )
    expect(readFileSync(out).equals(file)).toBe(true)
    expect(result).toEqual({
      out,
      as: 'jsonl',
      bytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
      entries: ids.length,
      addedLineFeeds: 0,
      redacted: null,
      resumable: true,
      source: { file: pathOf(name), ranges: file.length === 0 ? [] : [[0, file.length]] }
    })
  })
})

const editedBy = (objects: readonly SourceObject[]) =>
  new Set(objects.filter(({ value }) => value.type === 'context_edit').map(({ value }) => value.targetId as string))

/** The text of a message by its line alone: text blocks joined by line feeds, a summary, a command with its output. */
// oxlint-disable-next-line typescript/no-explicit-any
function textOf(source: any): string {
  if (source.type === 'compaction' || source.type === 'branch_summary') return source.summary
  const message = source.type === 'custom_message' ? source : source.message
  if (message.role === 'bashExecution') return `${message.command}\n${message.output}`
  if (typeof message.content === 'string') return message.content
  return (message.content ?? [])
    .filter((block: { type: string }) => block.type === 'text')
    .map((block: { text: string }) => block.text)
    .join('\n')
}

describe('edge/expected.json', () => {
  interface Expected {
    readonly loaded: number
    readonly model?: { readonly provider: string; readonly modelId: string } | null
    readonly models?: { readonly default?: string }
    readonly msgs: readonly string[]
  }
  const expected = JSON.parse(readFileSync(pathOf('edge/expected.json'), 'utf8')) as Record<
    string,
    Record<string, Expected>
  >
  const cases = Object.entries(expected).flatMap(([name, by]) => [
    { name, agent: 'pi', expected: by['pi-1.6.0']! },
    { name, agent: 'omp', expected: by['omp-18.2.9']! }
  ])

  test.each(cases)('$name as $agent', async ({ name, agent, expected: { loaded, model, models, msgs } }) => {
    const context = await contextOf(pathOf(`edge/${name}`), '--agent', agent)
    expect(context.messages.map(asExpected)).toEqual(msgs)
    const [provider, modelName] = models?.default?.split('/') ?? [model?.provider, model?.modelId]
    expect(context.model).toEqual(provider === undefined ? null : { provider, name: modelName })
    const { session } = await show(`edge/${name}`, '--agent', agent)
    expect(session.agent).toBe(agent)
    // `loaded` counts the header; without one the agents load nothing, and we still show what is there.
    if (loaded > 0) expect(session.entries).toBe(loaded - 1)
  })

  const asExpected = ({ role, text, blocks }: Message) => {
    const calls = blocks.flatMap((block) => (block.type === 'tool-call' ? [`[toolCall:${block.id}]`] : []))
    return `${role}: ${[...(text === '' ? [] : [text]), ...calls].join('|').slice(0, 60)}`
  }
})

describe.each(['pi-writer-1.6', 'omp-writer-18.2.9'])('%s/oracle-contexts.json', (folder) => {
  interface Oracle {
    readonly file: string
    readonly leaves: Record<
      string,
      { n: number; roles: string[]; model?: { provider: string; modelId: string }; thinkingLevel?: string }
    >
    readonly defaultLeaf: string
    readonly usage?: Record<string, number>
  }
  const oracle = JSON.parse(readFileSync(pathOf(`${folder}/oracle-contexts.json`), 'utf8')) as Oracle
  const name = files.find((file) => file.startsWith(folder) && basename(file) === oracle.file)!
  const values = new Map(entriesIn(readFileSync(pathOf(name))).map(({ value }) => [value.id as string, value]))

  test.each(Object.entries(oracle.leaves))('the context at %s', async (entry, { n, roles, model, thinkingLevel }) => {
    const context = await contextOf(pathOf(name), '--entry', entry)
    const seen = context.messages.map(({ role, stopReason, sources }) => {
      const customType: string | undefined = values.get(sources[0]!).customType
      if (role === 'custom' && folder.startsWith('pi')) return `${role}:${customType}`
      return stopReason === null ? role : `${role}:${stopReason}`
    })
    expect(seen).toEqual(roles)
    expect(context.messages).toHaveLength(n)
    expect(context.entry).toBe(entry)
    if (model !== undefined) expect(context.model).toEqual({ provider: model.provider, name: model.modelId })
    if (thinkingLevel !== undefined) expect(context.thinking).toBe(thinkingLevel)
    for (const message of context.messages) {
      if (!editedBy([...values.values()].map((value) => ({ value }) as SourceObject)).has(message.sources[0]!))
        expect(message.text).toBe(textOf(values.get(message.sources[0]!)))
    }
  })

  test('the default entry and the totals', async () => {
    const { session, defaultLeaf, entries } = await show(name)
    expect(defaultLeaf).toEqual({ id: oracle.defaultLeaf, reason: 'last-entry' })
    const usage = oracle.usage ?? sumOf([...values.values()])
    for (const member of ['input', 'output', 'cacheRead', 'cacheWrite'] as const)
      expect(session.usage[member]).toBe(usage[member])
    expect(session.usage.total).toBe(usage['totalTokens'])
    expect(session.usage.cost).toBeCloseTo(usage['cost']!, 9)
    const listed = entries.reduce((sum, entry) => sum + (entry.usage?.total ?? 0), 0)
    expect(listed).toBe(session.usage.total)
  })
})

/** The meter of pi 1.6: answers, results, usage entries, compactions and branch summaries of all branches. */
// oxlint-disable-next-line typescript/no-explicit-any
function sumOf(entries: readonly any[]): Record<string, number> {
  const sum: Record<string, number> = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 0 }
  for (const entry of entries) {
    const usage = entry.type === 'message' ? entry.message.usage : entry.usage
    if (usage === undefined) continue
    for (const member of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) {
      sum[member]! += usage[member] ?? 0
      sum['totalTokens']! += usage[member] ?? 0
    }
    sum['cost']! += usage.cost?.total ?? 0
  }
  return sum
}

test('list finds every session at any depth, newest first', async () => {
  const printed = await treeline('list', root, '--json')
  expect(printed.exitCode).toBe(0)
  const { sessions, faults } = v.parse(
    strict({ sessions: v.array(strict(Session.entries)), faults: v.array(Fault) }),
    printed.json()
  )
  const listed = sessions.map(({ file }) => file.slice(root.length + 1)).toSorted()
  // An empty file is no session of anyone.
  expect(listed).toEqual(files.filter((name) => readFileSync(pathOf(name)).length > 0))
  const times = sessions.map(({ updatedAt }) => updatedAt ?? '')
  expect(times).toEqual([...times].toSorted().toReversed())
  expect(faults.length).toBe(sessions.reduce((sum, session) => sum + session.faults, 0))
})

test('verify of the folder adds up to the files', async () => {
  const { files: count, bytes } = v.parse(Verified, (await treeline('verify', root, '--json')).json())
  const sizes = files.map((name) => readFileSync(pathOf(name)).length)
  expect(count).toBe(sizes.filter((size) => size > 0).length)
  expect(bytes.total).toBe(sizes.reduce((sum, size) => sum + size, 0))
  expect(bytes.entries + bytes.faults + bytes.blank).toBe(bytes.total)
})

describe.each(['pi-writer-1.6/--home-user-project--', 'omp-writer-18.2.9/agent/sessions/-project', 'edge'])(
  'branches of %s',
  (folder) => {
    const oldest = files.filter((name) => dirname(name) === folder && readFileSync(pathOf(name)).length > 0)[
      folder === 'edge' ? 2 : 0
    ]!
    const file = pathOf(oldest)

    test('a branch at each entry that allows one has the context of that entry', { timeout: 300_000 }, async () => {
      const { entries, session } = await show(oldest)
      let written = 0
      for (const { id } of entries) {
        const out = join(workplace.folder, `${basename(oldest)}-${id}`)
        workplace.write(`${basename(oldest)}-${id}/keep`, '')
        const printed = await treeline('branch', file, '--entry', id, '--out', out, '--json')
        if (printed.exitCode === 1) {
          const { error } = printed.json<{
            error: { code: string; entry: string; nearest: string[]; message: string }
          }>()
          expect(error.code).toBe('not-resumable')
          expect(error.entry).toBe(id)
          expect(error.nearest.length).toBeGreaterThan(0)
          continue
        }
        written += 1
        const result = v.parse(BranchResult, printed.json())
        expect(dirname(result.file)).toBe(out)
        expect(result.source.sha256After).toBe(result.source.sha256Before)
        expect(result.written).toEqual([{ path: result.file, offset: 0, bytes: readFileSync(result.file).length }])
        const source = await contextOf(file, '--entry', id)
        const copy = await contextOf(result.file, '--agent', session.agent)
        // The blobs of images lie beside the agent's own folder of sessions, not beside this one.
        const content = ({ role, text, blocks }: Message) => ({
          role,
          text,
          blocks: blocks.map((block) => (block.type === 'image' ? { ...block, bytes: null } : block))
        })
        expect(copy.messages.map(content)).toEqual(source.messages.map(content))
        expect(copy.model).toEqual(source.model)
        expect(copy.thinking).toBe(source.thinking)
        expect(result.tokens).toBe(
          copy.messages.reduce((sum, { tokens, sent }) => sum + (sent === false ? 0 : tokens), 0)
        )
        const [first, second] = sourceObjects(readFileSync(result.file))
        const header = first!.value.type === 'title' ? second!.value : first!.value
        expect(header).toMatchObject({ type: 'session', version: 3, id: result.sessionId, parentSession: file })
        expect(basename(result.file)).toContain(result.sessionId)
        const stayed = await treeline('verify', result.file, '--json')
        expect(v.parse(Verified, stayed.json()).findings.filter(({ severity }) => severity === 'error')).toEqual([])
      }
      expect(written).toBeGreaterThan(0)
    })

    test('an export of a path is the slices of its entries', { timeout: 120_000 }, async () => {
      const { entries } = await show(oldest)
      const bytes = readFileSync(file)
      const objects = entriesIn(bytes)
      const ids = idsOf(objects)
      for (const { id } of entries.filter((_entry, index) => index % 9 === 0)) {
        const path = new Set<string>()
        for (let at: string | null = id; at !== null; at = entries.find((entry) => entry.id === at)!.parent)
          path.add(at)
        const preamble = sourceObjects(bytes)
          .filter(({ value }) => value.type === 'session' || value.type === 'title')
          .map(({ line }) => line)
        const lines = new Set([
          ...preamble,
          ...objects.filter((_object, index) => path.has(ids[index]!)).map(({ line }) => line)
        ])
        const expected = Buffer.concat(
          sourceLines(bytes)
            .filter(({ line }) => lines.has(line))
            .map((line) => line.bytes)
        )
        const out = join(workplace.folder, `path-${basename(oldest)}-${id}`)
        const result = v.parse(
          ExportResult,
          (await treeline('export', file, '--entry', id, '--as', 'jsonl', '--out', out, '--json')).json()
        )
        const added = expected.at(-1) === 0x0a ? 0 : 1
        expect(readFileSync(out).toString()).toBe(expected.toString() + '\n'.repeat(added))
        expect(result.addedLineFeeds).toBe(added)
        expect(result.entries).toBe(path.size)
        const copied = Buffer.concat(
          result.source.ranges.map(([offset, length]) => bytes.subarray(offset, offset + length))
        )
        expect(copied.equals(expected)).toBe(true)
      }
    })
  }
)

test('glued objects of a version 1 file are both there, and a path through them has a line for each', async () => {
  const name = files.find((file) => basename(file).startsWith('2025-12-24'))!
  const bytes = readFileSync(pathOf(name))
  const glued = sourceObjects(bytes).filter(({ part }) => part === 2)
  expect(glued.map(({ line }) => line)).toEqual([1013])
  const { entries, faults } = await show(name)
  expect(entries.filter(({ line }) => line === 1013).map(({ id }) => id)).toEqual(['L1013', 'L1013.2'])
  expect(faults.filter(({ kind }) => kind === 'fused-lines').map(({ line }) => line)).toEqual([1013])
  const out = join(workplace.folder, 'glued.jsonl')
  const result = v.parse(
    ExportResult,
    (await treeline('export', pathOf(name), '--entry', 'L1013.2', '--as', 'jsonl', '--out', out, '--json')).json()
  )
  expect(result.addedLineFeeds).toBe(bytes.at(-1) === 0x0a ? 1 : 2)
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(sourceObjects(bytes).map(({ value }) => value))
})
