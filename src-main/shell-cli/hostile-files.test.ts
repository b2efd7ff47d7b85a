import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ByteLedger } from '#shared/contract/session.ts'
import type { DefaultLeaf, Entry, Leaf } from '#shared/model/entry.ts'
import type { Fault } from '#shared/model/fault.ts'
import type { Context } from '#shared/model/message.ts'
import type { Session } from '#shared/model/session.ts'
import { answer, entryLine, fileOf, header, toolCall, toolResult, usage, user } from './testing/lines.ts'
import { makeWorkplace } from './testing/treeline.ts'

const { treeline, write, folder, remove } = makeWorkplace()
afterAll(remove)

interface Shown {
  readonly session: Session
  readonly entries: readonly Entry[]
  readonly leaves: readonly Leaf[]
  readonly defaultLeaf: DefaultLeaf
  readonly faults: readonly Fault[]
}
interface Verified {
  readonly files: number
  readonly findings: readonly Fault[]
  readonly bytes: ByteLedger
}

let made = 0
/** Writes a file, and looks at it with every reading command; the file must stay as it is. */
async function look(content: string | Buffer, ...more: string[]) {
  const file = write(`${(made += 1)}/made.jsonl`, content)
  const sum = () => createHash('sha256').update(readFileSync(file)).digest('hex')
  const before = sum()
  const shown = (await treeline('show', file, '--json', ...more)).json<Shown>()
  const context = (await treeline('context', file, '--json', ...more)).json<Context>()
  const verifying = await treeline('verify', file, '--json', ...more)
  const verified = verifying.json<Verified>()
  const out = join(dirname(file), 'out.jsonl')
  await treeline('export', file, '--as', 'jsonl', '--out', out, '--json', ...more)
  expect(readFileSync(out).equals(readFileSync(file))).toBe(true)
  expect(sum()).toBe(before)
  const { bytes } = verified
  expect(bytes.total).toBe(Buffer.byteLength(content))
  expect(bytes.entries + bytes.faults + bytes.blank).toBe(bytes.total)
  const ids = shown.entries.map(({ id }) => id)
  const kinds = shown.faults.map(({ kind }) => kind)
  return {
    file,
    shown,
    ids,
    kinds,
    context,
    texts: context.messages.map(({ text }) => text),
    verified,
    exitCode: verifying.exitCode
  }
}

const offsetOf = (content: string, part: string) => Buffer.byteLength(content.slice(0, content.indexOf(part)))

test('a sound file has no fault, and the exit code is 0', async () => {
  const { ids, kinds, texts, exitCode, shown, context } = await look(
    fileOf(header(), user('a1', null, 'q'), answer('a2', 'a1', 'r'))
  )
  expect(ids).toEqual(['a1', 'a2'])
  expect(kinds).toEqual([])
  expect(texts).toEqual(['q', 'r'])
  expect(exitCode).toBe(0)
  expect(shown.session).toMatchObject({
    id: 'made',
    agent: 'pi',
    cwd: '/home/user/p',
    entries: 2,
    leaves: 1,
    origin: 'user',
    parent: null
  })
  expect(shown.session.usage).toEqual({
    requests: 1,
    input: 10,
    cacheRead: 100,
    cacheWrite: 20,
    output: 5,
    reasoning: expect.toSatisfy((value) => value === null || value === 0),
    total: 135,
    cost: 0.33,
    inherited: 0,
    unknown: 0
  })
  expect(context.messages[1]).toMatchObject({ tokens: 5, tokensSource: 'recorded', stopReason: 'stop' })
  expect(context.messages[0]).toMatchObject({ tokensSource: 'estimated' })
})

