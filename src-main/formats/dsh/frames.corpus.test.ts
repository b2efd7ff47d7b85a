import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import { openBytes } from '#main/platform/bytes.ts'
import { decodeFrames } from './frames.ts'

/** Lines of files, counted frame by frame. */
const counted: Readonly<Record<string, number>> = {
  'root-v0-zstd/compaction-recovery': 32,
  'root-v0-zstd/compaction-recovery-fork': 36,
  'root-v0-zstd/subagent-fork-in-process': 50,
  'root-v0-zstd/subagent-fork-in-process-1': 42,
  'root-v3-zstd/goal-multi-turn-actions': 84,
  'edge-zstd/subagent-fork-in-process': 1
}

describe('frames that dsh wrote', () => {
  const root = join(corpus!, 'dsh')
  test.each(globSync('**/*.zstd', { cwd: root }))('%s', async (name) => {
    const path = join(root, name)
    await using stream = decodeFrames(await openBytes(path))
    const { length } = await stream.state()
    const bytes = Buffer.alloc(length)
    expect(await stream.read(bytes, 0)).toBe(length)
    expect(stream.corrupt?.()).toBeNull()
    expect(bytes.at(-1)).toBe(0x0a)
    const lines = bytes.toString().trimEnd().split('\n')
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('type')
    const expected = counted[`${name.split('/')[0]}/${basename(dirname(path))}`]
    if (expected !== undefined) expect(lines).toHaveLength(expected)
  })
})
