import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBytes } from '#main/platform/bytes.ts'
import { writeBranch } from '#main/write/write-branch.ts'
import { branchBytes, type ReadSession, readPath } from '../testing.ts'
import { decodeFrames } from './frames.ts'
import { dsh } from './index.ts'

const now = new Date('2026-12-01T10:20:30.456Z')
type Event = { readonly type: string; readonly data?: object; readonly [member: string]: unknown }

const start = { type: 'turn/start', data: { turn: 1 } }
const end = { type: 'turn/end', data: { turn: 1, reason: { kind: 'completed' } } }
const said = (text: string): Event => ({
  type: 'user/message',
  data: { id: `m-${text}`, role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } },
  surfaceOp: 'append'
})
const turn = (text: string): readonly Event[] => [start, said(text), end]
const twoTurns = [...turn('one'), ...turn('two')]

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
})
afterEach(() => rmSync(root, { recursive: true }))

const header = (version: number, members: object = {}) => ({
  type: 'session',
  version,
  id: 'old',
  createdAt: 1_700_000_000_000,
  cwd: '/srv/my shop',
  parentSession: 'older',
  ...(version < 2 ? {} : { isSeeded: false }),
  origin: 'subagent',
  delegationDepth: 1,
  agentPreset: 'code',
  ...members
})

/** Lines of a log; rows that say their own numbers keep them. */
const linesOf = (version: number, events: readonly Event[], members: object = {}): readonly string[] => [
  JSON.stringify(header(version, members)),
  ...events.map((event, seq) => JSON.stringify({ seq, time: 1_700_000_000_000 + seq, ...event }))
]

