import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Line } from '#main/tail/line.ts'
import { readPath, readText } from '../testing.ts'
import { omp } from './index.ts'

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name)
const header = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}\n'
const user = (id: string, text: string, parent: string | null = null) =>
  JSON.stringify({
    type: 'message',
    id,
    parentId: parent,
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: text }
  })

async function readingsOf(text: string | Buffer) {
  const session = await readText(omp, text)
  const faults = session.lines.flatMap((line) => line.faults)
  return { session, faults, previews: session.records.entries.map((entry) => entry.preview) }
}

describe('damaged files', () => {
  test('give a fault with its line and offset for each damage, and every entry that is whole', async () => {
    const session = await readPath(omp, fixture('damaged.jsonl'))
    const found = session.lines.flatMap((line) => line.faults).map((fault) => `${fault.line} ${fault.kind}`)
    expect(found).toEqual([
      '1 bom',
      '5 not-an-object',
      '6 not-an-object',
      '7 not-an-object',
      '8 malformed-line',
      '9 fused-lines',
      '10 fused-lines',
      '16 unknown-type',
      '17 unknown-type',
      '17 bad-timestamp',
      '19 lone-surrogate',
      '20 invalid-utf8',
      '24 torn-tail'
    ])
    expect(session.lines.map((line) => line.class).join(' ')).toBe(
      'header entry blank blank fault fault fault fault entry entry entry entry entry entry entry entry entry entry entry entry entry entry entry fault'
    )
    expect(session.tree.session).toMatchObject({ id: 'damaged', cwd: 'C:\\dev\\queue' })
  })

  test('a torn entry in front of a whole one costs its own bytes, and no more', async () => {
    const torn = user('t', 'lost').slice(0, 60)
    const { faults, previews, session } = await readingsOf(`${header}${torn}${user('a', 'kept')}\n`)
    expect(previews).toEqual(['kept'])
    expect(faults).toMatchObject([{ kind: 'fused-lines', line: 2, offset: header.length, length: 60 }])
    expect(session.lines[1]).toMatchObject({ class: 'entry' })
  })

  test('a block of a torn message does not pass for an entry', async () => {
    const torn =
      '{"type":"message","id":"t","message":{"role":"assistant","content":[{"type":"text","text":"hi"},{"type":"toolC'
    const { previews } = await readingsOf(`${header}${torn}${user('a', 'kept')}\n`)
    expect(previews).toEqual(['kept'])
  })

  test('three objects on one line are three entries', async () => {
    const { faults, previews, session } = await readingsOf(
      `${header}${user('a', '{"1}')}${user('b', '2\\"')} ${user('c', '3')}\n`
    )
    expect(previews).toEqual(['{"1}', '2\\"', '3'])
    expect(faults).toMatchObject([{ kind: 'fused-lines', line: 2 }])
    expect(session.records.entries.map((entry) => [entry.line, entry.part])).toEqual([
      [2, 1],
      [2, 2],
      [2, 3]
    ])
  })

  test('a last line without a line feed counts if it is whole, else it is a torn tail', async () => {
    expect((await readingsOf(header + user('a', 'whole'))).previews).toEqual(['whole'])
    const torn = await readingsOf(header + user('a', 'cut').slice(0, 40))
    expect(torn.faults).toMatchObject([{ kind: 'torn-tail', line: 2, offset: header.length, length: 40 }])
  })

  test('a line that cannot be one string is a fault that says what becomes of it', () => {
    const line: Line = { file: 0, number: 2, offset: 100, length: 600 * 2 ** 20, end: 1, bytes: null, frame: null }
    const reading = omp.reader([{ path: '/x.jsonl', role: 'log', framing: 'lines' }], null).read(line)
    expect(reading).toMatchObject({
      class: 'fault',
      entries: [],
      faults: [{ kind: 'line-too-long', line: 2, offset: 100 }]
    })
  })

  test.each([
    ['\\ud83d', true],
    ['\\uDE00', true],
    ['\\ud83d\\ud83d\\ude00', true],
    ['\\ud83dx\\ude00', true],
    ['\\ud83d\\ude00', false],
    ['\\\\ud83d', false],
    ['\\\\\\ud83d', true],
    ['\\u00e9\\ud7ff', false]
  ])('half of a surrogate pair is told from a whole one: %s', async (text, isLone) => {
    const { faults } = await readingsOf(header + user('a', 'X').replace('X', text))
    expect(faults.map((fault) => fault.kind)).toEqual(isLone ? ['lone-surrogate'] : [])
  })

  test('huge lines are read like others: whole, fused, broken', async () => {
    const text = 'über '.repeat(500_000)
    const { faults, previews } = await readingsOf(
      `${header}${user('a', text)}\n${user('b', text)}${user('c', 'small')}\n${user('d', text).replace('ber', '\\b\\er')}\n`
    )
    expect(previews).toEqual([text.slice(0, 200), text.slice(0, 200), 'small'])
    expect(faults.map((fault) => `${fault.line} ${fault.kind}`)).toEqual(['3 fused-lines', '4 malformed-line'])
  })

  test('a million cut objects on one line do not stop it', async () => {
    const { faults } = await readingsOf(`${header}${'{"type":"'.repeat(100_000)}\n`)
    expect(faults).toMatchObject([{ kind: 'malformed-line' }])
  })

  test('arrays a hundred thousand deep are read like any other entry', async () => {
    const deep = `{"type":"custom","id":"d","timestamp":"2026-01-01T00:00:01Z","data":${'['.repeat(1e5)}${']'.repeat(1e5)}}`
    const { session } = await readingsOf(`${header}${deep}\n`)
    expect((await omp.blocks(session, 0)).blocks[0]?.text).toContain('too deeply')
  })
})

