import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formats } from '#main/formats/registry.ts'
import { claimFolder, claimsHold, rememberClaims } from './claim-folder.ts'
import { listFolder } from './listing.ts'

const session = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}\n'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('what is written right after a file was looked into is not taken for seen', () => {
  const file = join(folder, 'a.jsonl')
  writeFileSync(file, '')
  const listing = listFolder(folder)
  const found = claimFolder(listing, formats)
  expect(found.claims).toEqual([])
  writeFileSync(file, session)
  expect(claimsHold(rememberClaims(listing, formats, found), listFolder(folder), formats)).toBe(false)
  expect(claimFolder(listFolder(folder), formats).claims).toHaveLength(1)
})

test('however many formats look into a file, its beginning is read once', () => {
  writeFileSync(join(folder, 'a.jsonl'), session)
  const listing = listFolder(folder)
  const head = listing.head('a.jsonl')
  writeFileSync(join(folder, 'a.jsonl'), 'other')
  expect(listing.head('a.jsonl')).toBe(head)
  expect(head?.toString()).toBe(session)
})
