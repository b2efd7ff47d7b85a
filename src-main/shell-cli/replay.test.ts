import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  assistant,
  compaction,
  header,
  modelChange,
  sessionFile,
  toolResult,
  user
} from '#e2e/support/build-session.ts'
import { makeWorkplace, type Workplace } from './testing/treeline.ts'

let place: Workplace
beforeAll(() => {
  place = makeWorkplace()
})
afterAll(() => place.remove())

const file = () =>
  place.write(
    'made.jsonl',
    sessionFile([
      header(),
      modelChange('acme', 'large-1'),
      assistant('Welcome.'),
      user('one'),
      assistant('On a branch.', { id: 'left' }),
      user('two', { id: 'two', parent: 'e0000003' }),
      assistant('', { thinking: 'Hm.', calls: [{ id: 'c', name: 'read', arguments: { path: 'a.ts' } }] }),
      toolResult('c', 'read', 'text of it'),
      compaction('so far', 'two'),
      { ...user(''), message: { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] } },
      { ...assistant(''), message: { role: 'assistant', content: [], stopReason: 'error', errorMessage: 'Overloaded' } }
    ])
  )

interface Event {
  readonly kind: string
  readonly turn: number
  readonly text: string
  readonly tool: string | null
  readonly time: string | null
  readonly entry: string
}

const replayed = async (...more: string[]) =>
  (await place.treeline('replay', file(), '--json', ...more)).json<{ events: Event[] }>().events

test('shows what was shown on the default path, in order, and what no person saw is not in it', async () => {
  const events = await replayed()
  expect(events.map(({ kind, turn, text, tool }) => [turn, kind, tool, text.replaceAll(/\s/g, '')])).toEqual([
    [0, 'text', null, 'Welcome.'],
    [1, 'user', null, 'one'],
    [2, 'user', null, 'two'],
    [2, 'thinking', null, 'Hm.'],
    [2, 'tool-call', 'read', '{"path":"a.ts"}'],
    [2, 'tool-result', 'read', 'textofit'],
    [2, 'compaction', null, 'sofar'],
    [3, 'image', null, 'Image,image/png,3bytes'],
    [3, 'error', null, 'Overloaded']
  ])
  expect(events[2]).toMatchObject({ entry: 'two', time: '2026-03-01T10:05:00.000Z' })
})

test('of the last turns only', async () => {
  expect((await replayed('--turns', '2')).map(({ turn }) => turn)).toEqual([2, 2, 2, 2, 2, 3, 3])
  expect((await replayed('--turns', '1')).map(({ kind }) => kind)).toEqual(['image', 'error'])
  expect(await replayed('--turns', '3')).toHaveLength(8)
  expect(await replayed('--turns', '4')).toHaveLength(9)
})

test('shows ten turns where not told otherwise', async () => {
  const long = place.write(
    'long.jsonl',
    sessionFile([header(), ...Array.from({ length: 12 }, (_, at) => user(`${at}`))])
  )
  const { events } = (await place.treeline('replay', long, '--json')).json<{ events: Event[] }>()
  expect(events.map(({ text }) => text)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11'])
})

test('prints for people, with nothing that could move the cursor', async () => {
  const hostile = place.write(
    'hostile.jsonl',
    sessionFile([header(), user('two\n  \u001b[31mlines\u001b[0m\u0007 \u001b')])
  )
  expect((await place.treeline('replay', hostile)).stdout).toMatch(/^Turn 1, .*\nuser\n {2}two\n {4}lines\n$/)
  const empty = place.write('empty.jsonl', '')
  expect((await place.treeline('replay', empty)).stdout).toBe('Nothing to show.\n')
})
