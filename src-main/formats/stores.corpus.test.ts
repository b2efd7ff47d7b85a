import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import type { Listing, Names } from './format.ts'
import { formats } from './registry.ts'
import { unsupportedStore } from './unsupported.ts'

function namesIn(path: string): Names {
  const rows = readdirSync(path, { withFileTypes: true })
  const names = (of: (row: Dirent) => boolean) => rows.filter(of).map((row) => row.name)
  return { files: names((row) => row.isFile()), folders: names((row) => row.isDirectory()) }
}

/** Folders below a place in which files lie. */
function* listingsBelow(path: string): Generator<Listing> {
  const { files, folders } = namesIn(path)
  const below = (folder: string) => namesIn(join(path, folder))
  if (files.length > 0)
    yield { path, files, folders, below, head: (name) => readFileSync(join(path, name)).subarray(0, 65_536) }
  for (const folder of folders) yield* listingsBelow(join(path, folder))
}

const claimed = (listing: Listing) => formats.flatMap((format) => format.claim(listing))

describe('folders of a store that cannot be read yet', () => {
  test.each([
    ['codex/cli-0.171.0', 'codex'],
    ['codex/cli-0.116.0', 'codex'],
    ['codex/edge', 'codex'],
    ['claude-code/cli-2.1.197', 'claude-code'],
    ['claude-code/edge', 'claude-code']
  ])('%s: each names %s or nothing, and none is taken for a pi session', (folder, agent) => {
    const listings = [...listingsBelow(join(corpus!, folder))]
    const seen = listings.map((listing) => unsupportedStore(listing))
    expect(new Set(seen.filter((store) => store !== null))).toEqual(new Set([agent]))
    expect(listings.flatMap(claimed)).toEqual([])
  })
})

test('every pi and omp file but the empty one is claimed by its content, and none named unsupported', () => {
  const listings = [...listingsBelow(join(corpus!, 'omp-pi'))]
  const sessions = listings.flatMap((listing) => listing.files.filter((name) => name.endsWith('.jsonl')))
  expect(listings.flatMap(claimed)).toHaveLength(sessions.length - 1)
  expect(listings.map((listing) => unsupportedStore(listing)).filter((store) => store !== null)).toEqual([])
})
