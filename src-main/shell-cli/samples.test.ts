import { readFileSync, globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Fault } from '#shared/model/fault.ts'
import type { Context } from '#shared/model/message.ts'
import type { Session } from '#shared/model/session.ts'
import { makeWorkplace } from './testing/treeline.ts'

const { treeline, remove } = makeWorkplace()
afterAll(remove)

const samples = resolve(import.meta.dirname, '../../resources/samples')
const paths = globSync('**/*.jsonl', { cwd: samples }).map((name) => join(samples, name))
const path = (part: string) => paths.find((name) => name.includes(part) && !name.includes('Lookup'))!

test('the samples show what they promise: branches, a compaction, a fork, labels, a subagent, a fault', async () => {
  const { sessions, faults } = (await treeline('list', samples, '--json')).json<{
    sessions: Session[]
    faults: Fault[]
  }>()
  const told = sessions.map(({ file, agent, origin, leaves, compactions, title }) => [
    file,
    agent,
    origin,
    leaves,
    compactions,
    title
  ])
  expect(told).toEqual([
    [path('2026-04-03'), 'pi', 'user', 1, 0, expect.any(String)],
    [path('2026-04-02'), 'pi', 'user', 2, 0, 'Cache the tide tables'],
    [path('2026-03-31'), 'omp', 'fork', 2, 0, 'A page for the phone'],
    [path('2026-03-30'), 'omp', 'user', 3, 1, 'High water comes an hour late'],
    [paths.find((name) => name.includes('Lookup')), 'omp', 'subagent', 1, 0, expect.any(String)]
  ])
  expect(sessions[2]!.parent).toEqual({ id: sessions[3]!.id, file: sessions[3]!.file })
  expect(sessions[2]!.usage.inherited).toBeGreaterThan(0)
  expect(new Set(faults.map(({ file }) => file))).toEqual(new Set([path('2026-04-02')]))
  expect(faults.map(({ line }) => line)).toEqual(faults.map(() => 11))
})

test('the title slots have the length that the agent overwrites', () => {
  for (const name of paths.filter((one) => /2026-03-3\d/.test(one) && !one.includes('Lookup'))) {
    expect(readFileSync(name).indexOf(0x0a)).toBe(255)
  }
})

test('each sample can be asked for its context', async () => {
  for (const name of paths) {
    const { exitCode, json } = await treeline('context', name, '--json')
    expect(exitCode).toBe(0)
    expect(json<Context>().messages.length).toBeGreaterThan(1)
  }
})