describe('headers', () => {
  test.each([
    ['no version is version 1', '{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00Z"}', []],
    [
      'a version from the future is said',
      '{"type":"session","version":9,"id":"s","timestamp":"2026-01-01T00:00:00Z"}',
      ['unknown-version']
    ],
    ['a header without a time is one all the same', '{"type":"session","version":3,"id":"s"}', ['bad-timestamp']],
    [
      'a title line may stand in front',
      '{"type":"title","v":1,"title":"t"}\n{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z"}',
      []
    ],
    [
      'broken lines in front are passed over',
      '{"type":"sess\n\n{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z"}',
      ['malformed-line']
    ]
  ])('%s', async (_, text, kinds) => {
    const { session, faults } = await readingsOf(`${text}\n${user('a', 'hi')}\n`)
    expect(faults.map((fault) => fault.kind)).toEqual(kinds)
    expect(session.tree.session.id).toBe('s')
    expect(session.tree.faults).toEqual([])
    expect(session.records.entries).toHaveLength(1)
  })

  test.each([
    ['an entry', user('a', 'first')],
    ['a value that is no object', '[]'],
    ['a session line without an id', '{"type":"session"}']
  ])('%s ends the search for one', async (_, text) => {
    const { session } = await readingsOf(`${text}\n${header}${user('b', 'second')}\n`)
    expect(session.tree.faults).toMatchObject([{ kind: 'missing-header', line: 1, offset: 0 }])
    expect(session.tree.session.id).toBe('made')
  })

  test.each(['null', 'false', '0', '""'])('a line with %s does not, as the agents pass over it', async (text) => {
    const { session, faults } = await readingsOf(`${text}\n${header}${user('b', 'second')}\n`)
    expect(faults.map((fault) => `${fault.line} ${fault.kind}`)).toEqual(['1 not-an-object'])
    expect(session.tree.session.id).toBe('s')
  })

  test('such a line does not count for the numbers of the first version', async () => {
    const time = '"timestamp":"2026-01-01T00:00:01.000Z"'
    const said = (text: string) => `{"type":"message",${time},"message":{"role":"user","content":"${text}"}}\n`
    const { session } = await readingsOf(
      `{"type":"session","id":"s",${time}}\nnull\n${said('one')}${said('two')}{"type":"compaction",${time},"summary":"SUM","tokensBefore":1,"firstKeptEntryIndex":2}\n`
    )
    const { messages } = await omp.context(session, null)
    expect(messages.map((message) => message.text)).toEqual(['SUM', 'two'])
  })

  test('a later session line is no entry', async () => {
    const { session } = await readingsOf(`${header}${user('a', 'hi')}\n${header}`)
    expect(session.records.entries).toHaveLength(1)
    expect(session.lines.map((line) => line.class)).toEqual(['header', 'entry', 'header'])
  })
})

