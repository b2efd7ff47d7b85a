import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#shared/contract/refusal.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { Format, SessionSet } from './format.ts'
import { type ReadLine, type ReadSession, readFrom, readSession, streamOf, viewOf } from './testing.ts'

export interface Fixture {
  readonly name: string
  readonly set: SessionSet
  /** The bytes of each file of the set. */
  readonly bytes: readonly Buffer[]
  /** Bytes that make one more line of the main file, with one more entry. */
  readonly more: Buffer
}

const now = new Date('2026-12-01T10:20:30.456Z')

/** What holds for every format, whatever its files look like. */
export function conformance(format: Format, fixtures: readonly Fixture[]): void {
  describe.each(fixtures)(`${format.label}: $name`, (fixture) => {
    const { set, bytes } = fixture
    const read = (): Promise<ReadSession> => readSession(format, set, bytes)

    test('files that grow in any steps give the entries and the tree of files read at once', async () => {
      const whole = await read()
      await fc.assert(
        fc.asyncProperty(fc.array(steps(bytes), { maxLength: 12 }), async (sizes) => {
          const grown = await readGrowing(format, set, bytes, sizes)
          expect(grown.lines).toEqual(whole.lines)
          expect(grown.records).toEqual(whole.records)
          expect(plain(grown)).toEqual(plain(whole))
        }),
        { numRuns: 40 }
      )
    })

    test('a reader goes on after a restart behind any line', async () => {
      const whole = await read()
      expect((await readGrowing(format, set, bytes, [], true)).lines).toEqual(whole.lines)
    })

    test('a half-written last line waits, and is read once it is whole', async () => {
      const whole = await read()
      const last = whole.lines.findLast((line) => line.file === 0)
      const main = bytes[0] ?? Buffer.alloc(0)
      for (const cut of [1, Math.ceil((last?.length ?? 0) / 2)]) {
        const torn = [main.subarray(0, Math.max(0, main.length - cut)), ...bytes.slice(1)]
        const early = await readSession(format, set, torn)
        const complete = early.lines.filter((line) => line.file === 0 && line.end > 0)
        expect(complete).toEqual(whole.lines.filter((line) => line.file === 0).slice(0, complete.length))
        const sizes = bytes.map((_, file) => torn[file]?.length ?? 0)
        expect((await readGrowing(format, set, bytes, [sizes])).lines).toEqual(whole.lines)
      }
    })

    test('an appended line gives exactly one more entry and changes no other', async () => {
      const before = await read()
      const after = await readSession(
        format,
        set,
        bytes.map((own, file) => (file === 0 ? Buffer.concat([own, fixture.more]) : own))
      )
      const [old, grown] = [before, after].map(({ records, tree }) =>
        records.entries.flatMap((entry, at) =>
          entry.synthetic === undefined ? [{ entry, id: tree.nodes[at]?.id }] : []
        )
      )
      expect(grown).toHaveLength((old?.length ?? 0) + 1)
      const added = grown?.findLastIndex(({ entry }) => entry.file === 0) ?? -1
      expect(grown?.toSpliced(added, 1)).toEqual(old)
    })

    test('ids are unique, parents exist, every walk up ends, and the leaves are who has no child', async () => {
      const { tree, records } = await read()
      expect(tree.nodes).toHaveLength(records.entries.length)
      expect(new Set(tree.nodes.map((node) => node.id)).size).toBe(tree.nodes.length)
      const parents = new Set(tree.nodes.map((node) => node.parent))
      const isMessage = (at: number) => records.files[records.entries[at]?.file ?? 0]?.role !== 'events'
      expect(tree.leaves).toEqual([...tree.nodes.keys()].filter((at) => !parents.has(at) && isMessage(at)))
      for (const at of tree.nodes.keys()) {
        const walk = new Set<number>()
        for (let above = at; above !== -1; above = tree.nodes[above]?.parent ?? Number.NaN) {
          expect(tree.nodes[above]).toBeDefined()
          expect(walk.has(above)).toBe(false)
          walk.add(above)
        }
      }
      const ids = tree.nodes.map((node) => node.id)
      expect(tree.defaultLeaf.id === null ? ids : [tree.defaultLeaf.id]).toEqual(
        tree.defaultLeaf.id === null ? [] : expect.arrayContaining([expect.toBeOneOf(ids)])
      )
      for (const fault of tree.faults) expect([null, ...ids]).toContain(fault.entry)
    })

    test('every byte is in one line of one class, and every entry lies in its line', async () => {
      const { lines } = await read()
      for (const file of set.files.keys()) {
        let offset = 0
        let faults = 0
        for (const line of lines.filter((other) => other.file === file)) {
          expect(line.offset).toBe(offset)
          let from = line.offset
          for (const [index, entry] of line.entries.entries()) {
            // Several entries may lie in the same bytes.
            if (isDeepStrictEqual(entry.bytes, line.entries[index - 1]?.bytes)) continue
            expect(entry.bytes[0]).toBeGreaterThanOrEqual(from)
            from = entry.bytes[0] + entry.bytes[1]
          }
          expect(from).toBeLessThanOrEqual(line.offset + line.length - line.end)
          const { grown } = line
          expect(line.entries.length > 0 || grown !== undefined).toBe(line.class === 'entry')
          if (grown !== undefined) {
            expect(line.end).toBeGreaterThan(0)
            expect(line.entries).toEqual([])
            expect(grown.bytes[0] + grown.bytes[1]).toBe(line.offset + line.length - line.end)
          }
          faults += line.faults.length
          if (line.class === 'fault') expect(faults).toBeGreaterThan(0)
          offset += line.length
        }
        expect(offset).toBe(await decodedSize(format, fixture, file))
      }
    })

    test('usage adds up', async () => {
      const { tree, records } = await read()
      const { usage } = tree.session
      const sum = [usage.input, usage.cacheRead, usage.cacheWrite, usage.output].reduce<number>(
        (all, part) => all + (part ?? 0),
        0
      )
      expect(usage.total ?? 0).toBe(sum)
      const requests = format.requests(records, tree)
      const recorded = requests.map((request) => request.usage ?? records.entries[request.at]?.usage)
      expect(recorded.every((one) => one !== null && one !== undefined)).toBe(true)
      const all = recorded.reduce((total, one) => total + (one?.total ?? 0), 0)
      expect((usage.total ?? 0) + usage.inherited + (usage.auxiliary ?? 0)).toBeLessThanOrEqual(all)
      expect(usage.unknown).toBeLessThanOrEqual(usage.requests)
    })

    test('rows and contexts can be had of every entry', async () => {
      const session = await read()
      for (const [at, node] of session.tree.nodes.entries()) {
        expect(session.tree.row(at).summary).not.toContain('\n')
        const context = await format.context(session, at)
        expect(context.entry).toBe(node.id)
        for (const { kind, sources } of context.messages) if (kind === 'message') expect(sources).not.toEqual([])
      }
      const { defaultEntry, defaultLeaf } = session.tree
      expect((await format.context(session, null)).entry).toBe(
        defaultEntry === undefined ? defaultLeaf.id : defaultEntry
      )
    })

    test('what it says of branching is what planning one does', async () => {
      const session = await read()
      for (const at of session.tree.nodes.keys()) {
        const point = format.branchPoint(session, at)
        const plan = format.planBranch(session, { at, now, into: null })
        if (point.kind === 'allowed') {
          expect(format.can.branch).toBe(true)
          expect((await plan).entries).toBeGreaterThan(0)
          continue
        }
        await expect(plan).rejects.toBeInstanceOf(Refusal)
        for (const id of point.nearest) {
          const near = session.tree.nodes.findIndex((node) => node.id === id)
          expect(format.branchPoint(session, near).kind).toBe('allowed')
        }
      }
    })
  })

  test(`${format.label}: no bytes make its reader throw`, () => {
    const [first] = fixtures
    if (first === undefined) return
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.uint8Array(),
            pieceOfJson.map((text) => Buffer.from(text))
          ),
          { maxLength: 8 }
        ),
        (chunks) => {
          const reader = format.reader(first.set.files, null)
          let offset = 0
          chunks.forEach((chunk, index) => {
            const bytes = Buffer.from(chunk)
            reader.read({ file: 0, number: index + 1, offset, length: bytes.length + 1, end: 1, bytes, frame: null })
            offset += bytes.length + 1
          })
          reader.state()
        }
      )
    )
  })
}

