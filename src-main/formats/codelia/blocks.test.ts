import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readText } from '../testing.ts'
import { codelia } from './index.ts'
import { atOf, event, output, readFixture, readRun, request, response, runIds, user } from './testing.ts'

const blocksOf = async (...records: readonly object[]) => {
  const session = await readRun(...records)
  const { blocks } = await codelia.blocks(session, records.length - 1)
  return blocks.map(({ type, text, name }) => [type, text, ...(name === null ? [] : [name])])
}

test('an entry has its texts, thoughts, calls and results', async () => {
  const call = { id: 'c', type: 'function', function: { name: 'shell', arguments: '{"cmd":"ls"}' } }
  const broken = { ...call, function: { name: 'edit', arguments: '{"cmd' } }
  expect(
    await blocksOf(
      response(
        1,
        { role: 'reasoning', content: 'hm' },
        { role: 'assistant', content: 'so', tool_calls: [call, broken], refusal: 'no' }
      )
    )
  ).toEqual([
    ['thinking', 'hm'],
    ['text', 'so'],
    ['text', 'no'],
    ['tool-call', '{\n  "cmd": "ls"\n}', 'shell'],
    ['tool-call', '{"cmd', 'edit']
  ])
  expect(await blocksOf(output('c', 'all of it'))).toEqual([['tool-result', 'all of it', 'shell']])
  expect(await blocksOf({ type: 'run.error', error: { name: 'E', message: 'm', stack: 'at x' } })).toEqual([
    ['text', 'm'],
    ['text', 'at x']
  ])
  expect(await blocksOf({ type: 'run.end', outcome: 'completed', final: 'done' })).toEqual([['text', 'done']])
  expect(await blocksOf(event(0, 'hidden_user_message', { content: 'psst' }))).toEqual([['text', 'psst']])
  expect(await blocksOf(event(0, 'permission.preview', { tool: 'edit', diff: '+ a' }))).toEqual([['text', '+ a']])
  expect(await blocksOf(event(0, 'later', { deep: [1] }))).toEqual([
    ['other', '{\n  "deep": [\n    1\n  ]\n}', 'later']
  ])
  expect(await blocksOf({ type: 'x.acme.note', value: { a: 1 } })).toEqual([
    ['other', '{\n  "value": {\n    "a": 1\n  }\n}', 'x.acme.note']
  ])
})

test('a request has what it sent beside its messages', async () => {
  const asked = {
    ...request(1, user('a')),
    input: { messages: [user('a')], tools: [{ name: 'shell' }], tool_choice: 'auto' }
  }
  expect(await blocksOf(asked)).toEqual([['other', '[\n  {\n    "name": "shell"\n  }\n]', 'tools']])
  const session = await readRun(asked)
  expect((await codelia.blocks(session, 0)).facts).toEqual(
    expect.arrayContaining([
      ['Messages', '1'],
      ['Tools', '1'],
      ['Tool choice', 'auto']
    ])
  )
})

test('images are those of a prompt, of a message and of a screen', async () => {
  const session = await readFixture()
  for (const id of [`${runIds[1]}:2`, 'm3']) {
    const image = await codelia.image(session, atOf(session, id), 1)
    expect(image!.mimeType).toBe('image/png')
    expect(image!.bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(await codelia.image(session, atOf(session, id), 0)).toBeUndefined()
  }
  const shot = await readRun(event(0, 'tool_result', { tool: 'screen', result: 'seen', screenshot_base64: 'aGk=' }))
  expect((await codelia.image(shot, 0, 1))!.bytes.toString()).toBe('hi')
  const away = await readRun({
    type: 'run.start',
    input: { type: 'parts', parts: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }
  })
  expect((await codelia.blocks(away, 0)).blocks).toMatchObject([{ type: 'other', name: 'image_url' }])
  expect(await codelia.image(away, 0, 0)).toBeUndefined()
})

test('a prompt is the person’s own, an answer is not', async () => {
  const session = await readFixture()
  const own = async (id: string) => (await codelia.blocks(session, atOf(session, id))).own
  expect(await own(`${runIds[0]}:2`)).toBe(true)
  expect(await own(`${runIds[0]}:5`)).toBe(false)
  expect(await own('m3')).toBe(true)
})

describe('the whole output of a tool', () => {
  let home: string
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
    mkdirSync(join(home, 'cache', 'tool-output'), { recursive: true })
  })
  afterEach(() => rmSync(home, { recursive: true }))

  const message = {
    role: 'tool',
    tool_call_id: 'c',
    tool_name: 'shell',
    content: 'a pa…',
    trimmed: true,
    output_ref: { id: '../a b' }
  }
  const read = () =>
    readText(codelia, `${JSON.stringify(message)}\n`, null, join(home, 'sessions', 'messages', 'made.jsonl'))
  const cached = () => join(home, 'cache', 'tool-output', '___a_b.txt')

  test('stands behind what is left of it, by a name that leads nowhere else', async () => {
    writeFileSync(cached(), 'a part and the rest')
    mkdirSync(join(home, 'sessions', 'messages'), { recursive: true })
    writeFileSync(join(home, 'sessions', 'messages', 'made.jsonl'), '{"role":"user"}\n')
    const { blocks, facts } = await codelia.blocks(await read(), 0)
    expect(blocks.map(({ text, name }) => [text, name])).toEqual([
      ['a pa…', 'shell'],
      ['a part and the rest', 'whole output']
    ])
    expect(facts).toContainEqual(['Whole output', cached()])
  })

  test('that is not there any more is said', async () => {
    mkdirSync(join(home, 'sessions', 'messages'), { recursive: true })
    writeFileSync(join(home, 'sessions', 'messages', 'made.jsonl'), '{"role":"user"}\n')
    symlinkSync('/etc/hostname', cached())
    const { blocks, facts } = await codelia.blocks(await read(), 0)
    expect(blocks).toHaveLength(1)
    expect(facts).toContainEqual(['Whole output', '../a b: the file is not in the cache any more'])
  })
})
