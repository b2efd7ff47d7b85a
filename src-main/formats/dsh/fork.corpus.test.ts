import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import { readPieces } from '#main/platform/byte-pieces.ts'
import { openBytes } from '#main/platform/bytes.ts'
import { readPath, readSession } from '../testing.ts'
import { decodeFrames } from './frames.ts'
import { dsh } from './index.ts'
import { factsOf } from './schema.ts'

const now = new Date('2026-12-01T10:20:30.456Z')
const root = join(corpus!, 'dsh')

describe.each(globSync('{root-*,derived-*}/**/session*', { cwd: root }))('a fork of %s', (name) => {
  const path = join(root, name)
  const open = async () => {
    const raw = await openBytes(path)
    return path.endsWith('.zstd') ? decodeFrames(raw) : raw
  }

  test('can end where a turn does, and the model sees there what it saw', async () => {
    const session = await readPath(dsh, path)
    const ends = session.records.entries.flatMap((entry, at) => (factsOf(entry).type === 'turn/end' ? [at] : []))
    expect(ends.length).toBeGreaterThan(0)
    for (const [at] of session.records.entries.entries()) {
      expect(dsh.branchPoint(session, at).kind).toBe(ends.includes(at) ? 'allowed' : 'refused')
    }
    for (const at of ends) {
      const plan = await dsh.planBranch(session, { at, now, into: null })
      const [file] = plan.files
      expect([basename(file.path), dirname(dirname(file.path))]).toEqual([basename(path), dirname(dirname(path))])
      const lines: Buffer[] = []
      for await (const chunk of readPieces(file.pieces, open)) lines.push(Buffer.from(chunk))
      // As lines: how they go into frames is no matter of the log.
      const plain = dsh.force(file.path.replace(/\.zstd$/, ''), null)
      const fork = await readSession(dsh, plain, [Buffer.concat(lines)])
      expect(fork.records.entries).toHaveLength(plan.entries)
      expect(fork.tree.faults.filter(({ kind }) => kind !== 'missing-parent-session')).toEqual([])
      const [there, here] = [await dsh.context(fork, null), await dsh.context(session, at)]
      expect(there.messages).toEqual(here.messages)
      expect(fork.tree.session.usage.total ?? 0).toBe(0)
    }
  })

  test('copies its rows byte by byte', async () => {
    const session = await readPath(dsh, path)
    const at = session.records.entries.findLastIndex((entry) => factsOf(entry).type === 'turn/end')
    const [file] = (await dsh.planBranch(session, { at, now, into: null })).files
    const lines: Buffer[] = []
    for await (const chunk of readPieces(file.pieces, open)) lines.push(Buffer.from(chunk))
    await using stream = await open()
    const { length } = await stream.state()
    const source = Buffer.alloc(length)
    await stream.read(source, 0)
    const rows = Buffer.concat(lines).toString().split('\n').slice(1, -2)
    expect(
      source
        .toString()
        .split('\n')
        .slice(1, rows.length + 1)
    ).toEqual(rows)
    expect(readFileSync(path).length).toBe(session.records.files[0].size)
  })
})
