import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { expect } from 'vitest'
import { Compaction, type Fate } from '#shared/model/compaction.ts'
import type { Entry } from '#shared/model/entry.ts'
import { Fault } from '#shared/model/fault.ts'
import type { Context, Message } from '#shared/model/message.ts'
import { sourceObjects } from './source-objects.ts'
import type { Workplace } from './treeline.ts'

const Printed = v.strictObject({ compactions: v.array(v.strictObject(Compaction.entries)), faults: v.array(Fault) })
const empty: readonly Message[] = []

/**
 * Holds every compaction of a pi or omp file against `context` at its parent and at it, and each fate against the rule,
 * which is worked out here from the file itself. Returns how many there are.
 */
export async function checkCompactions(treeline: Workplace['treeline'], file: string): Promise<number> {
  const { compactions, faults } = v.parse(Printed, (await treeline('compactions', file, '--json')).json())
  const { entries } = (await treeline('show', file, '--json')).json<{ entries: Entry[] }>()
  expect(compactions.map(({ entry }) => entry)).toEqual(
    entries.filter(({ kind }) => kind === 'compaction').map(({ id }) => id)
  )
  const contextAt = async (entry: string) =>
    (await treeline('context', file, '--entry', entry, '--json')).json<Context>().messages
  const parents = new Map(entries.map(({ id, parent }) => [id, parent]))
  const kinds = new Map(entries.map(({ id, kind }) => [id, kind]))
  const stored = new Map(
    sourceObjects(readFileSync(file)).map(({ offset, value }) => [
      entries.find(({ bytes }) => bytes?.[0] === offset)?.id,
      value
    ])
  )
  for (const compaction of compactions) {
    const { entry, before, after } = compaction
    const parent = parents.get(entry) ?? null
    const [was, is] = [parent === null ? empty : await contextAt(parent), await contextAt(entry)]
    expect(before.map(told)).toEqual(was.map(asTold))
    expect(after.map(told)).toEqual(is.map(asTold))
    expect(compaction.tokensBefore).toBe(sum(was))
    expect(compaction.tokensAfter).toBe(sum(is))
    expect(compaction.summary).toBe(stored.get(entry).summary ?? null)
    expect(compaction.recordedBefore).toBe(stored.get(entry).tokensBefore ?? null)
    expect(compaction.recordedAfter).toBe(stored.get(entry).tokensAfter ?? null)

    const path: string[] = []
    for (let at: string | null = parent; at !== null; at = parents.get(at) ?? null) path.unshift(at)
    const isKept = faults.every((fault) => fault.kind !== 'kept-entry-not-ancestor' || fault.entry !== entry)
    const first = path.indexOf(stored.get(entry).firstKeptEntryId)
    const covered = new Set(path.slice(0, isKept && first !== -1 ? first : path.length))
    for (const [index, fate] of before.entries()) {
      const message = was[index] ?? expect.fail('no such message')
      const others = is.filter(({ kind, sources }) => kind === message.kind && sources[0] === message.sources[0])
      if (others.length === 0) {
        // Ranges of a provider's own replacement and of the first version are worked out elsewhere.
        if (stored.get(entry).preserveData !== undefined || stored.get(entry).firstKeptEntryIndex !== undefined)
          continue
        const isIn = covered.has(fate.source) || kinds.get(fate.source) === 'compaction'
        expect([fate.source, fate.fate]).toEqual([fate.source, isIn ? 'summarised' : 'dropped'])
      } else {
        const isSame = others.some((other) => JSON.stringify(other.blocks) === JSON.stringify(message.blocks))
        expect([fate.source, fate.fate]).toEqual([fate.source, isSame ? 'kept' : 'rewritten'])
      }
    }
    const sources = new Set(before.map(({ source }) => source))
    for (const fate of after) expect(fate.fate === 'added').toBe(!sources.has(fate.source))
    for (const name of ['kept', 'rewritten'] as const) {
      expect(after.filter(({ fate }) => fate === name)).toHaveLength(before.filter(({ fate }) => fate === name).length)
    }
    expect(sum(before.filter(({ fate }) => fate === 'kept'))).toBe(sum(after.filter(({ fate }) => fate === 'kept')))
  }
  return compactions.length
}

const sum = (list: readonly { readonly tokens: number }[]) => list.reduce((total, { tokens }) => total + tokens, 0)

const told = ({ source, role, preview, tokens, sent }: Fate) => ({ source, role, preview, tokens, sent })

const asTold = ({ sources, role, text, tokens, sent }: Message) => ({
  source: sources[0],
  role,
  // Half a surrogate pair is not shown.
  preview: text
    .slice(0, 200)
    .replace(/[\uD800-\uDBFF]$/, '')
    .toWellFormed(),
  tokens,
  sent
})