test('a malformed line is one fault with its line and bytes; the rest is there', async () => {
  const torn = '{"type":"att'
  const content = fileOf(
    header(),
    user('a1', null, 'q'),
    answer('a2', 'a1', 'r'),
    torn,
    user('a3', 'a2', 'q2'),
    answer('a4', 'a3', 'r2')
  )
  const { ids, shown, texts, verified, exitCode } = await look(content)
  expect(ids).toEqual(['a1', 'a2', 'a3', 'a4'])
  expect(shown.faults).toEqual([
    expect.objectContaining({
      kind: 'malformed-line',
      severity: 'error',
      line: 4,
      offset: offsetOf(content, `${torn}\n`),
      entry: null
    })
  ])
  expect(texts).toEqual(['q', 'r', 'q2', 'r2'])
  expect(verified.bytes.faults).toBe(torn.length + 1)
  expect(exitCode).toBe(1)
})

test('an entry that was cut and has the next one glued to it: the next one is recovered, the cut one flagged', async () => {
  const cut = answer('lost', 'a1', 'cut').slice(0, 60)
  const content = fileOf(header(), user('a1', null, 'q'), cut + answer('a2', 'a1', 'r'))
  const { ids, shown, texts, kinds } = await look(content)
  expect(ids).toEqual(['a1', 'a2'])
  expect(texts).toEqual(['q', 'r'])
  expect(shown.entries[1]!.bytes).toEqual([offsetOf(content, cut) + 60, answer('a2', 'a1', 'r').length])
  expect(kinds.length).toBeGreaterThan(0)
  expect(shown.faults.every(({ line }) => line === 3)).toBe(true)
  expect(shown.faults.some(({ offset }) => offset === offsetOf(content, cut))).toBe(true)
})

test('three glued lines in one file give six entries', async () => {
  const glued = [1, 2, 3].map(
    (n) => user(`u${n}`, n === 1 ? null : `a${n - 1}`, `q${n}`) + answer(`a${n}`, `u${n}`, `r${n}`)
  )
  const { ids, shown, texts } = await look(fileOf(header(), ...glued))
  expect(ids).toEqual(['u1', 'a1', 'u2', 'a2', 'u3', 'a3'])
  expect(texts).toEqual(['q1', 'r1', 'q2', 'r2', 'q3', 'r3'])
  expect(shown.faults.filter(({ kind }) => kind === 'fused-lines').map(({ line }) => line)).toEqual([2, 3, 4])
})

test('glued objects without ids are told apart by their place in the line', async () => {
  const old = (text: string) =>
    JSON.stringify({ type: 'message', timestamp: '2025-01-01T00:00:00.000Z', message: { role: 'user', content: text } })
  const first = JSON.stringify({ type: 'session', id: 'v1', timestamp: '2025-01-01T00:00:00.000Z', cwd: '/p' })
  const { ids, shown } = await look(fileOf(first, old('a'), old('b') + old('c'), old('d')))
  expect(ids).toEqual(['L2', 'L3', 'L3.2', 'L4'])
  expect(shown.entries.map(({ parent }) => parent)).toEqual([null, 'L2', 'L3', 'L3.2'])
})

test('a torn tail says how many bytes were lost; a last line that only lacks its line feed is an entry', async () => {
  const tail = answer('a2', 'a1', 'r').slice(0, 70)
  const content = fileOf(header(), user('a1', null, 'q')) + tail
  const torn = await look(content)
  expect(torn.ids).toEqual(['a1'])
  expect(torn.shown.faults).toEqual([
    expect.objectContaining({
      kind: 'torn-tail',
      severity: 'error',
      line: 3,
      offset: offsetOf(content, tail),
      length: 70
    })
  ])
  expect(torn.verified.bytes.faults).toBe(70)

  const whole = await look(fileOf(header(), user('a1', null, 'q')) + answer('a2', 'a1', 'r'))
  expect(whole.ids).toEqual(['a1', 'a2'])
  expect(whole.kinds).toEqual([])
})

