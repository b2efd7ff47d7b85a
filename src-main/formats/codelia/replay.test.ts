import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReadSession } from '../testing.ts'
import { readSession } from '../testing.ts'
import { codelia } from './index.ts'
import { event, prompt, readFixture, readRun, runIds, sessionId, sessionsFixture } from './testing.ts'

const told = async (session: ReadSession, turns = 10) =>
  (await codelia.replay!(session, turns))!.map(({ kind, text, tool }) => [kind, ...(tool === null ? [] : [tool]), text])

test('events are told in their own order, whatever the order of the lines', async () => {
  const session = await readRun(
    prompt('go'),
    event(2, 'final', { content: 'three' }),
    event(0, 'reasoning', { content: 'one' }),
    { type: 'run.error', error: { name: 'Error', message: 'gone wrong' } },
    event(1, 'text', { content: 'two' })
  )
  expect(await told(session)).toEqual([
    ['user', 'go'],
    ['thinking', 'one'],
    ['text', 'two'],
    ['error', 'gone wrong'],
    ['text', 'three']
  ])
})

test('a run is a turn: its prompt, retries, permissions, calls and results, compactions', async () => {
  const session = await readFixture()
  expect((await told(session)).map(([kind, tool]) => (kind?.startsWith('tool') ? `${kind} ${tool}` : kind))).toEqual([
    'user',
    'thinking',
    'tool-call shell',
    'custom',
    'custom',
    'tool-result shell',
    'text',
    'user',
    'image',
    'custom',
    'text',
    'tool-call edit',
    'tool-result edit',
    'tool-call shell',
    'tool-result shell',
    'compaction',
    'text',
    'user',
    'tool-call shell'
  ])
  const last = await codelia.replay!(session, 2)
  expect(last!.map(({ turn }) => turn).filter((turn, at, all) => turn !== all[at - 1])).toEqual([2, 3])
  expect(last!.find(({ kind }) => kind === 'image')).toMatchObject({
    text: 'Image, image/png, 70 bytes',
    entry: `${runIds[1]}:2`
  })
  expect(last!.find(({ kind }) => kind === 'custom')).toMatchObject({
    text: 'Retry: attempt 2 of 5, overloaded, status 529, after 500 ms'
  })
})

test('a session without runs is told by its messages', async () => {
  const path = join(sessionsFixture, 'messages', `${sessionId}.jsonl`)
  const session = await readSession(codelia, codelia.force(path, null), [readFileSync(path)])
  expect(await codelia.replay!(session, 10)).toBeUndefined()
})