test('a preview has the first 200 characters, never half of one, and holds no longer text in memory', async () => {
  const { previews } = await readingsOf(`${header}${user('a', `${'x'.repeat(199)}😀 and more`)}\n`)
  expect(previews).toEqual(['x'.repeat(199)])
})

describe('what stands beside a session', () => {
  const folder = mkdtempSync(join(tmpdir(), 'omp-read-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const child = (id: string, parent: string) =>
    `{"type":"session","version":3,"id":"${id}","timestamp":"2026-01-01T00:00:00.000Z","parentSession":${JSON.stringify(parent)}}\n`
  const parent = put('sessions/-p/2026-01-01T00-00-00-000Z_mother.jsonl', header)

  test('a parent is found by its path, by its name after a move, and by its id', async () => {
    const read = async (stored: string) =>
      (await readPath(omp, put('sessions/-p/child.jsonl', child('c', stored)))).tree
    expect((await read(parent)).session).toMatchObject({ parent: { id: null, file: parent }, origin: 'fork' })
    expect((await read('/elsewhere/-p/2026-01-01T00-00-00-000Z_mother.jsonl')).session.parent?.file).toBe(parent)
    expect((await read('C:\\old\\-p\\2026-01-01T00-00-00-000Z_mother.jsonl')).session.parent?.file).toBe(parent)
    expect((await read('mother')).session.parent).toEqual({ id: 'mother', file: parent })
  })

  test('a relative path begins at the file that names it', async () => {
    const { tree } = await readPath(
      omp,
      put('sessions/-q/child.jsonl', child('c', '../-p/2026-01-01T00-00-00-000Z_mother.jsonl'))
    )
    expect(tree.session.parent?.file).toBe(parent)
  })

  test.each(['/dev/zero', '/', '/tmp/\0', `/${'x'.repeat(70_000)}`])('what is no file is no parent', async (stored) => {
    const { tree } = await readPath(omp, put('sessions/-p/orphan.jsonl', child('o', stored)))
    expect(tree.faults).toMatchObject([{ kind: 'missing-parent-session' }])
    expect(tree.faults[0]?.message.length).toBeLessThan(300)
  })

  test('a parent that is nowhere is said, as it is stored', async () => {
    const { tree } = await readPath(omp, put('sessions/-p/orphan.jsonl', child('o', 'unknown-id')))
    expect(tree.session.parent).toEqual({ id: 'unknown-id', file: null })
    expect(tree.faults).toMatchObject([{ kind: 'missing-parent-session' }])
  })

  test("a file in a session's own folder is that session's sub-agent", async () => {
    const { tree } = await readPath(omp, put('sessions/-p/2026-01-01T00-00-00-000Z_mother/Scout.jsonl', header))
    expect(tree.session).toMatchObject({ origin: 'subagent', parent: { file: parent } })
  })

  test('an image in the folder of blobs is found, and a missing one is a fault', async () => {
    const digest = 'ab'.repeat(32)
    put(`blobs/${digest}`, 'PNG')
    const image = (of: string) =>
      JSON.stringify({
        type: 'message',
        id: of,
        parentId: null,
        timestamp: '2026-01-01T00:00:01.000Z',
        message: { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: `blob:sha256:${of}` }] }
      })
    const session = await readPath(
      omp,
      put('sessions/-p/images.jsonl', `${header}${image(digest)}\n${image('cd'.repeat(32))}\n`)
    )
    expect(session.lines.flatMap((line) => line.faults)).toMatchObject([{ kind: 'missing-blob', line: 3 }])
    expect(await omp.image(session, 0, 0)).toEqual({ mimeType: 'image/png', bytes: Buffer.from('PNG') })
    expect(await omp.image(session, 1, 0)).toBeUndefined()
    expect((await omp.blocks(session, 0)).blocks).toMatchObject([{ type: 'image', name: 'image/png', bytes: 3 }])
  })
})