test('blank lines and JSON of the wrong shape are counted apart', async () => {
  const { ids, kinds, verified, texts } = await look(
    fileOf(header(), user('a1', null, 'q'), '', '', '[]', '"x"', 'null', '123', answer('a2', 'a1', 'r'))
  )
  expect(ids).toEqual(['a1', 'a2'])
  expect(kinds).toEqual(['not-an-object', 'not-an-object', 'not-an-object', 'not-an-object'])
  expect(verified.bytes).toMatchObject({ blank: 2, faults: 3 + 4 + 5 + 4 })
  expect(texts).toEqual(['q', 'r'])
})

test('an unknown type is an entry, and a fault that is only information', async () => {
  const { shown, kinds, exitCode, texts } = await look(
    fileOf(
      header(),
      user('a1', null, 'q'),
      entryLine('brand-new', 'n1', 'a1', { what: { is: 'this' } }),
      answer('a2', 'n1', 'r')
    )
  )
  expect(shown.entries[1]).toMatchObject({ id: 'n1', kind: 'unknown', parent: 'a1' })
  expect(kinds).toEqual(['unknown-type'])
  expect(exitCode).toBe(0)
  expect(texts).toEqual(['q', 'r'])
})

test.each([
  ['content that is an object', { role: 'user', content: { parts: [{ deep: true }] } }],
  ['content that is a number', { role: 'assistant', content: 7, usage: 'none' }],
  ['blocks of unknown types', { role: 'user', content: [{ type: 'hologram', data: 1 }, 'text', null, 3] }],
  ['no content', { role: 'user' }],
  ['a role nobody knows', { role: 'oracle', content: 'hm' }],
  ['no role', { content: 'hm' }],
  ['a message that is a text', 'hello'],
  ['a message that is null', null],
  [
    'arguments that are a text',
    { role: 'assistant', content: [{ type: 'toolCall', id: 5, name: null, arguments: '{' }] }
  ],
  ['usage full of texts', { role: 'assistant', content: [], usage: { input: 'many', output: null, cost: 3 } }]
])('a message with %s is kept, and so is what follows', async (_name, message) => {
  const { ids } = await look(
    fileOf(header(), user('a1', null, 'q'), entryLine('message', 'odd', 'a1', { message }), answer('a2', 'odd', 'r'))
  )
  expect(ids).toEqual(['a1', 'odd', 'a2'])
})

test('names that every object has are ids like others', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a\nb', ' ', '../../etc/passwd']
  const { ids, kinds } = await look(
    fileOf(header(), ...names.map((name, at) => user(name, names[at - 1] ?? null, `q${at}`)))
  )
  expect(ids).toEqual(names)
  expect(kinds).toEqual([])
})

test('a line of 25 MB is an entry like others', { timeout: 120_000 }, async () => {
  const long = 'x'.repeat(25 * 2 ** 20)
  const { ids, texts } = await look(
    fileOf(header(), user('a1', null, 'q'), answer('a2', 'a1', long), user('a3', 'a2', 'q2'))
  )
  expect(ids).toEqual(['a1', 'a2', 'a3'])
  expect(texts[1]!.length).toBe(long.length)
})

test('a byte order mark is information, and stays in the export', async () => {
  const { ids, kinds, exitCode, shown } = await look(`\ufeff${fileOf(header(), user('a1', null, 'q'))}`)
  expect(ids).toEqual(['a1'])
  expect(kinds).toEqual(['bom'])
  expect(shown.faults[0]).toMatchObject({ line: 1, offset: 0, length: 3, severity: 'info' })
  expect(shown.session.id).toBe('made')
  expect(exitCode).toBe(0)
})

test('lines end at line feeds alone', async () => {
  const raw = `{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"a\u2028b\u2029c\u0085d"}}`
  const { ids, texts, kinds } = await look(`${header()}\r\n${raw}\r\n`)
  expect(ids).toEqual(['a1'])
  expect(texts).toEqual(['a\u2028b\u2029c\u0085d'])
  expect(kinds).toEqual([])
})