function write(name: string, bytes: string | Buffer): string {
  const folder = join(root, '--srv-my-shop--', 'old')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

const log = (version: number, events: readonly Event[] = twoTurns, members: object = {}): string =>
  write(
    version === 0 ? 'session.jsonl' : `session.v${version}.jsonl`,
    `${linesOf(version, events, members).join('\n')}\n`
  )

const frame = (text: string) => zstdCompressSync(Buffer.from(text), { params: { [constants.ZSTD_c_checksumFlag]: 1 } })

const planAt = (session: ReadSession, at: number, into: string | null = null) =>
  dsh.planBranch(session, { at, now, into })

async function forkOf(path: string, at: number) {
  const session = await readPath(dsh, path)
  const plan = await planAt(session, at)
  const lines = branchBytes(plan.files[0].pieces, [readFileSync(path)])
    .toString()
    .split('\n')
  return { plan, lines }
}

/** A fork as the engine has it: it is written with `writeBranch`, read back by the format, published whole. */
async function plannedFork(path: string, at: number) {
  // The session's records say that the file was last changed then.
  utimesSync(path, 0, 0)
  const view = await readPath(dsh, path)
  const open = async () => {
    const raw = await openBytes(path)
    return path.endsWith('.zstd') ? decodeFrames(raw) : raw
  }
  const plan = await planAt(view, at)
  return { mode: 'new-file', view: { ...view, open }, format: dsh, plan, end: at, tokens: 0 } as const
}

const written = async (path: string, at: number) => writeBranch(await plannedFork(path, at))

describe('a fork', () => {
  test('of v0 is a header of its own, the log up to the end of a turn byte by byte, and a mark', async () => {
    const path = log(0)
    const { plan, lines } = await forkOf(path, 2)
    expect(lines).toEqual([
      `{"type":"session","version":0,"id":"${plan.sessionId}","createdAt":1796120430456,"cwd":"/srv/my shop","parentSession":"old","seedLength":3,"delegationDepth":0}`,
      ...readFileSync(path, 'utf8').split('\n').slice(1, 4),
      '{"type":"session/end-seed","seq":3,"time":1796120430456,"data":{}}',
      ''
    ])
    expect(plan.entries).toBe(4)
    expect(plan.files).toHaveLength(1)
    expect(plan.directory).toBe(join(root, '--srv-my-shop--', plan.sessionId))
    expect(plan.files[0].path).toBe(join(plan.directory ?? '', 'session.jsonl'))
    expect(plan.resume).toBe(`cd '/srv/my shop' && dsh --profile tui --resume ${plan.sessionId}`)
    expect(plan).not.toHaveProperty('unverified')
  })

  test.each([2, 3, 4, 5])('of v%i says that it is seeded, and its mark what is inherited', async (version) => {
    const { plan, lines } = await forkOf(log(version), 5)
    expect(lines[0]).toBe(
      `{"type":"session","version":${version},"id":"${plan.sessionId}","createdAt":1796120430456,"cwd":"/srv/my shop","parentSession":"old","isSeeded":true,"delegationDepth":0}`
    )
    expect(lines.at(-2)).toBe('{"type":"session/end-seed","seq":6,"time":1796120430456,"data":{"inherited":true}}')
    expect(plan.files[0].path.endsWith(`/session.v${version}.jsonl`)).toBe(true)
    expect(plan.unverified === undefined).toBe(version < 4)
  })

  test('of v1 has the header of v0', async () => {
    const { lines } = await forkOf(log(1), 2)
    expect(JSON.parse(lines[0]!)).toMatchObject({ version: 1, seedLength: 3 })
    expect(JSON.parse(lines.at(-2)!)).toMatchObject({ data: {} })
  })

  test('keeps rows as they are stored: packed ones, white space, order of members, line ends', async () => {
    const [opening = '', ...rows] = linesOf(0, twoTurns)
    const packed = JSON.stringify({
      type: 'text-chunks',
      seq0: 2,
      time0: 5,
      data: { turn: 1, step: 1, index: 0, dt: [1, 1], texts: ['a', 'b', 'c'] }
    })
    const ended = JSON.stringify({ time: 9, seq: 5, data: end.data, type: 'turn/end' })
    const odd = [rows[0], ` ${rows[1]}\t`, packed, ended.replace('"seq"', '"se\\u0071"')].join('\r\n')
    const path = write('session.jsonl', `${opening}\r\n${odd}\r\n${JSON.stringify({ ...start, seq: 6, time: 9 })}\r\n`)
    const { plan, lines } = await forkOf(path, 5)
    expect(lines.slice(1, -2).join('\n')).toBe(odd)
    expect(plan.entries).toBe(7)
    expect(JSON.parse(lines.at(-2)!)).toMatchObject({ type: 'session/end-seed', seq: 6 })
  })

  test('of a fork is marked again, and inherits what is in front of both marks', async () => {
    const events = [...turn('one'), { type: 'session/end-seed', data: { inherited: true } }, ...turn('two')]
    const { lines } = await forkOf(log(2, events), 6)
    expect(lines.filter((line) => line.includes('end-seed'))).toHaveLength(2)
    expect(JSON.parse(lines.at(-2)!)).toMatchObject({ seq: 7, data: { inherited: true } })
  })

  test('without a working directory has none, and goes where it is told', async () => {
    const session = await readPath(dsh, log(0, twoTurns, { cwd: undefined }))
    const plan = await planAt(session, 2, '/srv/elsewhere')
    expect(plan.files[0].path).toBe(join('/srv/elsewhere', plan.sessionId, 'session.jsonl'))
    expect(plan.resume).toBe(`dsh --profile tui --resume ${plan.sessionId}`)
    expect(branchBytes(plan.files[0].pieces, [Buffer.alloc(0)]).toString()).not.toContain('cwd')
  })
})

describe('written', () => {
  test('it is a session of the same messages whose source is untouched', async () => {
    const path = log(0)
    const before = readFileSync(path)
    const { result } = await written(path, 2)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(result.source.sha256Before).toBe(result.source.sha256After)
    const fork = await readPath(dsh, result.file)
    expect(fork.tree.session).toMatchObject({ id: result.sessionId, parent: { id: 'old' }, origin: 'fork' })
    expect(fork.tree.faults.filter(({ kind }) => kind !== 'missing-parent-session')).toEqual([])
    const context = await dsh.context(fork, null)
    expect(context.messages.map(({ text }) => text)).toEqual(['one'])
    expect(readdirSync(dirname(result.file))).toEqual(['session.jsonl'])
  })

  test('it is in frames where its source is: the header alone, then all the rest', async () => {
    const [opening, ...rows] = linesOf(3, twoTurns).map((line) => `${line}\n`)
    const bytes = Buffer.concat([frame(opening ?? ''), frame(rows.slice(0, 2).join('')), frame(rows.slice(2).join(''))])
    const { result } = await written(write('session.v3.jsonl.zstd', bytes), 5)
    expect(result.file.endsWith('/session.v3.jsonl.zstd')).toBe(true)
    await using stream = decodeFrames(await openBytes(result.file))
    const { length } = await stream.state()
    const text = Buffer.alloc(length)
    await stream.read(text, 0)
    expect(text.toString().split('\n').slice(1, 7).join('\n')).toBe(rows.join('').trimEnd())
    const lines = text.toString().split('\n')
    expect(stream.frame?.([0, 1])[1]).toBe(stream.frame?.([0, (lines[0] ?? '').length + 1])[1])
    const [, second] = stream.frame?.([(lines[0] ?? '').length + 1, 1]) ?? []
    expect(stream.frame?.([length - 1, 1])[1]).toBe(second)
    expect((await readPath(dsh, result.file)).records.entries).toHaveLength(7)
  })

  test('it never takes the place of anything', async () => {
    const branch = await plannedFork(log(0), 2)
    const { plan } = branch
    mkdirSync(plan.directory ?? '')
    await expect(writeBranch(branch)).rejects.toMatchObject({ code: 'exists' })
    expect(readdirSync(plan.directory ?? '')).toEqual([])
    expect(existsSync(plan.files[0].path)).toBe(false)
  })
})

describe('refused is', () => {
  const pointAt = async (path: string, at: number) => {
    const session = await readPath(dsh, path)
    const point = dsh.branchPoint(session, at)
    if (point.kind === 'refused') {
      const { nearest } = point
      await expect(planAt(session, at)).rejects.toMatchObject({ code: 'not-resumable', nearest })
    }
    return point
  }

  test('any event but the end of a turn, with the nearest ones', async () => {
    const path = log(0, [...twoTurns, start])
    expect(await pointAt(path, 2)).toEqual({ kind: 'allowed' })
    const reason = 'A session is forked where a turn ends.'
    expect(await pointAt(path, 1)).toEqual({ kind: 'refused', reason, nearest: ['2'] })
    expect(await pointAt(path, 3)).toEqual({ kind: 'refused', reason, nearest: ['2', '5'] })
    expect(await pointAt(path, 6)).toEqual({ kind: 'refused', reason, nearest: ['5'] })
  })

  test('the end of a turn that dsh would only write when it goes on', async () => {
    const path = log(0, [...turn('one'), start])
    expect(await pointAt(path, 4)).toEqual({
      kind: 'refused',
      reason: 'dsh has not written this event yet.',
      nearest: ['2']
    })
  })

  test('what stands behind an event that breaks the rules of the conversation', async () => {
    const wrong = { ...said('x'), surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] }
    const path = log(0, [...turn('one'), start, wrong, end])
    expect(await pointAt(path, 2)).toEqual({ kind: 'allowed' })
    expect(await pointAt(path, 5)).toMatchObject({ kind: 'refused', nearest: ['2'] })
  })

  test.each<[string, () => string, RegExp]>([
    ['with an event that dsh would have to know', () => log(0, [...twoTurns, { type: 'x/y', data: {} }]), /x\/y/],
    ['of a version to come', () => log(6), /version 6/],
    [
      'whose name says another version',
      () => write('session.v2.jsonl', `${linesOf(3, twoTurns).join('\n')}\n`),
      /says version 2, its header version 3/
    ],
    ['without a header', () => write('session.jsonl', `${linesOf(0, twoTurns).slice(1).join('\n')}\n`), /no header/]
  ])('every event of a log %s', async (_, make, why) => {
    expect(await pointAt(make(), 2)).toEqual({ kind: 'refused', reason: expect.stringMatching(why), nearest: [] })
  })

  test('nothing for an unknown event that may be passed over, nor for what is damaged behind the turn', async () => {
    const passed = { type: 'x/y', data: {}, ignorable: true }
    expect(await pointAt(log(0, [passed, ...twoTurns]), 3)).toEqual({ kind: 'allowed' })
    const lines = [...linesOf(0, twoTurns), 'damaged', ...linesOf(0, turn('three')).slice(1)]
    expect(await pointAt(write('session.jsonl', `${lines.join('\n')}\n`), 5)).toEqual({ kind: 'allowed' })
  })
})
