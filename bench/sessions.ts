import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { SessionManager } from '#main/formats/omp/api.ts'
import { type Seeded, seeded } from './seeded.ts'

/** What is known of a session because it was made so; the run fails where the app says otherwise. */
export interface Truth {
  readonly bytes: number
  readonly entries: number
  readonly leaves: number
  readonly compactions: number
  readonly requests: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

type Counted = { -readonly [K in keyof Truth]: Truth[K] }

const cwd = '/home/user/project'

/** A session being made: appended to by the session manager in memory, and counted beside it. */
class Draft {
  readonly manager = SessionManager.inMemory(cwd)
  readonly #random: Seeded
  readonly #truth: Counted = {
    bytes: 0,
    entries: 0,
    leaves: 1,
    compactions: 0,
    requests: 0,
    input: 0,
    cacheRead: 0,
    cacheWrite: 0,
    output: 0
  }
  #calls = 0

  constructor(random: Seeded) {
    this.#random = random
  }

  user(content: string | readonly object[]): string {
    return this.#count(this.manager.appendMessage({ role: 'user', content }))
  }

  /** An answer with a call, and the call's result. */
  answer(said: number, result: number): string {
    const { whole, text } = this.#random
    const id = `call_${++this.#calls}`
    const usage = {
      input: whole(10, 4000),
      output: whole(10, 900),
      cacheRead: whole(0, 90_000),
      cacheWrite: whole(0, 3000)
    }
    this.#truth.requests++
    this.#truth.input += usage.input
    this.#truth.output += usage.output
    this.#truth.cacheRead += usage.cacheRead
    this.#truth.cacheWrite += usage.cacheWrite
    const totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite
    this.#count(
      this.manager.appendMessage({
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: text(Math.ceil(said / 2)) },
          { type: 'text', text: text(Math.ceil(said / 2)) },
          { type: 'toolCall', id, name: 'read', arguments: { path: `src/${whole(1, 500)}.ts` } }
        ],
        api: 'anthropic-messages',
        provider: 'anthropic',
        model: 'claude-opus-4-5',
        usage: { ...usage, totalTokens, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } },
        stopReason: 'toolUse',
        timestamp: 1_750_000_000_000
      })
    )
    return this.#count(
      this.manager.appendMessage({
        role: 'toolResult',
        toolCallId: id,
        toolName: 'read',
        content: [{ type: 'text', text: text(result) }],
        isError: false,
        timestamp: 1_750_000_000_000
      })
    )
  }

  compact(kept: string): void {
    this.#truth.compactions++
    this.#count(this.manager.appendCompaction(this.#random.text(2000), kept, 100_000))
  }

  /** Goes on from an entry that has another one below it. */
  branch(entry: string): void {
    this.#truth.leaves++
    this.manager.branch(entry)
  }

  /** Writes what was made and gives what is known of it. */
  write(path: string): Truth {
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(path, 'wx')
    try {
      for (const object of [this.manager.getHeader(), ...this.manager.getEntries()]) {
        this.#truth.bytes += writeSync(file, `${JSON.stringify(object)}\n`)
      }
    } finally {
      closeSync(file)
    }
    return this.#truth
  }

  #count(entry: string): string {
    this.#truth.entries++
    return entry
  }
}

/** Turns of a few calls each, now and then a compaction and a second branch, until about so many bytes are there. */
export function writeLongSession(path: string, bytes: number): Truth {
  const random = seeded(1)
  const draft = new Draft(random)
  let turns = 0
  for (let made = 0; made < bytes;) {
    const asked = random.whole(50, 600)
    const start = draft.user(random.text(asked))
    made += asked + 200
    for (let calls = random.whole(1, 5); calls > 0; calls--) {
      const said = random.whole(200, 2000)
      const result = random.whole(100, 24_000)
      draft.answer(said, result)
      made += said + result * 1.06 + 1000
    }
    turns++
    if (turns % 200 === 0) draft.compact(start)
    if (turns % 300 === 150) draft.branch(start)
  }
  return draft.write(path)
}

/** Pictures of so many bytes each, as an agent stores them: base64 within the message. */
export function writeImages(path: string, count: number, bytes: number): Truth {
  const random = seeded(2)
  const draft = new Draft(random)
  const pixels = Buffer.from(random.text(bytes))
  for (let image = 0; image < count; image++) {
    pixels.writeUInt32BE(image, 0)
    draft.user([
      { type: 'text', text: `Picture ${image + 1}` },
      { type: 'image', data: pixels.toString('base64'), mimeType: 'image/png' }
    ])
    draft.answer(200, 200)
  }
  return draft.write(path)
}

/** Entries of a few hundred bytes, each below the one before. */
export function writeChain(path: string, entries: number): Truth {
  const random = seeded(3)
  const draft = new Draft(random)
  for (let made = 0; made < entries;) {
    draft.user(random.text(40))
    made++
    for (let calls = 4; calls > 0 && made + 2 <= entries; calls--) {
      draft.answer(60, 80)
      made += 2
    }
  }
  return draft.write(path)
}

/** Small sessions in one folder, `<number>.jsonl`. */
export function writeLibrary(folder: string, count: number): readonly Truth[] {
  const random = seeded(4)
  return Array.from({ length: count }, (_, at) => {
    const draft = new Draft(random)
    draft.user(`Session ${at}: ${random.text(60)}`)
    for (let calls = random.whole(1, 8); calls > 0; calls--) draft.answer(200, 1500)
    return draft.write(`${folder}/${at}.jsonl`)
  })
}