test('a lone surrogate is flagged, shown as the replacement character, and stays as it is in the export', async () => {
  const raw = `{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"cut \\ud83d"}}`
  const { kinds, shown, texts } = await look(fileOf(header(), raw))
  expect(kinds).toEqual(['lone-surrogate'])
  expect(shown.faults[0]).toMatchObject({ line: 2, entry: 'a1' })
  expect(texts[0]!.toWellFormed()).toBe('cut \ufffd')
})

test('bytes that are no UTF-8 are flagged and the entry is kept', async () => {
  const [before, after] = user('a1', null, 'broken @ here').split('@')
  const { ids, kinds, texts } = await look(
    Buffer.concat([Buffer.from(`${header()}\n${before}`), Buffer.from([0xff, 0xc3]), Buffer.from(`${after}\n`)])
  )
  expect(ids).toEqual(['a1'])
  expect(kinds).toEqual(['invalid-utf8'])
  expect(texts[0]).toContain('broken')
})

test('a cycle is cut at its first line', async () => {
  const { shown, kinds } = await look(
    fileOf(header(), user('a1', 'a2', 'q'), answer('a2', 'a1', 'r'), user('self', 'self', 's'))
  )
  expect(shown.entries.map(({ parent }) => parent)).toEqual([null, 'a1', null])
  expect(kinds).toContain('cycle')
  expect(shown.leaves.map(({ id }) => id)).toEqual(['a2', 'self'])
})

test('an unreadable header leaves the entries, under the name of the file', async () => {
  const { ids, kinds, shown, context } = await look(
    fileOf(header().slice(0, 50), user('a1', null, 'q'), answer('a2', 'a1', 'r'))
  )
  expect(ids).toEqual(['a1', 'a2'])
  expect(kinds).toEqual(expect.arrayContaining(['malformed-line', 'missing-header']))
  expect(shown.session.id).toBe('made')
  expect(context.messages).toEqual([])
  expect(context.omitted.map(({ entry }) => entry)).toEqual(['a1', 'a2'])
})

test('without a header show has everything and context what the agent would load: nothing', async () => {
  const { ids, kinds, context, shown } = await look(fileOf(user('a1', null, 'q'), answer('a2', 'a1', 'r')))
  expect(ids).toEqual(['a1', 'a2'])
  expect(kinds).toEqual(['missing-header'])
  expect(context).toMatchObject({ messages: [], omitted: [{ entry: 'a1' }, { entry: 'a2' }] })
  expect(shown.session.id).toBe('made')
})

test('an empty file is an empty pi session', async () => {
  const { shown, context, verified } = await look('')
  expect(shown).toMatchObject({
    session: { agent: 'pi', entries: 0 },
    entries: [],
    leaves: [],
    defaultLeaf: { id: null, reason: 'empty' }
  })
  expect(context).toMatchObject({ entry: null, messages: [], omitted: [] })
  expect(verified.files).toBe(1)
})

test('what is no session is refused and left alone', async () => {
  const file = write('notes/notes.txt', 'Buy milk.\nCall home.\n')
  for (const command of ['show', 'context', 'verify']) {
    const { exitCode, json, stderr } = await treeline(command, file, '--json')
    expect(exitCode).toBe(1)
    expect(json<{ error: object }>().error).toMatchObject({ code: 'unsupported', file })
    expect(stderr).toContain(file)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  }
  expect(readFileSync(file, 'utf8')).toBe('Buy milk.\nCall home.\n')
})

test('a title slot in front of the header makes it an omp session with that title', async () => {
  const slot = JSON.stringify({
    type: 'title',
    v: 1,
    title: 'Renamed',
    source: 'user',
    updatedAt: '2026-01-01T00:00:00.000Z',
    pad: '   '
  })
  const { shown, ids } = await look(fileOf(slot, header({ title: 'Old' }), user('a1', null, 'q')))
  expect(shown.session).toMatchObject({ agent: 'omp', title: 'Renamed', id: 'made' })
  expect(ids).toEqual(['a1'])
})