const pieceOfJson = fc.oneof(
  fc.json(),
  fc.constantFrom(
    '{"type":"',
    '{"type":"session","id":"x"',
    '"}',
    '{}',
    '[]',
    'null',
    '\\ud800',
    '{"type":"message","message":null}'
  )
)

/** Sizes that each file of a set may have for a moment. */
function steps(bytes: readonly Buffer[]): fc.Arbitrary<readonly number[]> {
  return fc.tuple(...bytes.map((own) => fc.nat(own.length)))
}

/** What of a tree can be compared: all but its functions. */
function plain({ tree, records }: ReadSession): unknown {
  const all = [...tree.nodes.keys()]
  return {
    ...tree,
    row: all.map((at) => tree.row(at)),
    time: all.map((at) => tree.time?.(at)),
    position: all.map((at) => tree.position?.(at)),
    streamOf: all.map((at) => tree.streamOf?.(at)),
    preambleOf: records.files.map((_, file) => tree.preambleOf?.(file)),
    alongside: all.map((at) => tree.alongside?.(at))
  }
}

/**
 * Reads a set whose files are found in the given sizes, smallest first, then whole. Each time only what is new is
 * read, by a reader that got its state as JSON; an unterminated rest is read too and forgotten, as nothing is sure of it.
 * `oneByOne` restarts the reader behind every line. A document is rewritten whole, so it is read only at the end.
 */
