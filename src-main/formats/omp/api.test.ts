import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readPath, readText } from '../testing.ts'
import { SessionManager } from './api.ts'
import { omp } from './index.ts'
import { sessionFolder } from './session-folder.ts'

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name)
const user = (text: string) => ({ role: 'user', content: text })
const answer = (text: string) => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  provider: 'acme',
  model: 'large-1',
  stopReason: 'stop'
})

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-api-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Objects of a session's file, read without any code of ours. */
const stored = (session: SessionManager) =>
  readFileSync(session.getSessionFile()!, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** A session with a prompt and its answer. */
function begun(): { session: SessionManager; ask: string; reply: string } {
  const session = SessionManager.create('/srv/shop', folder)
  const ask = session.appendMessage(user('Hello'))
  return { session, ask, reply: session.appendMessage(answer('Hi!')) }
}

const texts = (session: SessionManager) =>
  session
    .buildSessionContext()
    .messages.map(({ role, content, summary }) => [
      role,
      summary ?? (typeof content === 'string' ? content : (content as { text: string }[])[0]!.text)
    ])

describe('files', () => {
  test('a session is a file of lines, each a JSON object with a type', () => {
    const { session } = begun()
    const bytes = readFileSync(session.getSessionFile()!, 'utf8')
    expect(bytes.endsWith('\n')).toBe(true)
    expect(stored(session).map(({ type }) => type)).toEqual(['session', 'message', 'message'])
  })

  test('the file is named after its time and id, in the folder of the project', () => {
    const session = SessionManager.create('/srv/shop', folder)
    const { id, timestamp } = session.getHeader()
    expect(session.getSessionFile()).toBe(join(folder, `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(sessionFolder('/srv/a:b/c', {}, '/home/me', '/tmp')).toBe('/home/me/.omp/agent/sessions/--srv-a-b-c--')
    expect(sessionFolder('/home/me/shop/api', {}, '/home/me', '/tmp')).toBe('/home/me/.omp/agent/sessions/-shop-api')
    expect(sessionFolder('/tmp/x', {}, '/home/me', '/tmp')).toMatch(/sessions\/-tmp-x$/)
    expect(sessionFolder('/x', { PI_CODING_AGENT_DIR: '~/own' }, '/home/me', '/tmp')).toBe(
      '/home/me/own/sessions/--x--'
    )
  })

  test('the header is the first line, says version 3, and is no entry', () => {
    const { session } = begun()
    const [header] = stored(session)
    expect(header).toEqual({
      type: 'session',
      version: 3,
      id: session.getHeader().id,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      cwd: '/srv/shop'
    })
    expect(session.getHeader()).toEqual(header)
    expect(session.getEntries()).toHaveLength(2)
  })

  test('a session that comes from another names it in its header', async () => {
    const source = await readPath(omp, fixture('pi-branches.jsonl'))
    const plan = await omp.planBranch(source, { at: 0, now: new Date(), into: folder })
    const [{ path, pieces }] = plan.files
    const [opening] = pieces
    writeFileSync(path, opening!.kind === 'text' ? opening!.text : '')
    expect(SessionManager.open(path).getHeader().parentSession).toBe(fixture('pi-branches.jsonl'))
  })

  test('the file is made with the first message of the person or the model, whole', () => {
    const session = SessionManager.create('/srv/shop', join(folder, 'new'))
    session.appendModelChange('acme', 'large-1')
    session.appendCustomEntry('note')
    expect(existsSync(join(folder, 'new'))).toBe(false)
    session.appendMessage(user('Hello'))
    expect(stored(session).map(({ type }) => type)).toEqual(['session', 'model_change', 'custom', 'message'])
    expect(readdirSync(join(folder, 'new'))).toHaveLength(1)
  })

  test('every append is behind what was there, which stays as it was', () => {
    const { session, ask } = begun()
    const file = session.getSessionFile()!
    let before = readFileSync(file)
    const inode = statSync(file).ino
    const appends = [
      () => session.appendThinkingLevelChange('high'),
      () => session.appendCompaction('All so far', ask, 100),
      () => session.appendLabelChange(ask, 'start'),
      () => session.branchWithSummary(ask, 'left')
    ]
    for (const append of appends) {
      append()
      const after = readFileSync(file)
      expect(after.subarray(0, before.length)).toEqual(before)
      expect(after.subarray(before.length).toString().split('\n')).toHaveLength(2)
      before = after
    }
    expect(statSync(file).ino).toBe(inode)
  })

  test('a file without a last line feed gets one first', () => {
    const { session } = begun()
    const file = session.getSessionFile()!
    writeFileSync(file, readFileSync(file, 'utf8').trimEnd())
    const opened = SessionManager.open(file)
    opened.appendMessage(user('More'))
    expect(stored(opened).map(({ message }) => message?.role)).toEqual([undefined, 'user', 'assistant', 'user'])
    expect(opened.getEntries()).toEqual(SessionManager.open(file).getEntries())
  })

  test('where another program has appended meanwhile nothing is written', () => {
    const { session } = begun()
    const file = session.getSessionFile()!
    appendFileSync(file, '{"type":"custom","id":"0000000f","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z"}\n')
    const before = readFileSync(file)
    const leaf = session.getLeafId()
    expect(() => session.appendMessage(user('More'))).toThrow(expect.objectContaining({ code: 'stale' }))
    expect(readFileSync(file)).toEqual(before)
    expect(session.getLeafId()).toBe(leaf)
    expect(session.getEntries()).toHaveLength(2)
  })
})

describe('older versions', () => {
  test('entries of the first version are read as a chain, and the file stays as it is', async () => {
    const before = readFileSync(fixture('first-version.jsonl'))
    const session = await readPath(omp, fixture('first-version.jsonl'))
    expect(session.tree.nodes.map(({ parent }) => parent)).toEqual(session.tree.nodes.map((_, at) => at - 1))
    expect(readFileSync(fixture('first-version.jsonl'))).toEqual(before)
  })

  test('entries of the second version are a tree by id and parentId', async () => {
    const session = await readText(
      omp,
      [
        '{"type":"session","version":2,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}',
        '{"type":"custom","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","customType":"x"}',
        '{"type":"custom","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:00.000Z","customType":"x"}',
        '{"type":"custom","id":"c","parentId":"a","timestamp":"2026-01-01T00:00:00.000Z","customType":"x"}'
      ].join('\n')
    )
    expect(session.tree.nodes.map(({ parent }) => parent)).toEqual([-1, 0, 0])
  })

  const copied = (name: string): string => {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(fixture(name)))
    return file
  }

  test('a session of the first version is opened as if it had been migrated, with new ids, and cannot be written on', () => {
    const file = copied('first-version.jsonl')
    const kept =
      '{"type":"compaction","timestamp":"2026-01-05T09:00:08.000Z","summary":"So far","firstKeptEntryIndex":3,"tokensBefore":9}\n'
    appendFileSync(file, kept)
    const before = readFileSync(file)
    const session = SessionManager.open(file)
    expect(session.getHeader()).toMatchObject({ id: 'first-version', version: 3 })
    const entries = session.getEntries()
    for (const { id } of entries) expect(id).toMatch(/^[0-9a-f]{8}$/)
    expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...entries.slice(0, -1).map(({ id }) => id)])
    expect(session.getEntry(session.getLeafId()!)).toMatchObject({ firstKeptEntryId: entries[2]!.id })
    expect(session.getPath()).toEqual(entries)
    expect(texts(session).slice(0, 2)).toEqual([
      ['compactionSummary', 'So far'],
      ['user', 'Two at once']
    ])
    const appends = [
      () => session.appendMessage(user('More')),
      () => session.appendLabelChange(entries[0]!.id, 'x'),
      () => session.branchWithSummary(entries[0]!.id, 's')
    ]
    for (const append of appends) {
      expect(append).toThrow(
        expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('Fork it') })
      )
    }
    expect(session.getEntries()).toEqual(entries)
    expect(readFileSync(file)).toEqual(before)
  })

  test('a session of the second version is opened as if it had been migrated, and goes on in its own file', () => {
    const file = copied('second-version.jsonl')
    const before = readFileSync(file)
    const session = SessionManager.open(file)
    expect(session.getHeader().version).toBe(3)
    expect(session.getEntry('h1')).toMatchObject({ parentId: 'u1', message: { role: 'custom', customType: 'hook' } })
    expect(texts(session)[1]).toEqual(['custom', 'from a hook'])
    session.branch('u1')
    const id = session.appendMessage(answer('Other'))
    session.appendLabelChange('h1', 'here')
    expect(readFileSync(file).subarray(0, before.length)).toEqual(before)
    const opened = SessionManager.open(file)
    expect(opened.getEntries()).toEqual(session.getEntries())
    expect(opened.getChildren('u1').map((entry) => entry.id)).toEqual(['h1', id])
    expect(opened.getLabel('h1')).toBe('here')
  })

  test('a session of a version that is not known is read, and cannot be written on', () => {
    const file = join(folder, 'new.jsonl')
    writeFileSync(file, '{"type":"session","version":4,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/srv"}\n')
    const session = SessionManager.open(file)
    expect(session.getHeader().version).toBe(4)
    expect(() => session.appendMessage(user('More'))).toThrow(expect.objectContaining({ code: 'unsupported' }))
    expect(SessionManager.continueRecent('/srv', folder).getHeader().id).not.toBe('s')
  })

  test.each(['', 'no session\n', '{"role":"user"}\n', '[]', '{"type":"title","v":1,"title":"t"}\n'])(
    'what is no session is refused and stays as it is: %j',
    (text) => {
      const file = join(folder, 'other.jsonl')
      writeFileSync(file, text)
      expect(() => SessionManager.open(file)).toThrow(expect.objectContaining({ code: 'unsupported' }))
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
  )
})

describe('entries', () => {
  test('every entry has a type, an id of eight hex digits, a parent and an ISO time', () => {
    const { session } = begun()
    for (const entry of session.getEntries()) {
      expect(entry.type).toBe('message')
      expect(entry.id).toMatch(/^[0-9a-f]{8}$/)
      expect(new Date(entry.timestamp).toISOString()).toBe(entry.timestamp)
    }
  })

  test('a message is stored as it was given', () => {
    const { session, ask, reply } = begun()
    const result = { role: 'toolResult', toolCallId: 'c', toolName: 'bash', content: [], isError: false }
    const id = session.appendMessage(result)
    expect(session.getEntry(ask)).toMatchObject({ type: 'message', parentId: null, message: user('Hello') })
    expect(session.getEntry(reply)).toMatchObject({ parentId: ask, message: answer('Hi!') })
    expect(stored(session).at(-1)).toMatchObject({ id, parentId: reply, message: result })
  })

  test('what becomes of an object after it was appended changes nothing', () => {
    const { session } = begun()
    const message = user('Said')
    const id = session.appendMessage(message)
    const data = { count: 1, none: undefined }
    session.appendCustomEntry('note', data)
    message.content = 'Unsaid'
    data.count = 2
    expect(session.getEntry(id)).toMatchObject({ message: user('Said') })
    expect(texts(session).at(-1)).toEqual(['user', 'Said'])
    expect(session.getEntries()).toStrictEqual(SessionManager.open(session.getSessionFile()!).getEntries())
  })

  test.each([{}, { role: 'branchSummary', summary: 's' }, { role: 'compactionSummary', summary: 's' }])(
    'what is no message to store is refused: %j',
    (message) => {
      const { session } = begun()
      expect(() => session.appendMessage(message as never)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
      expect(session.getEntries()).toHaveLength(2)
    }
  )

  test('a change of the model is stored in the form of the agent whose file it is', () => {
    const { session } = begun()
    const id = session.appendModelChange('openai', 'gpt-4o')
    expect(stored(session).at(-1)).toMatchObject({ id, type: 'model_change', provider: 'openai', modelId: 'gpt-4o' })
    expect(session.buildSessionContext().model).toEqual({ provider: 'openai', modelId: 'gpt-4o' })

    const ofOmp = SessionManager.create('/srv/shop', join(folder, '.omp', 'sessions'))
    ofOmp.appendMessage(user('Hello'))
    ofOmp.appendModelChange('openai', 'gpt-4o')
    expect(stored(ofOmp).at(-1)).toMatchObject({ type: 'model_change', model: 'openai/gpt-4o' })
    expect(ofOmp.buildSessionContext().model).toEqual({ provider: 'openai', modelId: 'gpt-4o' })
  })

  test('a change of the thinking level is stored', () => {
    const { session } = begun()
    const id = session.appendThinkingLevelChange('high')
    expect(stored(session).at(-1)).toMatchObject({ id, type: 'thinking_level_change', thinkingLevel: 'high' })
    expect(session.buildSessionContext().thinkingLevel).toBe('high')
  })

  test('a compaction stores its summary, the first entry kept and the tokens before it', () => {
    const { session, reply } = begun()
    const id = session.appendCompaction('So far', reply, 50_000)
    expect(session.getEntry(id)).toEqual({
      type: 'compaction',
      id,
      parentId: reply,
      timestamp: expect.any(String),
      summary: 'So far',
      firstKeptEntryId: reply,
      tokensBefore: 50_000
    })
  })

  test('details of a compaction and whether a hook made it are stored where they are given', () => {
    const { session, reply } = begun()
    session.appendCompaction('So far', reply, 50_000, { files: ['a'] }, true)
    expect(stored(session).at(-1)).toMatchObject({ details: { files: ['a'] }, fromHook: true })
  })

  test('a branch summary hangs below the entry that is gone on from and names the leaf that was left', () => {
    const { session, ask, reply } = begun()
    const id = session.branchWithSummary(ask, 'Tried A', { readFiles: ['a'], modifiedFiles: [] }, true)
    expect(stored(session).at(-1)).toMatchObject({
      type: 'branch_summary',
      id,
      parentId: ask,
      fromId: reply,
      summary: 'Tried A',
      details: { readFiles: ['a'], modifiedFiles: [] },
      fromHook: true
    })
  })

  test("in omp's files a branch summary names the entry that is gone on from", () => {
    const session = SessionManager.create('/srv/shop', join(folder, '.omp'))
    const ask = session.appendMessage(user('Hello'))
    session.appendMessage(answer('Hi!'))
    session.branchWithSummary(ask, 'Tried A')
    expect(stored(session).at(-1)).toMatchObject({ parentId: ask, fromId: ask })
    session.branchWithSummary(null, 'All anew')
    expect(stored(session).at(-1)).toMatchObject({ parentId: null, fromId: 'root' })
  })

  test('a custom entry keeps its data and is not in the context', () => {
    const { session } = begun()
    const id = session.appendCustomEntry('my-hook', { count: 42 })
    const opened = SessionManager.open(session.getSessionFile()!)
    expect(opened.getEntry(id)).toMatchObject({ type: 'custom', customType: 'my-hook', data: { count: 42 } })
    expect(texts(opened)).toHaveLength(2)
  })

  test('entries of a hook are found again by their customType', () => {
    const { session } = begun()
    session.appendCustomEntry('mine', 1)
    session.appendCustomEntry('other', 2)
    const found = SessionManager.open(session.getSessionFile()!)
      .getEntries()
      .filter(({ customType }) => customType === 'mine')
    expect(found.map(({ data }) => data)).toEqual([1])
  })

  test.each([true, false])('a custom message is in the context, with display %s', (display) => {
    const { session } = begun()
    const content = [{ type: 'text', text: 'Injected' }]
    const id = session.appendCustomMessageEntry('my-hook', content, display, { why: 'x' })
    expect(stored(session).at(-1)).toMatchObject({ id, customType: 'my-hook', content, display, details: { why: 'x' } })
    expect(texts(session).at(-1)).toEqual(['custom', 'Injected'])
    session.appendCustomMessageEntry('my-hook', 'As a text', display)
    expect(texts(session).at(-1)).toEqual(['custom', 'As a text'])
  })

  test('details of a custom message are not sent as its content', () => {
    const { session } = begun()
    session.appendCustomMessageEntry('my-hook', 'Injected', true, { secret: 'detail' })
    expect(session.buildSessionContext().messages.at(-1)!['content']).toBe('Injected')
  })

  test('a label is an entry of its own, the last one counts, and without a text it is cleared', () => {
    const { session, ask, reply } = begun()
    const id = session.appendLabelChange(ask, 'checkpoint-1')
    expect(stored(session).at(-1)).toMatchObject({
      type: 'label',
      id,
      parentId: reply,
      targetId: ask,
      label: 'checkpoint-1'
    })
    expect(session.getLabel(ask)).toBe('checkpoint-1')
    session.appendLabelChange(ask, 'checkpoint-2')
    expect(session.getLabel(ask)).toBe('checkpoint-2')
    session.appendLabelChange(ask, undefined)
    expect(stored(session).at(-1)).not.toHaveProperty('label')
    expect(session.getLabel(ask)).toBeUndefined()
    expect(SessionManager.open(session.getSessionFile()!).getLabel(ask)).toBeUndefined()
  })

  test('a label on an entry that is not there is refused', () => {
    const { session } = begun()
    expect(() => session.appendLabelChange('ffffffff', 'x')).toThrow(expect.objectContaining({ code: 'not-found' }))
    expect(stored(session)).toHaveLength(3)
  })
})

describe('the tree', () => {
  test('the first entry has no parent, and each next one hangs below the leaf', () => {
    const { session, ask, reply } = begun()
    const next = session.appendThinkingLevelChange('low')
    expect(session.getEntries().map(({ parentId }) => parentId)).toEqual([null, ask, reply])
    expect(session.getLeafId()).toBe(next)
  })

  test('branching makes a new child of an earlier entry, in the same file', () => {
    const { session, ask, reply } = begun()
    const before = readFileSync(session.getSessionFile()!)
    session.branch(ask)
    expect(readFileSync(session.getSessionFile()!)).toEqual(before)
    expect(session.getLeafId()).toBe(ask)
    const other = session.appendMessage(answer('Hey!'))
    expect(session.getChildren(ask).map(({ id }) => id)).toEqual([reply, other])
    expect(texts(session)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hey!']
    ])
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('an entry that is not there cannot be branched from', () => {
    const { session, reply } = begun()
    expect(() => session.branch('ffffffff')).toThrow(expect.objectContaining({ code: 'not-found' }))
    expect(() => session.branchWithSummary('ffffffff', 's')).toThrow(expect.objectContaining({ code: 'not-found' }))
    expect(session.getLeafId()).toBe(reply)
  })

  test('the leaf is where the session goes on: the last entry of the file when it is opened', () => {
    const { session, ask } = begun()
    session.branch(ask)
    const label = session.appendLabelChange(ask, 'here')
    expect(SessionManager.open(session.getSessionFile()!).getLeafId()).toBe(label)
    expect(SessionManager.inMemory().getLeafId()).toBeNull()
  })

  test('the tree has every entry below its parent, with its label', () => {
    const { session, ask, reply } = begun()
    session.branch(ask)
    const other = session.appendMessage(answer('Hey!'))
    session.appendLabelChange(reply, 'first')
    const [root, ...more] = session.getTree()
    expect(more).toEqual([])
    expect(root!.entry.id).toBe(ask)
    expect(root!.children.map(({ entry, label }) => [entry.id, label])).toEqual([
      [reply, 'first'],
      [other, undefined]
    ])
    expect(root!.children[1]!.children).toHaveLength(1)
  })

  test('a path runs from the root to an entry, the leaf where none is named', () => {
    const { session, ask, reply } = begun()
    session.branch(ask)
    const other = session.appendMessage(answer('Hey!'))
    expect(session.getPath().map(({ id }) => id)).toEqual([ask, other])
    expect(session.getPath(reply).map(({ id }) => id)).toEqual([ask, reply])
    expect(SessionManager.inMemory().getPath()).toEqual([])
  })

  test('an entry is had by its id, and roots are the children of null', () => {
    const { session, ask } = begun()
    expect(session.getEntry(ask)).toMatchObject({ message: user('Hello') })
    expect(session.getEntry('ffffffff')).toBeUndefined()
    expect([session.getChildren('ffffffff'), session.getPath('ffffffff')]).toEqual([[], []])
    expect(session.getChildren(null).map(({ id }) => id)).toEqual([ask])
  })

  test('a chain of 20,000 entries has a tree, a path and a context', () => {
    const session = SessionManager.inMemory('/srv/shop')
    for (let turn = 0; turn < 20_000; turn++) session.appendMessage(user(`Turn ${turn}`))
    expect(session.getPath()).toHaveLength(20_000)
    expect(session.getTree()).toHaveLength(1)
    expect(session.buildSessionContext().messages).toHaveLength(20_000)
  })
})

describe('the context', () => {
  test('it is made of the entries on the path to the leaf', () => {
    const { session, ask, reply } = begun()
    session.branch(ask)
    session.appendMessage(answer('Hey!'))
    session.branch(reply)
    session.appendMessage(user('On'))
    expect(texts(session)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
      ['user', 'On']
    ])
  })

  test('model and thinking level are those of the last change on the path', () => {
    const { session, ask } = begun()
    expect(session.buildSessionContext()).toMatchObject({
      model: { provider: 'acme', modelId: 'large-1' },
      thinkingLevel: 'off'
    })
    session.appendModelChange('openai', 'gpt-4o')
    session.appendThinkingLevelChange('high')
    expect(session.buildSessionContext()).toMatchObject({ model: { modelId: 'gpt-4o' }, thinkingLevel: 'high' })
    session.branch(ask)
    expect(session.buildSessionContext()).toMatchObject({ model: null, thinkingLevel: 'off' })
  })

  test('behind a compaction come its summary, then what it keeps, then what follows', () => {
    const { session } = begun()
    const kept = session.appendMessage(user('Keep me'))
    session.appendMessage(answer('Kept'))
    session.appendCompaction('Hello was said', kept, 100)
    session.appendMessage(user('On'))
    expect(texts(session)).toEqual([
      ['compactionSummary', 'Hello was said'],
      ['user', 'Keep me'],
      ['assistant', 'Kept'],
      ['user', 'On']
    ])
    expect(session.buildSessionContext().messages[0]).toMatchObject({ tokensBefore: 100 })
  })

  test('branch summaries and custom messages have the forms of messages', () => {
    const { session, ask, reply } = begun()
    session.branchWithSummary(ask, 'Tried A')
    session.appendCustomMessageEntry('my-hook', 'Injected', false)
    const [, summary, custom] = session.buildSessionContext().messages
    expect(summary).toMatchObject({ role: 'branchSummary', summary: 'Tried A', fromId: reply })
    expect(custom).toMatchObject({ role: 'custom', customType: 'my-hook', content: 'Injected', display: false })
  })

  test('it is the same as the context that is shown of the file', async () => {
    const { session, ask } = begun()
    session.appendCompaction('So far', ask, 1)
    session.branchWithSummary(ask, 'Tried A')
    session.appendMessage(user('On'))
    const shown = await omp.context(await readPath(omp, session.getSessionFile()!), null)
    expect(texts(session)).toEqual(shown.messages.map(({ role, text }) => [role, text]))
  })

  test.each(['pi-branches.jsonl', 'omp-modes.jsonl'])(
    'of %s it has the messages that are shown of it',
    async (name) => {
      const shown = await omp.context(await readPath(omp, fixture(name)), null)
      const { messages, thinkingLevel } = SessionManager.open(fixture(name)).buildSessionContext()
      expect(messages.map(({ role }) => role)).toEqual(shown.messages.map(({ role }) => role))
      expect(thinkingLevel).toBe(shown.thinking)
    }
  )
})

describe('opening', () => {
  test('a session that is opened goes on where it was left', () => {
    const { session, reply } = begun()
    const opened = SessionManager.open(session.getSessionFile()!)
    expect(opened.getEntries()).toEqual(session.getEntries())
    expect(opened.getHeader()).toEqual(session.getHeader())
    const next = opened.appendMessage(user('On'))
    expect(opened.getEntry(next)!.parentId).toBe(reply)
  })

  test('a file that is not there is refused', () => {
    expect(() => SessionManager.open(join(folder, 'none.jsonl'))).toThrow(
      expect.objectContaining({ code: 'not-found' })
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('the session of the project that was written to last is continued, else a new one begun', () => {
    const one = begun().session
    const two = begun().session
    const elsewhere = SessionManager.create('/srv/other', folder)
    elsewhere.appendMessage(user('Hello'))
    writeFileSync(join(folder, 'notes.jsonl'), 'no session\n')
    utimesSync(one.getSessionFile()!, new Date(), new Date(Date.now() - 1000))
    utimesSync(two.getSessionFile()!, new Date(), new Date(Date.now() - 2000))
    expect(SessionManager.continueRecent('/srv/shop', folder).getSessionFile()).toBe(one.getSessionFile())
    const header = { type: 'session', version: 2, id: 'older', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/srv/shop' }
    writeFileSync(join(folder, 'older.jsonl'), `${JSON.stringify(header)}\n`)
    expect(SessionManager.continueRecent('/srv/shop', folder).getHeader().id).toBe('older')
    const fresh = SessionManager.continueRecent('/srv/third', folder)
    expect(fresh.getEntries()).toEqual([])
    expect(SessionManager.continueRecent('/srv/shop', join(folder, 'none')).getLeafId()).toBeNull()
  })

  test('a session in memory has no file', () => {
    const session = SessionManager.inMemory('/srv/shop')
    session.appendMessage(user('Hello'))
    expect(session.getSessionFile()).toBeUndefined()
    expect(session.getHeader().cwd).toBe('/srv/shop')
    expect(texts(session)).toEqual([['user', 'Hello']])
  })
})

describe('docs/seeds.md', () => {
  const root = resolve(import.meta.dirname, '..', '..', '..')
  const rows = readFileSync(join(root, 'docs', 'seeds.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('.test.ts'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, says, file, name]) => ({ says, file: file!.replaceAll('`', ''), name: name! }))

  test.each(rows)('$says: its test exists', ({ file, name }) => {
    const tests = readFileSync(join(root, file), 'utf8')
    expect([`'${name}'`, `"${name}"`].some((quoted) => tests.includes(quoted))).toBe(true)
  })

  test('it names tests', () => expect(rows.length).toBeGreaterThan(40))
})
