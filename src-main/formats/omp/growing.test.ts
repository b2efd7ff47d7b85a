import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EntryKind } from '#shared/model/entry.ts'
import type { EntryRecord, JsonObject, SessionRecords } from '#shared/model/records.ts'
import { sumUsage } from '#shared/model/usage.ts'
import type { Assembled } from '../format.ts'
import { assembleOmp } from './assemble.ts'
import { growing } from './growing.ts'
import { emptyState, stateToJson } from './schema.ts'

const header = { id: 's', version: 3, time: 1, cwd: null, title: null, parent: null, cacheKey: null }

const recordsOf = (entries: readonly EntryRecord[]): SessionRecords => ({
  files: [
    {
      path: '/s/a.jsonl',
      role: 'log',
      framing: 'lines',
      size: 1,
      length: 1,
      modified: 1,
      state: stateToJson({ ...emptyState, phase: 'open', header })
    }
  ],
  agent: null,
  entries
})

/** All that an assembled session says. */
function facts(tree: Assembled) {
  const { row, ...rest } = tree
  return { ...rest, rows: tree.nodes.map((_, at) => row(at)) }
}

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'L2', '')
const anyDraft = fc.record({
  /** Mostly as agents write, so that lists that grow soundly occur too. */
  isSound: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  id: fc.option(name),
  parent: fc.oneof(name, fc.constant(null), fc.constant(undefined)),
  calls: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 }),
  call: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined }),
  kind: fc.constantFrom<EntryKind>('message', 'compaction', 'label', 'session-info'),
  role: fc.constantFrom('user', 'assistant', null),
  preview: fc.constantFrom('', 'words', 'other words'),
  model: fc.constantFrom(null, 'large', 'small'),
  tokens: fc.option(fc.nat(9)),
  target: fc.constantFrom('a', 'n1', 'n2'),
  name: fc.constantFrom('', 'one', 'two')
})
type Draft = typeof anyDraft extends fc.Arbitrary<infer T> ? T : never

function entryOf(draft: Draft, at: number, serial: number): EntryRecord {
  const { isSound, id, parent, calls, call, kind, role, preview, model, tokens, target } = draft
  return {
    file: 0,
    line: at + 2,
    part: 1,
    bytes: [at * 10, 9],
    storedId: isSound ? `n${serial}` : id,
    storedParent: isSound ? (at === 0 ? null : `n${serial - 1}`) : parent,
    kind,
    role,
    time: at,
    preview,
    model,
    usage: tokens === null ? null : { ...sumUsage([]), requests: 1, input: tokens, output: null, total: tokens },
    facts: {
      calls: calls.map((one) => [one, one]),
      ...(call !== undefined && { call }),
      kept: 'n1',
      target,
      name: draft.name
    } as JsonObject
  }
}

test('a session that grew step by step is the one that is put together at once', () => {
  const step = fc.record({ cut: fc.nat(3), added: fc.array(anyDraft, { maxLength: 5 }) })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean(), (steps, isSameList) => {
      let entries: EntryRecord[] = []
      let serial = 0
      const earlier: { readonly tree: Assembled; readonly said: unknown }[] = []
      for (const { cut, added } of steps) {
        // Cuts are rare in life: one step in four.
        const kept = entries.slice(0, cut === 3 ? Math.max(0, entries.length - 2) : entries.length)
        const grown = [...kept, ...added.map((one, index) => entryOf(one, kept.length + index, ++serial))]
        if (isSameList) entries.splice(0, Infinity, ...grown)
        else entries = grown
        const tree = assembleOmp(recordsOf(entries))
        const said = facts(tree)
        expect(said).toEqual(facts(assembleOmp(recordsOf(structuredClone(entries)))))
        if (!isSameList) earlier.push({ tree, said })
      }
      for (const { tree, said } of earlier) expect(facts(tree)).toEqual(said)
    }),
    { numRuns: 300 }
  )
})

test('what was made of the same records is handed on, and only of these', () => {
  const counts: (number | undefined)[] = []
  const count = growing<number>((entries, before) => {
    counts.push(before?.count)
    return entries.length
  })
  const [sound] = fc.sample(anyDraft, 1)
  const [a, b, c] = [0, 1, 2].map((at) => entryOf(sound!, at, at))
  count([])
  count([a!, b!])
  count([a!, b!, c!])
  count([a!, c!])
  count([{ ...a! }, c!])
  expect(counts).toEqual([undefined, undefined, 2, undefined, undefined])
})

test('and only where what stands beside them is the same', () => {
  const counts: (number | undefined)[] = []
  const count = growing<number, [string]>((_, before) => counts.push(before?.count))
  const [sound] = fc.sample(anyDraft, 1)
  const entries = [entryOf(sound!, 0, 0)]
  for (const beside of ['pi', 'pi', 'omp', 'pi']) count(entries, beside)
  expect(counts).toEqual([undefined, 1, undefined, undefined])
})
