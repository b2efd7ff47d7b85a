import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BaseMessage, type SessionHeader, type SessionState, SessionStateStore, SessionStore } from './api.ts'

const run = '8f1d7b7a-7e8f-4e0f-9a7c-1c5d0e6b2b7a'
const session = 'f6d2c6d5-4a12-4cc4-bbc9-9a0c0d2b5af1'
const header: SessionHeader = { type: 'header', schema_version: 1, run_id: run, started_at: '2026-02-03T12:00:00.123Z' }
const common = { run_id: run, ts: '2026-02-03T12:00:01.000Z' }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-codelia-crash-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
const place = () => {
  const path = join(folder, `${++made}`)
  mkdirSync(path)
  return path
}

/** As codelia reads a run: lines that do not parse are passed over. */
function recordsIn(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown]
      } catch {
        return []
      }
    })
}

/** As codelia reads messages: a line that does not parse is an error. */
const messagesIn = (sessions: string): unknown[] =>
  readFileSync(join(sessions, 'messages', `${session}.jsonl`), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown)

const text = fc.string({ unit: 'binary', maxLength: 12 })
const messages: fc.Arbitrary<BaseMessage[]> = fc.array(
  fc.record({ role: fc.constantFrom('user', 'assistant'), content: text }),
  { maxLength: 6 }
)

const stateOf = (number: number, own: readonly BaseMessage[]): SessionState => ({
  schema_version: 1,
  session_id: session,
  updated_at: '2026-02-03T12:00:02.900Z',
  invoke_seq: number,
  messages: own
})

describe('a run that is cut at any byte', () => {
  test('it is read up to the cut and written on behind it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 4 }), fc.nat(), async (texts, at) => {
        const store = SessionStore.create(place(), header)
        const records = texts.map((result_raw, index) => {
          const record = {
            ...common,
            type: 'tool.output',
            tool: 'shell',
            tool_call_id: `${index}`,
            result_raw
          } as const
          store.append(record)
          return record
        })
        const whole = readFileSync(store.filePath)
        const first = whole.indexOf('\n')
        const cut = first + (at % (whole.length - first + 1))
        writeFileSync(store.filePath, whole.subarray(0, cut))
        // A record is there from its closing brace on, with or without its line feed.
        const kept = records.filter((_, index) => lineEnd(whole, index + 1) <= cut)
        expect(recordsIn(store.filePath)).toEqual([header, ...kept])

        const again = await SessionStore.open(store.filePath)
        again.append({ ...common, type: 'run.end', outcome: 'cancelled' })
        expect(readFileSync(store.filePath).subarray(0, cut).equals(whole.subarray(0, cut))).toBe(true)
        expect(recordsIn(store.filePath)).toEqual([
          header,
          ...kept,
          { ...common, type: 'run.end', outcome: 'cancelled' }
        ])
      }),
      { numRuns: 40 }
    )
  })

  /** Offset of the line feed at the end of a line, the header's is 0. */
  function lineEnd(bytes: Buffer, line: number): number {
    let end = bytes.indexOf('\n')
    for (let left = line; left > 0; left--) end = bytes.indexOf('\n', end + 1)
    return end
  }
})

describe('messages that are cut at any byte', () => {
  test('what lies there is the old state, whole', () => {
    fc.assert(
      fc.property(messages, fc.nat(), (own, at) => {
        const sessions = place()
        using store = new SessionStateStore(sessions)
        const state = stateOf(1, own)
        store.save(state)
        const path = join(sessions, 'messages', `${session}.jsonl`)
        const next = Buffer.from('{"role":"user","content":"the next state"}\n{"role":"assistant","content":"…"}\n')
        writeFileSync(join(dirname(path), '.treeline.0123456789abcdef.tmp'), next.subarray(0, at % (next.length + 1)))
        expect(store.load(session)).toEqual(state)
        expect(messagesIn(sessions)).toEqual(own)
        store.save(stateOf(2, []))
        expect(store.load(session)).toEqual(stateOf(2, []))
      }),
      { numRuns: 30 }
    )
  })
})