test('times never change the order, and bad ones are flagged', async () => {
  const { ids, texts, shown, kinds } = await look(
    fileOf(
      header(),
      user('a1', null, 'later', 50),
      user('a2', 'a1', 'earlier', 10),
      entryLine('message', 'a3', 'a2', { timestamp: 'yesterday', message: { role: 'user', content: 'bad' } }),
      entryLine('message', 'a4', 'a3', { timestamp: undefined, message: { role: 'user', content: 'none' } })
    )
  )
  expect(ids).toEqual(['a1', 'a2', 'a3', 'a4'])
  expect(texts).toEqual(['later', 'earlier', 'bad', 'none'])
  expect(shown.entries.map(({ time }) => time)).toEqual([
    '2026-01-01T00:00:50.000Z',
    '2026-01-01T00:00:10.000Z',
    null,
    null
  ])
  expect(kinds).toEqual(expect.arrayContaining(['bad-timestamp']))
})

test('calls without results and results without calls are flagged', async () => {
  const { shown } = await look(
    fileOf(
      header(),
      user('a1', null, 'q'),
      toolCall('a2', 'a1', 'c1'),
      user('a3', 'a2', 'q2'),
      toolResult('a4', 'a3', 'c9', 'out'),
      answer('a5', 'a4', 'r')
    )
  )
  const unpaired = shown.faults.map(({ kind, entry }) => [kind, entry])
  expect(unpaired).toEqual(
    expect.arrayContaining([
      ['unpaired-tool-call', 'a2'],
      ['unpaired-tool-result', 'a4']
    ])
  )
})

test('an id that occurs twice stays with the last', async () => {
  const { ids, kinds, texts } = await look(
    fileOf(header(), user('a1', null, 'q'), user('a1', null, 'again'), answer('a2', 'a1', 'r'))
  )
  expect(ids).toEqual(['a1@2', 'a1', 'a2'])
  expect(kinds).toEqual(['duplicate-id'])
  expect(texts).toEqual(['again', 'r'])
})

test('an unknown parent makes a root', async () => {
  const { shown, kinds } = await look(fileOf(header(), user('a1', null, 'q'), user('a2', 'gone', 'orphan')))
  expect(shown.entries.map(({ parent }) => parent)).toEqual([null, null])
  expect(kinds).toEqual(['orphan-parent'])
})

test('a version from the future is an error and the entries are there', async () => {
  const { ids, kinds } = await look(fileOf(header({ version: 99 }), user('a1', null, 'q')))
  expect(ids).toEqual(['a1'])
  expect(kinds).toEqual(['unknown-version'])
})

test('a fork counts what it copied as inherited', async () => {
  const parent = [user('a1', null, 'q', 1), answer('a2', 'a1', 'r', {}, 2)]
  const source = write('forks/parent.jsonl', fileOf(header({ id: 'parent' }), ...parent))
  write(
    'forks/fork.jsonl',
    fileOf(
      header({ id: 'fork', timestamp: '2026-01-01T00:00:30.000Z', parentSession: source }),
      ...parent,
      user('b1', 'a2', 'q2', 40),
      answer('b2', 'b1', 'r2', {}, 41)
    )
  )
  const { sessions } = (await treeline('list', join(folder, 'forks'), '--json')).json<{ sessions: Session[] }>()
  expect(sessions.map(({ id }) => id)).toEqual(['fork', 'parent'])
  const [fork, first] = sessions
  expect(first!.usage).toMatchObject({ requests: 1, total: 135, inherited: 0 })
  expect(fork!.usage).toMatchObject({ requests: 1, total: 135, inherited: 135 })
  expect(fork!).toMatchObject({ origin: 'fork', parent: { file: source } })
})