async function readGrowing(
  format: Format,
  set: SessionSet,
  bytes: readonly Buffer[],
  sizes: readonly (readonly number[])[],
  oneByOne = false
): Promise<ReadSession> {
  const rounds = bytes.map((own, file) =>
    [...sizes.map((size) => size[file] ?? 0), own.length].toSorted((a, b) => a - b)
  )
  const lines: ReadLine[][] = bytes.map(() => [])
  const states: (JsonObject | null)[] = bytes.map(() => null)
  for (let round = 0; round <= sizes.length; round++) {
    const found = bytes.map((own, file) => own.subarray(0, rounds[file]?.[round] ?? 0))
    for (const [file, source] of set.files.entries()) {
      const isLast = round === sizes.length
      if (source.framing !== 'document' || isLast) await readOn(found, file, isLast)
    }
  }
  return viewOf(
    format,
    set,
    bytes,
    lines.flat(),
    states.map((state) => state ?? {})
  )

  async function readOn(found: readonly Buffer[], file: number, isLast: boolean): Promise<void> {
    const known = lines[file] ?? []
    for (let more = true; more;) {
      more = false
      const reader = format.reader(set.files, states[file] ?? null)
      states[file] = JSON.parse(JSON.stringify(reader.state()))
      const from = { offset: known.reduce((sum, line) => sum + line.length, 0), line: known.length }
      for await (const line of readFrom(format, set, found, reader, file, from)) {
        if (line.end === 0 && !isLast) break
        known.push(line)
        states[file] = JSON.parse(JSON.stringify(reader.state()))
        if (oneByOne && line.end > 0) {
          more = true
          break
        }
      }
    }
  }
}

async function decodedSize(format: Format, { set, bytes }: Fixture, file: number): Promise<number> {
  return (await streamOf(format, set, bytes, file).state()).length
}
