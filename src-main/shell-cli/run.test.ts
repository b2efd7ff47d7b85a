import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Engine } from '#main/engine/types.ts'
import type { Calls } from '#shared/contract/contract.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { sessionRow } from '#shared/model/testing/session-row.ts'
import type { InputOf, OutputOf } from '#shared/rpc/types.ts'
import { runCommandLine } from './run.ts'

type Answers = {
  readonly [K in keyof Calls]?: (input: InputOf<Calls, K>) => OutputOf<Calls, K> | Promise<OutputOf<Calls, K>>
}

interface Opened {
  readonly files: [path: string, agent: AgentId | null][]
  readonly folders: string[]
  readonly targets: string[]
  closed: number
}

const row = (over: Partial<SessionRow> = {}): SessionRow =>
  sessionRow('s1', {
    file: '/srv/place/a.jsonl',
    title: 'A title',
    cwd: '/home/user/project',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:01:00.000Z',
    entries: 0,
    leaves: 0,
    key: 'k1' as SessionKey,
    folder: 'f1' as FolderKey,
    ...over
  })

/** Runs the command line over an engine that answers as told. */
async function run(
  argv: string,
  answers: Answers = {},
  over: Partial<Engine> = {},
  signal = new AbortController().signal,
  cwd: string | null = '/srv/place'
) {
  const opened: Opened = { files: [], folders: [], targets: [], closed: 0 }
  const engine: Engine = {
    attach: () => {},
    client: () => ({
      async call(name, input) {
        const answer = answers[name] as ((input: unknown) => never) | undefined
        if (answer === undefined) throw new Refusal('unsupported', `no ${name} in this test`)
        return answer(input)
      },
      on: () => () => {}
    }),
    openFolder: async (path) => (opened.folders.push(path), 'f1' as FolderKey),
    reopenFolders: async () => {},
    askFor: () => {},
    folderKey: async (path) => (opened.targets.push(path), 'target' as FolderKey),
    openFile: async (path, agent) => (opened.files.push([path, agent]), 'k1' as SessionKey),
    idle: async () => {},
    close: async () => void (opened.closed += 1),
    ...over
  }
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const indexes: (string | undefined)[] = []
  const printed = text(stdout)
  const complained = text(stderr)
  const exitCode = await runCommandLine({
    argv: argv.split(' ').filter((part) => part !== ''),
    cwd,
    stdout,
    stderr,
    version: '0.0.0',
    openApp: async () => 0,
    openEngine: (index) => (indexes.push(index), engine),
    signal
  })
  stdout.end()
  stderr.end()
  return { exitCode, stdout: await printed, stderr: await complained, opened, indexes }
}

const context: OutputOf<Calls, 'entry.context'> = {
  entry: 'e2',
  model: { provider: 'anthropic', name: 'opus' },
  thinking: 'medium',
  messages: [
    {
      kind: 'message',
      role: 'user',
      text: 'hello \u001b[31mthere',
      blocks: [{ type: 'text', text: 'hello \u001b[31mthere' }],
      stopReason: null,
      tokens: 3,
      tokensSource: 'estimated',
      sources: ['e1']
    },
    {
      kind: 'message',
      role: 'assistant',
      text: '',
      blocks: [{ type: 'tool-call', id: 'c', name: 'read', arguments: {} }],
      stopReason: 'toolUse',
      tokens: 9,
      tokensSource: 'recorded',
      sources: ['e2']
    }
  ],
  omitted: [{ entry: 'e0', reason: 'model change' }],
  faults: []
}

test('--json prints the answer of the engine, one value, and nothing else', async () => {
  const asked: unknown[] = []
  const { exitCode, stdout, stderr, opened } = await run('context a.jsonl --entry e2 --json --agent omp', {
    'entry.context': (input) => (asked.push(input), context)
  })
  expect(JSON.parse(stdout)).toEqual(context)
  expect(stdout.endsWith('}\n')).toBe(true)
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  expect(asked).toEqual([{ session: 'k1', agent: 'omp', entry: 'e2' }])
  expect(opened).toEqual({ files: [['/srv/place/a.jsonl', 'omp']], folders: [], targets: [], closed: 1 })
})

test('without --json the same is printed for people, with no control character of the session', async () => {
  const { stdout } = await run('context a.jsonl', { 'entry.context': () => context })
  expect(stdout).toContain('What the model saw at e2')
  expect(stdout).toContain('anthropic/opus')
  expect(stdout).toContain('2 messages, about 12 tokens')
  expect(stdout).toContain('calls read')
  expect(stdout).toContain('model change  e0')
  expect(stdout).not.toContain('\u001b')
})

test('a refusal is exit code 1, an error object, and one line that names the file and the nearest entries', async () => {
  const { exitCode, stdout, stderr, opened } = await run('branch a.jsonl --entry e2 --json', {
    'branch.write': () => {
      throw new Refusal('not-resumable', 'A call has no result yet.', { entry: 'e2', nearest: ['e1', 'e3'] })
    }
  })
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toEqual({
    error: {
      code: 'not-resumable',
      message: 'A call has no result yet.',
      file: '/srv/place/a.jsonl',
      entry: 'e2',
      nearest: ['e1', 'e3']
    }
  })
  expect(stderr).toBe(
    'treeline branch: /srv/place/a.jsonl, entry e2: A call has no result yet. Nearest entries that work: e1, e3.\n'
  )
  expect(opened.closed).toBe(1)
})