test('what a provider does not report is unknown, not 0', async () => {
  const { shown } = await look(
    fileOf(
      header(),
      user('a1', null, 'q'),
      answer('a2', 'a1', 'r', { usage: { input: 10, output: 5 } }),
      answer('a3', 'a2', 'r', { usage: undefined })
    )
  )
  expect(shown.entries[1]!.usage).toMatchObject({
    cacheRead: null,
    cacheWrite: null,
    total: 15,
    cost: null,
    requests: 1,
    unknown: 0
  })
  expect(shown.session.usage).toMatchObject({
    requests: 2,
    unknown: 1,
    input: 10,
    output: 5,
    cacheRead: null,
    total: 15,
    cost: null
  })
  const mixed = await look(
    fileOf(
      header(),
      user('a1', null, 'q'),
      answer('a2', 'a1', 'r', { usage: { input: 10, output: 5 } }),
      answer('a3', 'a2', 'r')
    )
  )
  expect(mixed.shown.session.usage).toMatchObject({
    requests: 2,
    unknown: 0,
    cacheRead: usage.cacheRead,
    total: 150,
    cost: 0.33
  })
})

test('a last entry on another branch is the default, said to be stale, and every leaf is listed', async () => {
  const { shown, kinds, texts } = await look(
    fileOf(
      header(),
      user('a', null, 'A', 1),
      answer('b', 'a', 'B', {}, 2),
      user('c', 'b', 'C', 3),
      answer('d', 'c', 'D', {}, 4),
      entryLine('custom', 'exit', 'b', { customType: 'session_exit' }, 9)
    )
  )
  expect(shown.defaultLeaf).toEqual({ id: 'exit', reason: 'last-entry' })
  expect(shown.leaves).toEqual([
    { id: 'd', depth: 4, time: '2026-01-01T00:00:04.000Z' },
    { id: 'exit', depth: 3, time: '2026-01-01T00:00:09.000Z' }
  ])
  expect(shown.entries.map(({ onDefaultPath }) => onDefaultPath)).toEqual([true, true, false, false, true])
  expect(kinds).toEqual(['stale-leaf'])
  expect(texts).toEqual(['A', 'B'])
})

test('a compaction: the context has the summary and what was kept, the rest is omitted with a reason', async () => {
  const { context, shown, file } = await look(
    fileOf(
      header(),
      user('a1', null, 'q1'),
      answer('a2', 'a1', 'r1'),
      user('a3', 'a2', 'q2'),
      answer('a4', 'a3', 'r2'),
      entryLine('compaction', 'c', 'a4', { summary: 'SUM', firstKeptEntryId: 'a3', tokensBefore: 99 }),
      user('a5', 'c', 'q3')
    )
  )
  expect(context.messages.map(({ kind, role, text, sources }) => [kind, role, text, sources[0]])).toEqual([
    ['compaction-summary', 'compactionSummary', 'SUM', 'c'],
    ['message', 'user', 'q2', 'a3'],
    ['message', 'assistant', 'r2', 'a4'],
    ['message', 'user', 'q3', 'a5']
  ])
  expect(context.omitted.map(({ entry }) => entry)).toEqual(expect.arrayContaining(['a1', 'a2']))
  expect(context.omitted.every(({ reason }) => reason !== '')).toBe(true)
  expect(shown.session.compactions).toBe(1)
  const earlier = (await treeline('context', file, '--entry', 'a4', '--json')).json<Context>()
  expect(earlier.messages.map(({ text }) => text)).toEqual(['q1', 'r1', 'q2', 'r2'])
})

test('after 48 compactions every message is still shown', async () => {
  const lines = Array.from({ length: 48 }, (_, at) => [
    user(`u${at}`, at === 0 ? null : `c${at - 1}`, `q${at}`),
    entryLine('compaction', `c${at}`, `u${at}`, { summary: `S${at}`, firstKeptEntryId: `u${at}`, tokensBefore: 1 })
  ]).flat()
  const { ids, texts, shown } = await look(fileOf(header(), ...lines))
  expect(ids).toHaveLength(96)
  expect(texts).toEqual(['S47', 'q47'])
  expect(shown.session.compactions).toBe(48)
})

