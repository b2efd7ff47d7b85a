import { closeSync, linkSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWriters, writersIn } from './open-writers.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-writers-'))
  file = join(folder, 'a.jsonl')
  writeFileSync(file, '{}\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe.runIf(process.platform === 'linux')('a file', () => {
  test.each(['a', 'r+', 'w'])('that a process holds open with %s is named with that process', async (flags) => {
    const held = openSync(file, flags)
    try {
      expect(await openWriters(file)).toEqual([{ pid: process.pid, name: expect.any(String) }])
    } finally {
      closeSync(held)
    }
    expect(await openWriters(file)).toEqual([])
  })

  test('that is open under another name is open', async () => {
    linkSync(file, join(folder, 'b.jsonl'))
    const held = openSync(join(folder, 'b.jsonl'), 'a')
    expect(await openWriters(file)).toHaveLength(1)
    closeSync(held)
  })

  test('that is only read is not', async () => {
    const held = openSync(file, 'r')
    expect(await openWriters(file)).toEqual([])
    closeSync(held)
  })
})

test('what lsof prints is read', () => {
  expect(writersIn('p12\ncnode\nf3\nar\nf4\naw\np15\ncpi\nf1\nar\np16\ncomp\nf9\nau\n')).toEqual([
    { pid: 12, name: 'node' },
    { pid: 16, name: 'omp' }
  ])
  expect(writersIn('')).toEqual([])
})
