import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { Content } from '../format.ts'
import { type ReadSession, readPath } from '../testing.ts'
import { expectSameContext } from './branch-testing.ts'
import { omp } from './index.ts'

const root = join(corpus!, 'omp-pi')

/** Each object parsed once: every entry of the file is read for every branch of it. */
function remembering(content: Content): Content {
  const known = new Map<number, JsonObject | null>()
  return {
    async *objects(at) {
      for (const index of at) {
        if (!known.has(index)) for await (const object of content.objects([index])) known.set(index, object)
        yield known.get(index) ?? null
      }
    }
  }
}

/** Branches at every `step`th entry; returns at how many it was allowed. */
async function branchEverywhere(file: string, step: number): Promise<number> {
  const path = join(root, file)
  const bytes = readFileSync(path)
  const read = await readPath(omp, path)
  const session: ReadSession = { ...read, content: remembering(read.content) }
  let branched = 0
  for (let at = 0; at < session.records.entries.length; at += step) {
    if (omp.branchPoint(session, at).kind === 'refused') continue
    await expectSameContext(session, bytes, at)
    branched++
  }
  expect(readFileSync(path).equals(bytes)).toBe(true)
  return branched
}

test.each([
  ['pi-writer-1.6/--home-user-project--/2026-11-30T00-41-16-152Z_01a229e6-1c78-7240-acb0-7bb2e03101cd.jsonl', 71],
  ['pi-writer-1.6/--home-user-project--/2026-11-30T00-41-16-170Z_01a229e6-1c8a-7240-acb0-7bb483cee12b.jsonl', 52],
  ['omp-writer-18.2.9/agent/sessions/-project/2026-11-30T00-42-00-796Z_01a229e6-cadc-73c7-9d2e-363e92471456.jsonl', 47],
  ['edge/14-duplicate-ids.jsonl', 8],
  ['edge/12-cycle.jsonl', 8],
  ['edge/18-v2-hookMessage.jsonl', 4]
])('a branch at every allowed entry of %s holds the context of that entry', async (file, expected) => {
  expect(await branchEverywhere(file, 1)).toBe(expected)
})

test('a branch of a first-version file holds the context of its entry', async () => {
  const file = 'pi-real-v1/2025-11-20T23-33-50-805Z_d703a1a9-1b7b-4fb1-b512-c9738b1fe617.jsonl'
  expect(await branchEverywhere(file, 20)).toBeGreaterThan(20)
})

test('a branch of the glued first-version file is the file migrated up to the entry', async () => {
  const path = join(root, 'pi-real-v1/2025-12-24T00-32-27-967Z_2638daee-0588-4baa-bd33-68b4c002818e.jsonl')
  const session = await readPath(omp, path)
  const bytes = readFileSync(path)
  const glued = session.tree.nodes.findIndex((node) => node.id === 'L1013.2')
  const branch = await expectSameContext(session, bytes, glued)
  expect(branch.records.entries).toHaveLength(glued + 1)
  expect(branch.lines.flatMap((line) => line.faults)).toEqual([])
})