test('from a folder that is gone all but help is refused, in one line', async () => {
  const from = (argv: string) => run(argv, {}, {}, new AbortController().signal, null)
  const message = 'The folder that this was started in is gone. Change to another one and run it again.'
  const { exitCode, stdout, stderr, opened, indexes } = await from('show a.jsonl --json')
  expect(exitCode).toBe(1)
  expect(stderr).toBe(`treeline show: ${message}\n`)
  expect(JSON.parse(stdout)).toEqual({
    error: { code: 'not-found', message, file: null, entry: null, nearest: [] }
  })
  expect([opened.files, indexes]).toEqual([[], []])
  expect(await from('list /srv')).toMatchObject({ exitCode: 1, stdout: '' })
  expect(await from('show --nonsense')).toMatchObject({ exitCode: 2 })
  expect(await from('--help')).toMatchObject({ exitCode: 0, stderr: '' })
})

test('a bug of ours is exit code 3 with an id, which the log has too', async () => {
  const { exitCode, stdout, stderr } = await run(
    'list place --json',
    {},
    {
      openFolder: () => Promise.reject(new Error('boom'))
    }
  )
  expect(exitCode).toBe(3)
  const { error } = JSON.parse(stdout) as { error: { code: string; id: string } }
  expect(error.code).toBe('internal')
  expect(error.id).toMatch(/^[0-9a-f]{8}$/)
  expect(stderr).toContain(`${error.id} Error: boom`)
})

test.each([
  ['', 'Which command?'],
  ['repair a.jsonl --out b', 'There is no command "repair"'],
  ['constructor', 'There is no command "constructor"'],
  ['show', 'FILE is missing'],
  ['show a --index', '--index'],
  ['show a b', '"b" is too many'],
  ['show a --frob', "'--frob'"],
  ['show a --agent emacs', 'There is no agent "emacs"'],
  ['branch a', '--entry ID is missing'],
  ['branch a --entry e --in-place --fork', 'One of --in-place and --fork at a time'],
  ['branch a --fork --entry e', '--fork takes the whole tree, without --entry'],
  ['branch a --entry e --summary=x', '--summary goes with --in-place only'],
  ['branch a --entry e --in-place --summary=', '--summary is empty'],
  ['branch a --entry e --in-place --out d', '--in-place writes to FILE itself'],
  ['label a text', '--entry ID is missing'],
  ['label a text more --entry e', '"more" is too many'],
  ['export a --out b', '--as is missing'],
  ['export a --out b --as docx', '--as docx is unknown'],
  ['export a --as jsonl', '--out OUT is missing'],
  ['replay a --turns 0', '--turns takes a number of 1 or more'],
  ['replay a --turns=-3', '--turns takes a number of 1 or more']
])('"%s" is wrong usage: exit code 2 and one line', async (argv, message) => {
  const { exitCode, stdout, stderr, indexes } = await run(argv)
  expect(exitCode).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(message)
  expect(stderr.trimEnd()).not.toContain('\n')
  expect(indexes).toEqual([])
})

test('--help prints what there is', async () => {
  const { exitCode, stdout } = await run('--help')
  expect(exitCode).toBe(0)
  for (const command of [
    'list FOLDER',
    'show FILE',
    'context FILE',
    'branch FILE',
    'label FILE',
    'export FILE',
    'verify FILE|FOLDER'
  ]) {
    expect(stdout).toContain(command)
  }
  expect((await run('show --help')).stdout).toContain('show FILE')
})

test("list has the sessions of the folder alone, without the members that are the window's", async () => {
  const fault = {
    file: '/srv/place/a.jsonl',
    kind: 'bom',
    severity: 'info',
    line: 1,
    offset: 0,
    length: 3,
    entry: null,
    message: 'A byte order mark.'
  } as const
  const { stdout, indexes } = await run('list . --json --index :memory:', {
    'folder.list': () => ({
      opened: [
        {
          key: 'f1' as FolderKey,
          path: '/srv/place',
          name: 'place',
          state: 'ready',
          files: 3,
          sessions: 2,
          lookedFor: [],
          faults: []
        }
      ],
      offered: []
    }),
    'session.list': () => [
      row({ faults: 1 }),
      row({ id: 'other', file: '/srv/place-two/b.jsonl' }),
      row({ id: 'dots', file: '/srv/place/..c/d.jsonl' })
    ],
    'session.faults': () => [fault]
  })
  const { key: _key, folder: _folder, revision: _revision, bytes: _bytes, ...session } = row({ faults: 1 })
  expect(JSON.parse(stdout)).toEqual({
    sessions: [session, { ...session, faults: 0, id: 'dots', file: '/srv/place/..c/d.jsonl' }],
    faults: [fault]
  })
  expect(indexes).toEqual([':memory:'])
})

