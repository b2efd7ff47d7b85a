import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import { checkCompactions } from './testing/check-compactions.ts'
import { makeWorkplace } from './testing/treeline.ts'

const root = join(corpus!, 'omp-pi')
const files = globSync('**/*.jsonl', { cwd: root }).toSorted()
const { treeline, remove } = makeWorkplace()
afterAll(remove)

let found = 0

test.each(files)('%s: each compaction is its contexts, message by message', async (name) => {
  found += await checkCompactions(treeline, join(root, name))
})

test('there are compactions among them', () => {
  expect(found).toBeGreaterThan(15)
})