test('no nesting in a session is too deep', async () => {
  const deep = `${'['.repeat(50_000)}1${']'.repeat(50_000)}`
  const call = toolCall('a2', 'a1', 'c1').replace('"arguments":{}', `"arguments":{"deep":${deep}}`)
  const { ids } = await look(fileOf(header(), user('a1', null, 'q'), call, toolResult('a3', 'a2', 'c1', 'out')))
  expect(ids).toEqual(['a1', 'a2', 'a3'])
})

test('an unknown entry is refused; so is a place where the agent could not go on, with the nearest that work', async () => {
  const file = write(
    'refusals/made.jsonl',
    fileOf(
      header(),
      user('a1', null, 'q'),
      toolCall('a2', 'a1', 'c1'),
      toolResult('a3', 'a2', 'c1', 'out'),
      answer('a4', 'a3', 'r')
    )
  )
  const unknown = await treeline('context', file, '--entry', 'nope', '--json')
  expect(unknown.exitCode).toBe(1)
  expect(unknown.json<{ error: object }>().error).toMatchObject({ code: 'not-found', file, entry: 'nope' })
  const mistyped = await treeline('context', file, '--entry', 'a11', '--json')
  expect(mistyped.json<{ error: object }>().error).toMatchObject({ code: 'not-found', entry: 'a11', nearest: ['a1'] })
  expect(mistyped.stderr).toContain('Nearest ids: a1.')
  const inside = await treeline('branch', file, '--entry', 'a2', '--json')
  expect(inside.exitCode).toBe(1)
  const { error } = inside.json<{ error: { code: string; entry: string; nearest: string[] } }>()
  expect(error).toMatchObject({ code: 'not-resumable', entry: 'a2' })
  expect(error.nearest.length).toBeGreaterThan(0)
  for (const entry of error.nearest)
    expect((await treeline('branch', file, '--entry', entry, '--dry-run', '--json')).exitCode).toBe(0)
  expect(inside.stderr).toContain(error.nearest[0])
  expect(readdirSync(dirname(file))).toEqual(['made.jsonl'])
})

test('a dry run of a branch says what the branch then does, and writes nothing', async () => {
  const file = write(
    'dry/made.jsonl',
    fileOf(header(), user('a1', null, 'q'), answer('a2', 'a1', 'r'), user('a3', 'a2', 'q2'))
  )
  const at = ['branch', file, '--entry', 'a2', '--json']
  const dry = (await treeline(...at, '--dry-run')).json<Record<string, unknown>>()
  expect(readdirSync(dirname(file))).toEqual(['made.jsonl'])
  const real = (await treeline(...at, '--new-file')).json<{
    file: string
    sessionId: string
    resume: string
    written: { bytes: number }[]
  }>()
  expect(readdirSync(dirname(file))).toHaveLength(2)
  expect(real.resume).toContain(`cd /home/user/p`)
  expect({ ...dry, file: '', sessionId: '', resume: '', written: [] }).toEqual({
    ...real,
    file: '',
    sessionId: '',
    resume: '',
    written: []
  })
  expect(real).toMatchObject({
    mode: 'new-file',
    entry: 'a2',
    entries: 2,
    written: [{ path: real.file, offset: 0, bytes: readFileSync(real.file).length }]
  })
})

test('an export is never written over anything', async () => {
  const file = write('over/made.jsonl', fileOf(header(), user('a1', null, 'q')))
  const there = write('over/there.jsonl', 'mine')
  symlinkSync(join(folder, 'over', 'nowhere'), join(folder, 'over', 'dangling'))
  for (const out of [there, join(folder, 'over', 'dangling'), file]) {
    const { exitCode, json } = await treeline('export', file, '--as', 'jsonl', '--out', out, '--json')
    expect(exitCode).toBe(1)
    expect(json<{ error: object }>().error).toMatchObject({ code: 'exists' })
  }
  expect(readFileSync(there, 'utf8')).toBe('mine')
  expect(existsSync(join(folder, 'over', 'nowhere'))).toBe(false)
  const lost = await treeline('export', file, '--as', 'jsonl', '--out', join(folder, 'no', 'such', 'x'), '--json')
  expect(lost.json<{ error: object }>().error).toMatchObject({ code: 'not-found' })
})

