import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EntryRecord, JsonObject, SessionRecords } from '#shared/model/records.ts'
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

/** What can be said of an assembled session without asking for rows. */
function facts(entries: readonly EntryRecord[]) {
  const { row, ...rest } = assembleOmp(recordsOf(entries))
  return { ...rest, rows: entries.map((_, at) => row(at)) }
}

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'L2', '')
const draft = fc.record({
  /** Mostly as agents write, so that lists that grow soundly occur too. */
  isSound: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  id: fc.option(name),
  parent: fc.oneof(name, fc.constant(null), fc.constant(undefined)),
  calls: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 }),
  call: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined }),
  isCompaction: fc.boolean()
})
type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never

function entryOf({ isSound, id, parent, calls, call, isCompaction }: Draft, at: number, serial: number): EntryRecord {
  return {
    file: 0,
    line: at + 2,
    part: 1,
    bytes: [at * 10, 9],
    storedId: isSound ? `n${serial}` : id,
    storedParent: isSound ? (at === 0 ? null : `n${serial - 1}`) : parent,
    kind: isCompaction ? 'compaction' : 'message',
    role: 'assistant',
    time: at,
    preview: `${serial}`,
    model: null,
    usage: null,
    facts: { calls: calls.map((one) => [one, one]), ...(call !== undefined && { call }), kept: 'a' } as JsonObject
  }
}

test('a session that grew step by step is the one that is put together at once', () => {
  const step = fc.record({ cut: fc.nat(3), added: fc.array(draft, { maxLength: 5 }) })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean(), (steps, isSameList) => {
      let entries: EntryRecord[] = []
      let serial = 0
      for (const { cut, added } of steps) {
        // Cuts are rare in life: one step in four.
        const kept = entries.slice(0, cut === 3 ? Math.max(0, entries.length - 2) : entries.length)
        const grown = [...kept, ...added.map((one, index) => entryOf(one, kept.length + index, ++serial))]
        if (isSameList) entries.splice(0, Infinity, ...grown)
        else entries = grown
        expect(facts(entries)).toEqual(facts(structuredClone(entries)))
      }
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
  const sound: Draft = { isSound: true, id: null, parent: null, calls: [], call: undefined, isCompaction: false }
  const [a, b, c] = [0, 1, 2].map((at) => entryOf(sound, at, at))
  count([])
  count([a!, b!])
  count([a!, b!, c!])
  count([a!, c!])
  count([{ ...a! }, c!])
  expect(counts).toEqual([undefined, undefined, 2, undefined, undefined])
})