test('list says what it looked for in a folder without sessions', async () => {
  const { exitCode, stdout } = await run('list .', {
    'folder.list': () => ({
      opened: [
        {
          key: 'f1' as FolderKey,
          path: '/srv/place',
          name: 'place',
          state: 'ready',
          files: 3,
          sessions: 0,
          lookedFor: ['pi sessions (*.jsonl)'],
          faults: []
        }
      ],
      offered: []
    }),
    'session.list': () => []
  })
  expect(exitCode).toBe(0)
  expect(stdout).toBe('No session in /srv/place: looked at 3 files for pi sessions (*.jsonl).\n')
})

test('show asks for all rows, by pages', async () => {
  const ids = Array.from({ length: 1203 }, (_, at) => `e${at}`)
  const pages: number[] = []
  const { stdout } = await run('show a.jsonl --json', {
    'session.get': () => row({ entries: 1203 }),
    'session.outline': () => ({
      revision: 1,
      ids,
      parents: [],
      kinds: [],
      roles: [],
      roleNames: [],
      labels: [],
      leaves: [{ id: 'e1202', depth: 1203, time: null }],
      defaultLeaf: { id: 'e1202', reason: 'only-leaf' },
      kept: { entries: 0, roleNames: 0, labels: 0, leaves: 0 },
      notes: []
    }),
    'entry.rows': ({ at }) => {
      pages.push(at.length)
      return at.map((place) => ({
        id: `e${place}`,
        parent: place === 0 ? null : `e${place - 1}`,
        kind: 'message',
        role: 'user',
        time: null,
        preview: '',
        bytes: [place, 1],
        line: place + 1,
        label: null,
        model: null,
        usage: null,
        onDefaultPath: true,
        at: place,
        file: 0,
        tool: null,
        summary: '',
        contextTokens: null,
        failed: false,
        marks: []
      }))
    },
    'session.faults': () => []
  })
  const shown = JSON.parse(stdout) as { entries: { id: string }[]; leaves: unknown[]; defaultLeaf: unknown }
  expect(pages).toEqual([500, 500, 203])
  expect(shown.entries.map(({ id }) => id)).toEqual(ids)
  expect(Object.keys(shown.entries[0]!)).toEqual([
    'id',
    'parent',
    'kind',
    'role',
    'time',
    'preview',
    'bytes',
    'line',
    'label',
    'model',
    'usage',
    'onDefaultPath'
  ])
  expect(Object.keys(shown)).toEqual(['session', 'entries', 'leaves', 'defaultLeaf', 'faults', 'notes'])
})

test.each([
  ['info', 0],
  ['warning', 1],
  ['error', 1]
] as const)('verify with a fault of severity %s ends with exit code %i', async (severity, expected) => {
  const finding = {
    file: '/srv/place/a.jsonl',
    kind: 'malformed-line',
    severity,
    line: 3,
    offset: 40,
    length: 5,
    entry: null,
    message: 'This line is no JSON.'
  } as const
  const verdict = { files: 1, findings: [finding], bytes: { entries: 35, faults: 5, blank: 0, total: 40 } }
  const { exitCode, stdout, stderr } = await run('verify a.jsonl --json', { 'session.verify': () => verdict })
  expect(exitCode).toBe(expected)
  expect(JSON.parse(stdout)).toEqual(verdict)
  expect(stderr).toBe(
    expected === 0
      ? ''
      : 'treeline verify: /srv/place/a.jsonl, line 3, byte 40: This line is no JSON. "treeline show" lists all that can be read.\n'
  )
})

test('targets are named by their folder and taken from where the person typed them', async () => {
  const asked: unknown[] = []
  const { opened, stderr } = await run('export a.jsonl --entry e1 --as jsonl --out ../out/b.jsonl', {
    'export.preview': () => ({
      name: 'a-e1.jsonl',
      bytes: 10,
      entries: 1,
      entry: 'e1',
      secrets: [{ kind: 'GitHub token', count: 2 }]
    }),
    'export.write': (input) => {
      asked.push(input)
      throw new Refusal('exists', 'It exists.')
    }
  })
  expect(opened.targets).toEqual(['/srv/out'])
  const what = { session: 'k1', entry: 'e1', as: 'jsonl', redact: false }
  expect(asked).toEqual([{ ...what, into: 'target', name: 'b.jsonl' }])
  expect(stderr.split('\n')[0]).toBe(
    'treeline export: 2 likely secrets in what is exported (GitHub token: 2). They stay as they are; --redact replaces them.'
  )
})

test('an interrupt ends with 130, closes the engine, and prints nothing', async () => {
  const controller = new AbortController()
  const { exitCode, stdout, stderr, opened } = await run(
    'show a.jsonl --json',
    {},
    { openFile: () => (controller.abort(), new Promise(() => {})) },
    controller.signal
  )
  expect(exitCode).toBe(130)
  expect(stdout).toBe('')
  expect(stderr).toBe('')
  expect(opened.closed).toBe(1)
})