describe('the log of the database, cut at any byte', () => {
  test('the store opens with the old row, the new one or none, and is written on', () => {
    const sessions = place()
    using store = new SessionStateStore(sessions)
    const said = (number: number): BaseMessage[] => [{ role: 'user', content: `message ${number}` }]
    store.save(stateOf(1, said(1)))
    store.save(stateOf(2, said(2)))
    const log = readFileSync(join(sessions, 'state.db-wal'))
    expect(log.length).toBeGreaterThan(1000)
    const seen = new Set<number | undefined>()
    const cuts = [0, log.length, ...fc.sample(fc.nat({ max: log.length }), 40)]
    for (const cut of cuts) {
      const copy = place()
      copyFileSync(join(sessions, 'state.db'), join(copy, 'state.db'))
      cpSync(join(sessions, 'messages'), join(copy, 'messages'), { recursive: true })
      writeFileSync(join(copy, 'state.db-wal'), log.subarray(0, cut))
      using again = new SessionStateStore(copy)
      const state = again.load(session)
      seen.add(state?.invoke_seq)
      expect(state?.messages).toEqual(state === null ? undefined : said(2))
      again.save(stateOf(3, said(3)))
      expect(again.load(session)).toEqual(stateOf(3, said(3)))
    }
    expect(seen).toContain(2)
    expect(seen).toContain(undefined)
    for (const number of seen) expect([undefined, 1, 2]).toContain(number)
  })
})

describe('a program that is killed while it writes', () => {
  const api = new URL('api.ts', import.meta.url).href
  /** Appends and saves without end; says the number of each round that is done. */
  const program = `
    const { SessionStore, SessionStateStore } = await import(${JSON.stringify(api)})
    const [folder] = process.argv.slice(1)
    const runs = SessionStore.create(folder, ${JSON.stringify(header)})
    const states = new SessionStateStore(folder)
    const messages = []
    for (let seq = 0; ; seq++) {
      runs.append({ ...${JSON.stringify(common)}, type: 'agent.event', seq, event: { type: 'text', content: 'é'.repeat(5000) } })
      messages.push({ role: 'user', content: 'é'.repeat(5000) })
      states.save({ ...${JSON.stringify(stateOf(0, []))}, invoke_seq: seq, messages })
      process.stdout.write(seq + '\\n')
    }`

  test.each([1, 2, 5, 11, 23])('after round %i all that was done is there, and a reader takes it', async (rounds) => {
    const sessions = place()
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, sessions], {
      cwd: dirname(import.meta.filename),
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const exit = once(child, 'exit')
    let done = -1
    for await (const line of createInterface({ input: child.stdout })) {
      done = Math.max(done, Number(line))
      if (done >= rounds) child.kill('SIGKILL')
    }
    expect(await exit).toEqual([null, 'SIGKILL'])

    const file = join(sessions, '2026', '02', '03', `${run}.jsonl`)
    const events = recordsIn(file).slice(1) as { seq: number }[]
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(events.length).toBeGreaterThan(done)

    const own = messagesIn(sessions)
    expect(own.length).toBeGreaterThan(done)
    const db = new Database(join(sessions, 'state.db'))
    const row = db.prepare<[], { invoke_seq: number; message_count: number }>('SELECT * FROM session_state').get()
    db.close()
    expect(row!.invoke_seq).toBeGreaterThanOrEqual(done)
    expect(row!.message_count).toBe(row!.invoke_seq + 1)
    // Killed between the two, the messages are of one round more than the row.
    expect(own.length - row!.message_count).toBeOneOf([0, 1])

    using again = new SessionStateStore(sessions)
    expect(again.list()).toHaveLength(1)
    expect(again.load(session)?.messages).toHaveLength(own.length)
    const runs = await SessionStore.open(file)
    runs.append({ ...common, type: 'run.end', outcome: 'cancelled' })
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.jsonl'))).toEqual([`${run}.jsonl`])
  })
})
