import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bytes, openBytes } from '#main/platform/bytes.ts'
import type { JsonObject } from '#shared/model/records.ts'
import { Display, type DisplayMessage } from './display.ts'
import { replayTurns } from './recent-turns.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
  path = join(folder, 'events.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const line = (event: object) => `${JSON.stringify(event)}\n`
const turn = (at: number, ...tokens: string[]) =>
  line({ type: 'user_input', content: `prompt ${at}` }) +
  tokens.map((content) => line({ type: 'text', content })).join('') +
  line({ type: 'stop', reason: 'end_turn' })

/** What is shown of the file, and the bytes that were read for it. */
async function replay(turns: number): Promise<{ messages: readonly DisplayMessage[]; read: number }> {
  await using bytes = await openBytes(path)
  let read = 0
  const counted: Bytes = {
    ...bytes,
    async read(into, position) {
      const done = await bytes.read(into, position)
      read += done
      return done
    }
  }
  return { messages: await replayTurns(counted, statSync(path).size, turns), read }
}

test('shows the last turns, and all of them where there are fewer', async () => {
  writeFileSync(path, line({ type: 'session_start' }) + turn(1, 'a', 'b') + turn(2, 'c') + turn(3, 'd'))
  const words = async (turns: number) => (await replay(turns)).messages.map(({ text }) => text)
  expect(await words(1)).toEqual(['prompt 3', 'd'])
  expect(await words(2)).toEqual(['prompt 2', 'c', 'prompt 3', 'd'])
  expect(await words(3)).toEqual(['prompt 1', 'ab', 'prompt 2', 'c', 'prompt 3', 'd'])
  expect(await words(10)).toEqual(await words(3))
})

test('what was shown in front of the first prompt is not replayed', async () => {
  writeFileSync(path, line({ type: 'text', content: 'before' }) + turn(1, 'a'))
  expect((await replay(10)).messages.map(({ text }) => text)).toEqual(['prompt 1', 'a'])
})

test('a log without a prompt is shown from its first line, an empty one not at all', async () => {
  writeFileSync(path, line({ type: 'text', content: 'a' }))
  expect((await replay(10)).messages).toMatchObject([{ turn: 0, text: 'a', offset: 0 }])
  writeFileSync(path, '')
  expect((await replay(10)).messages).toEqual([])
})

test('lines that cannot be read, and a torn last one, are passed over; a repaired one is shown', async () => {
  writeFileSync(path, `${turn(1, 'a')}{"type":"te\n[]\n\n{"content":"raw \u001b[0m","type":"error_"}\n`)
  appendFileSync(path, '{"content":"\u001b[31mred","type":"text"}\n{"type":"text","content":"to')
  expect((await replay(10)).messages.map(({ text }) => text)).toEqual(['prompt 1', 'a', '\u001b[31mred'])
})

test('a prompt is found by its members in any order, and not in other texts', async () => {
  writeFileSync(
    path,
    `{"content":"last","type":"user_input"}\n${line({ type: 'text', content: '"type":"user_input"' })}`
  )
  expect((await replay(1)).messages.map(({ text }) => text)).toEqual(['last', '"type":"user_input"'])
})

test('the last ten turns behind 500,000 token events take no more than their own bytes and 256 KB', async () => {
  const tokens = line({ type: 'text', content: 'token' }).repeat(50_000)
  const early = Array.from({ length: 10 }, (_, at) => turn(at, '') + tokens).join('')
  const late = Array.from({ length: 10 }, (_, at) => turn(10 + at, 'so ', 'much')).join('')
  writeFileSync(path, early + late)
  const { messages, read } = await replay(10)
  expect(messages).toHaveLength(20)
  expect(messages[0]?.text).toBe('prompt 10')
  expect(read).toBeLessThanOrEqual(late.length + 256 * 1024)
})

test('a turn of 100,000 token events is read once and shown as one text', async () => {
  const tokens = line({ type: 'text', content: 'token' }).repeat(100_000)
  writeFileSync(path, turn(1, 'x') + turn(2) + tokens)
  const { messages, read } = await replay(1)
  expect(messages.map(({ text }) => text.length)).toEqual(['prompt 2'.length, 500_000])
  expect(read).toBeLessThanOrEqual(tokens.length + 256 * 1024)
})

test('a long prompt is shown whole, a long result by its beginning', async () => {
  const long = 'x'.repeat(2 ** 20)
  writeFileSync(path, line({ type: 'user_input', content: long }) + line({ type: 'tool_result', content: long }))
  expect((await replay(1)).messages.map(({ text }) => text.length)).toEqual([2 ** 20, 203])
})

test('what is replayed is what was shown as the events came', async () => {
  const event = fc.constantFrom<JsonObject>(
    { type: 'user_input', content: 'p' },
    { type: 'text', content: 'a' },
    { type: 'text', content: 'é' },
    { type: 'thinking', content: 'b' },
    { type: 'tool_call', name: 'Bash', id: 'c', input: {} },
    { type: 'tool_result', name: 'Bash', tool_use_id: 'c', content: 'x'.repeat(201) },
    { type: 'usage', kind: 'compact' },
    { type: 'usage', kind: 'agent' },
    { type: 'stop', reason: 'end_turn' },
    { type: 'retry' },
    { type: 'error', message: 'e' },
    { type: 'new' }
  )
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
      const live = new Display()
      let offset = 0
      writeFileSync(path, '')
      for (const one of events) {
        live.push(one, offset)
        appendFileSync(path, line(one))
        offset += Buffer.byteLength(line(one))
      }
      const turns = live.messages.some(({ turn: at }) => at > 0)
        ? live.messages.filter(({ turn: at }) => at > 0)
        : live.messages
      expect((await replay(events.length + 1)).messages).toEqual(turns)
    }),
    { numRuns: 60 }
  )
})
