import { expect, test } from 'vitest'
import type { SourceFile } from '#shared/model/records.ts'
import { readSession } from '../testing.ts'
import { codelia } from './index.ts'
import { assistant, event, output, prompt, request, response, result, runText, user } from './testing.ts'

const start = Date.parse('2026-01-01T00:00:00.000Z')
const seconds = (ms: number): number => (ms - start) / 1000
/** A record of so many seconds after the start. */
const at = (second: number, record: object) => ({ ...record, ts: new Date(start + second * 1000).toISOString() })

const log = (name: string): SourceFile => ({ path: `/s/2026/01/01/${name}.jsonl`, role: 'log', framing: 'lines' })
const messages: SourceFile = { path: '/s/messages/s.jsonl', role: 'messages', framing: 'lines' }

/** Seconds of each message behind these runs, null where none is known. */
async function times(runs: readonly (readonly object[])[], stored: readonly object[]): Promise<(number | null)[]> {
  const texts = [stored.map((one) => `${JSON.stringify(one)}\n`).join(''), ...runs.map((run) => runText(...run))]
  const set = { files: [messages, ...runs.map((_, index) => log(`r${index}`))], agent: null } as const
  const { tree, records } = await readSession(codelia, set, texts.map(Buffer.from))
  return records.entries.flatMap((entry, index) => {
    const time = entry.time ?? tree.time!(index)
    return entry.file === 0 ? [time === null ? null : seconds(time)] : []
  })
}

const reasoning = { role: 'reasoning', content: 'hm' }

test('a message has the time of the prompt, the answer or the output that it comes from', async () => {
  const run = [
    at(1, prompt('go')),
    at(2, request(1, user('go'))),
    at(3, response(1, reasoning, assistant('look', 'c1'))),
    at(4, output('c1')),
    at(5, request(2, user('go'), reasoning, assistant('look', 'c1'), result('c1'))),
    at(6, response(2, assistant('done.')))
  ]
  const stored = [user('go'), reasoning, assistant('look', 'c1'), result('c1', 'cut'), assistant('done.')]
  expect(await times([run], stored)).toEqual([1, 3, 3, 4, 6])
  expect(await times([run], stored.slice(3))).toEqual([4, 6])
  expect(await times([run], [user('other'), ...stored, user('more')])).toEqual([null, 1, 3, 3, 4, 6, null])
  expect(await times([run], [{ ...user('go'), message_ts: '2026-01-01T00:00:09.000Z' }])).toEqual([9])
})

test('what a compaction took the calls from has the time of its answer', async () => {
  const run = [at(1, prompt('go')), at(2, request(1, user('go'))), at(3, response(1, assistant('look', 'c1')))]
  expect(await times([run], [user('go'), assistant('look')])).toEqual([1, 3])
})

test('a text that was said twice has a time only where its place tells which one it is', async () => {
  const run = [
    at(1, prompt('on')),
    at(2, response(1, assistant('done.'))),
    at(3, prompt('on')),
    at(4, response(2, assistant('done.'))),
    at(5, prompt('last'))
  ]
  const twice = [user('on'), assistant('done.'), user('on'), assistant('done.')]
  expect(await times([run], twice)).toEqual([1, 2, 3, 4])
  expect(await times([run], twice.slice(2))).toEqual([null, null])
  expect(await times([run], [...twice.slice(2), user('last')])).toEqual([null, null, 5])
  expect(await times([run], [...twice.slice(1), user('last')])).toEqual([2, 3, 4, 5])
})

test('a further file of a run tells nothing else', async () => {
  const run = [at(1, prompt('on')), at(2, response(1, assistant('done.')))]
  expect(await times([run, run], [user('on'), assistant('done.')])).toEqual([1, 2])
})

test('a command is no message, and without runs no time is known', async () => {
  expect(await times([[at(1, prompt('/compact'))]], [user('/compact')])).toEqual([null])
  expect(await times([], [user('go')])).toEqual([null])
})

test('what a compaction wrote has its time, as far as requests tell which one it was', async () => {
  const compaction = event(0, 'compaction_complete', { compacted: true })
  const mark = (text: string) => user(`[codelia.compaction.summary]\n${text}`)
  const first = [at(1, prompt('a')), at(2, compaction)]
  const asked = [at(3, prompt('b')), at(4, request(1, mark('one'), user('b')))]
  const second = [at(5, prompt('c')), at(6, compaction)]
  expect(await times([first], [mark('one')])).toEqual([2])
  expect(await times([[...first, ...asked, ...second]], [mark('one')])).toEqual([2])
  expect(await times([[...first, ...asked, ...second]], [mark('two')])).toEqual([6])
  expect(await times([[...first, ...second]], [mark('one')])).toEqual([null])
  expect(await times([[...first, ...asked]], [mark('two')])).toEqual([null])
  expect(await times([asked], [mark('one')])).toEqual([null])
})