test('paths are taken from where the person is, and printed without links', async () => {
  const file = write('links/real/made.jsonl', fileOf(header(), user('a1', null, 'q')))
  symlinkSync(join(folder, 'links', 'real'), join(folder, 'links', 'way'))
  const { session } = (await treeline('show', 'links/way/made.jsonl', '--json')).json<Shown>()
  expect(session.file).toBe(file)
  const exported = (
    await treeline('export', 'links/way/made.jsonl', '--as', 'jsonl', '--out', 'links/way/out.jsonl', '--json')
  ).json<{ out: string; source: { file: string } }>()
  expect(exported).toMatchObject({ out: join(folder, 'links', 'real', 'out.jsonl'), source: { file } })
})

test('a missing file or folder is refused as such', async () => {
  for (const [command, path] of [
    ['show', 'gone.jsonl'],
    ['list', 'gone'],
    ['verify', 'gone']
  ] as const) {
    const { exitCode, json, stderr } = await treeline(command, path, '--json')
    expect(exitCode).toBe(1)
    expect(json<{ error: object }>().error).toMatchObject({ code: 'not-found', file: join(folder, path) })
    expect(stderr).toContain(join(folder, path))
  }
})

test('list of a folder: symlinks are not followed, other stores are named once, an empty folder is no error', async () => {
  const file = write('places/a/b/c/made.jsonl', fileOf(header(), user('a1', null, 'q')))
  symlinkSync(file, join(folder, 'places', 'link.jsonl'))
  symlinkSync(join(folder, 'places'), join(folder, 'places', 'a', 'loop'))
  const { sessions, faults } = (await treeline('list', 'places', '--json')).json<{
    sessions: Session[]
    faults: Fault[]
  }>()
  expect(sessions.map((session) => session.file)).toEqual([file])
  expect(faults).toEqual([])
  write('empty/readme.txt', 'nothing')
  const empty = await treeline('list', 'empty', '--json')
  expect(empty.exitCode).toBe(0)
  expect(empty.json()).toEqual({ sessions: [], faults: [] })
  expect((await treeline('verify', 'empty', '--json')).json()).toEqual({
    files: 0,
    findings: [],
    bytes: { entries: 0, faults: 0, blank: 0, total: 0 }
  })
  expect((await treeline('list', 'empty')).stdout).toMatch(/^No session in .*empty: looked at 1 file for /)
})

test('a store that cannot be read yet is one information for its folder', async () => {
  const claude = (n: number) =>
    JSON.stringify({
      type: 'user',
      uuid: `u${n}`,
      parentUuid: null,
      sessionId: 's',
      cwd: '/p',
      version: '2.1.0',
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: 'user', content: 'q' }
    })
  write('claude/projects/-p/one.jsonl', fileOf(claude(1), claude(2)))
  write('claude/projects/-p/two.jsonl', fileOf(claude(3), claude(4)))
  const { sessions, faults } = (await treeline('list', 'claude', '--json')).json<{
    sessions: Session[]
    faults: Fault[]
  }>()
  expect(sessions).toEqual([])
  expect(faults).toEqual([
    expect.objectContaining({ kind: 'unsupported-store', severity: 'info', file: join(folder, 'claude/projects/-p') })
  ])
  expect(basename(faults[0]!.file)).toBe('-p')
})

test('a session that is named as the index by mistake stays as it is', async () => {
  const content = fileOf(header(), user('a1', null, 'q'))
  const file = write('mistake/made.jsonl', content)
  const { exitCode, json } = await treeline('list', 'mistake', '--index', file, '--json')
  expect(exitCode).toBe(1)
  expect(json<{ error: object }>().error).toMatchObject({ code: 'exists', file })
  expect(readFileSync(file, 'utf8')).toBe(content)
})
