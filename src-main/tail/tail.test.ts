import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Bytes, openBytes } from '#main/platform/bytes.ts'
import { type Batch, type Checkpoint, tail } from './tail.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
  path = join(folder, 'session.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* tailFile(file: number, from: Checkpoint | null, signal?: AbortSignal) {
  await using bytes = await openBytes(path)
  yield* tail(bytes, { file, framing: 'lines' }, from, signal)
}

const main = { file: 0, framing: 'lines' } as const

/** All that a reader keeps of a file: its lines, the unterminated rest apart. */
class Copy {
  checkpoint: Checkpoint | null = null
  lines: string[] = []
  rest = ''
  restarts = 0

  async update(batches: AsyncIterable<Batch> = tailFile(0, this.checkpoint)): Promise<number> {
    let count = 0
    for await (const { restarted, lines, checkpoint } of batches) {
      if (restarted) {
        this.restarts++
        this.lines = []
      }
      this.rest = ''
      for (const { bytes, end } of lines) {
        const text = bytes?.toString('latin1') ?? 'too long'
        if (end === 0) this.rest = text
        else this.lines.push(text)
      }
      this.checkpoint = checkpoint
      count++
    }
    return count
  }
}

const read = async () => {
  const copy = new Copy()
  await copy.update()
  return copy
}

const allLines = async (batches: AsyncIterable<Batch>) => {
  const lines: { bytes: string | undefined }[] = []
  for await (const batch of batches) {
    lines.push(...batch.lines.map((line) => ({ ...line, bytes: line.bytes?.toString() })))
  }
  return lines
}

/** A file that was last modified long ago, so that an equal time proves that it is unchanged. */
const settle = () => utimesSync(path, 1_700_000_000, 1_700_000_000)

describe('lines', () => {
  test('end at line feeds only, and keep their place', async () => {
    writeFileSync(path, 'a\u2028b\r\n\n\r\nc\rd\nrest')
    const common = { file: 3, frame: null }
    expect(await allLines(tailFile(3, null))).toEqual([
      { ...common, number: 1, offset: 0, length: 7, end: 2, bytes: 'a\u2028b' },
      { ...common, number: 2, offset: 7, length: 1, end: 1, bytes: '' },
      { ...common, number: 3, offset: 8, length: 2, end: 2, bytes: '' },
      { ...common, number: 4, offset: 10, length: 4, end: 1, bytes: 'c\rd' },
      { ...common, number: 5, offset: 14, length: 4, end: 0, bytes: 'rest' }
    ])
  })

  test('an empty file has none, but a checkpoint', async () => {
    writeFileSync(path, '')
    const copy = await read()
    expect(copy).toMatchObject({ lines: [], rest: '', checkpoint: { offset: 0, size: 0, line: 0 } })
  })

  test('longer than a chunk come whole', async () => {
    const long = 'x'.repeat(5 * 2 ** 20 + 17)
    writeFileSync(path, `a\n${long}\nb\n${long}`)
    expect(await read()).toMatchObject({ lines: ['a', long, 'b'], rest: long })
  })

  test('a million bare line feeds are a million lines', async () => {
    writeFileSync(path, '\n'.repeat(1_000_000))
    expect((await read()).checkpoint).toMatchObject({ line: 1_000_000, offset: 1_000_000 })
  })

  test('a folder, a symlink and a missing file are errors', async () => {
    writeFileSync(join(folder, 'real'), 'a\n')
    symlinkSync(join(folder, 'real'), path)
    await expect(read()).rejects.toMatchObject({ code: 'ELOOP' })
    rmSync(path)
    await expect(read()).rejects.toMatchObject({ code: 'ENOENT' })
    mkdirSync(path)
    await expect(read()).rejects.toThrow('is not a file')
  })
})

describe('appends', () => {
  test('cut anywhere give the lines of the whole, each once', async () => {
    const bytes = fc.array(fc.constantFrom('a', 'é', '\n', '\r\n', '\n\n', '{"x":1}'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(fc.nat(40), { maxLength: 12 }), async (parts, cuts) => {
        const whole = Buffer.from(parts.join(''))
        writeFileSync(path, '')
        const copy = new Copy()
        let at = 0
        for (const cut of [...cuts, whole.length]) {
          appendFileSync(path, whole.subarray(at, at + cut))
          at += cut
          await copy.update()
        }
        const expected = whole.toString('latin1').split('\n')
        expect(copy.rest).toBe(expected.pop())
        expect(copy.lines).toEqual(expected.map((line) => line.replace(/\r$/, '')))
        expect(copy.restarts).toBe(1)
      }),
      { numRuns: 60 }
    )
  })

  test('of a writer that keeps the file open are seen', async () => {
    const handle = openSync(path, 'a')
    writeSync(handle, 'a\nhal')
    const copy = await read()
    expect(copy).toMatchObject({ lines: ['a'], rest: 'hal' })
    writeSync(handle, 'f\n')
    await copy.update()
    expect(copy).toMatchObject({ lines: ['a', 'half'], rest: '', restarts: 1 })
    closeSync(handle)
  })

  test('to a file that was read in part go on where reading stopped', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`)
    writeFileSync(path, `${lines.join('\n')}\n`)
    const copy = new Copy()
    for await (const batch of tailFile(0, null)) {
      await copy.update([batch] as never)
      break
    }
    expect(copy.lines.length).toBeLessThan(lines.length)
    await copy.update()
    expect(copy).toMatchObject({ lines, restarts: 1 })
  })

  test('that are huge are read in bounded pieces, and only once', async () => {
    const old = Buffer.from('old\n'.repeat(1000))
    const row = Buffer.from(`${'x'.repeat(999)}\n`)
    const size = 300 * 2 ** 20
    let grown = old.length
    let largest = 0
    let total = 0
    const made: Bytes = {
      path,
      state: async () => ({ inode: 1, size: grown, length: grown, modified: grown, changed: 0 }),
      async read(into: Buffer, position: number) {
        largest = Math.max(largest, into.length)
        const length = Math.min(into.length, Math.max(0, grown - position))
        for (let at = 0; at < length;) {
          const from = position + at
          const source = from < old.length ? old.subarray(from) : row.subarray((from - old.length) % row.length)
          at += source.copy(into, at, 0, length - at)
        }
        total += length
        return length
      },
      [Symbol.asyncDispose]: async () => undefined
    }
    let checkpoint: Checkpoint | null = null
    for await (const batch of tail(made, main, null)) checkpoint = batch.checkpoint
    grown = size
    total = 0
    let lines = 0
    for await (const batch of tail(made, main, checkpoint)) {
      expect(batch.restarted).toBe(false)
      lines += batch.lines.filter(({ end }) => end > 0).length
    }
    expect(lines).toBe(Math.floor((size - old.length) / row.length))
    expect(largest).toBeLessThanOrEqual(2 ** 20)
    expect(total).toBeLessThan(size * 1.02)
  })
})

describe('a file that is not only appended to', () => {
  test('gives nothing while it is unchanged', async () => {
    writeFileSync(path, 'a\nb')
    settle()
    const copy = await read()
    expect(await copy.update()).toBe(0)
    expect(copy.checkpoint?.settled).toBe(true)
  })

  test('is read again where it was truncated', async () => {
    writeFileSync(path, 'a\nb\nc\n')
    const copy = await read()
    truncateSync(path, 2)
    await copy.update()
    expect(copy).toMatchObject({ lines: ['a'], restarts: 2 })
  })

  test('is not read again where only its rest was cut off', async () => {
    writeFileSync(path, 'a\nrest')
    const copy = await read()
    truncateSync(path, 2)
    await copy.update()
    expect(copy).toMatchObject({ lines: ['a'], rest: '', restarts: 1, checkpoint: { size: 2, offset: 2 } })
  })

  test('is read again where it was truncated and has grown past where reading stopped', async () => {
    writeFileSync(path, 'a\nb\n')
    const copy = await read()
    writeFileSync(path, 'x\ny\nz\n')
    await copy.update()
    expect(copy).toMatchObject({ lines: ['x', 'y', 'z'], restarts: 2 })
  })

  test('is read again where another file took its name, even one that begins and ends like it', async () => {
    writeFileSync(path, 'a\nb\nc\n')
    const copy = await read()
    writeFileSync(join(folder, 'new'), 'a\nb\nc\nd\n')
    renameSync(join(folder, 'new'), path)
    await copy.update()
    expect(copy).toMatchObject({ lines: ['a', 'b', 'c', 'd'], restarts: 2 })
  })

  test('is read again where its first bytes were overwritten at the same size, at whatever time', async () => {
    const title = (name: string) => `${`{"type":"title","title":"${name}"`.padEnd(200)}}\n`
    writeFileSync(path, `${title('one')}a\n`)
    const copy = await read()
    const { modified } = copy.checkpoint!
    const handle = openSync(path, 'r+')
    writeSync(handle, title('two'), 0)
    closeSync(handle)
    utimesSync(path, modified / 1000, modified / 1000)
    await copy.update()
    expect(copy.restarts).toBe(2)
    expect(copy.lines[0]).toContain('two')
  })

  test('is read again where its first bytes were overwritten and lines were appended', async () => {
    writeFileSync(path, `${'one'.padEnd(9000)}\na\n`)
    const copy = await read()
    const handle = openSync(path, 'r+')
    writeSync(handle, 'two', 0)
    closeSync(handle)
    appendFileSync(path, 'b\n')
    await copy.update()
    expect(copy.lines.map((line) => line.trim())).toEqual(['two', 'a', 'b'])
  })

  test('is read again where its middle was rewritten at the same size', async () => {
    const lines = (middle: string) => `${'x'.repeat(9000)}\n${middle}\n${'y'.repeat(9000)}\n`
    writeFileSync(path, lines('one'))
    settle()
    const copy = await read()
    writeFileSync(path, lines('two'))
    await copy.update()
    expect(copy.lines[1]).toBe('two')
  })

  test('ends where it has become shorter while it was read', async () => {
    let size = 3 * 2 ** 20
    const shrinking: Bytes = {
      path,
      state: async () => ({ inode: 1, size: 3 * 2 ** 20, length: 3 * 2 ** 20, modified: 0, changed: 0 }),
      async read(into, position) {
        const length = Math.min(into.length, Math.max(0, size - position))
        into.subarray(0, length).fill('x')
        if (position >= 2 ** 20) size = 2 ** 20
        return length
      },
      [Symbol.asyncDispose]: async () => undefined
    }
    const copy = new Copy()
    await copy.update(tail(shrinking, main, null))
    expect(copy).toMatchObject({ lines: [], rest: '', checkpoint: { offset: 0 } })
  })
})

describe('a file of frames', () => {
  const frameSize = 2 ** 20 + 5
  const row = Buffer.from(`${'x'.repeat(99)}\n`)
  const length = 3 * frameSize
  /** Frames of an equal size, as long in the file as in the stream, and 7 bytes of one that is not whole. */
  const framed: Bytes = {
    path: '/made.frames',
    state: async () => ({ inode: 1, size: length + 7, length, modified: 0, changed: 0 }),
    async read(into, position) {
      const count = Math.min(into.length, Math.max(0, length - position))
      for (let at = 0; at < count; at++) into[at] = row[(position + at) % row.length]!
      return count
    },
    frame([offset, size]) {
      const start = Math.floor(offset / frameSize) * frameSize
      return [start, Math.ceil((offset + size) / frameSize) * frameSize - start]
    },
    [Symbol.asyncDispose]: async () => undefined
  }
  const all = async (from: Checkpoint | null) => {
    const found: { offset: number; frame: readonly number[] | null; checkpoint: Checkpoint }[] = []
    for await (const { lines, checkpoint } of tail(framed, { file: 0, framing: 'frames' }, from)) {
      for (const { offset, frame } of lines) found.push({ offset, frame, checkpoint })
    }
    return found
  }

  test('tells of each line in which frames it lies, and of the frame that is not whole', async () => {
    const found = await all(null)
    expect(found).toHaveLength(Math.ceil(length / row.length))
    const across = found.find(({ offset }) => offset < frameSize && offset + row.length > frameSize)
    expect(across?.frame).toEqual([0, 2 * frameSize])
    expect(found.at(-1)).toMatchObject({
      frame: [2 * frameSize, frameSize + 7],
      checkpoint: { size: length + 7, length }
    })
  })

  test('that was read in part, up to the middle of a frame, never looks unchanged', async () => {
    const whole = await all(null)
    const first = whole[0]!.checkpoint
    expect(first).toMatchObject({ length: first.offset, settled: false })
    const rest = await all(first)
    expect(rest.map(({ offset }) => offset)).toEqual(
      whole.map(({ offset }) => offset).filter((offset) => offset >= first.offset)
    )
    expect(await all(whole.at(-1)!.checkpoint)).toEqual([])
  })
})

test('a document is one line without an end, read again whenever it changes', async () => {
  writeFileSync(path, '{\n}\n')
  const document = async (from: Checkpoint | null) => {
    await using bytes = await openBytes(path)
    const found: { text: string | undefined; end: number; checkpoint: Checkpoint }[] = []
    for await (const { lines, checkpoint } of tail(bytes, { file: 1, framing: 'document' }, from)) {
      for (const line of lines) found.push({ text: line.bytes?.toString(), end: line.end, checkpoint })
    }
    return found
  }
  settle()
  const [before] = await document(null)
  expect(before).toMatchObject({ text: '{\n}\n', end: 0, checkpoint: { offset: 0, line: 0, size: 4, settled: true } })
  expect(await document(before!.checkpoint)).toEqual([])
  writeFileSync(path, '{\n\n}')
  expect(await document(before!.checkpoint)).toMatchObject([{ text: '{\n\n}' }])
})

test('a line that cannot be one string is delivered without its bytes, unread', async () => {
  const length = 600 * 2 ** 20
  let largest = 0
  const sparse: Bytes = {
    path,
    state: async () => ({ inode: 1, size: length + 5, length: length + 5, modified: 0, changed: 0 }),
    async read(into, position) {
      largest = Math.max(largest, into.length)
      const filled = Math.min(into.length, length + 5 - position)
      into.fill(0, 0, filled)
      const tailText = Buffer.from('\r\nabc\n')
      for (let at = 0; at < tailText.length; at++) {
        const place = length - 1 + at - position
        if (place >= 0 && place < filled) into[place] = tailText[at]!
      }
      return filled
    },
    [Symbol.asyncDispose]: async () => undefined
  }
  expect(await allLines(tail(sparse, main, null))).toMatchObject([
    { number: 1, offset: 0, length: length + 1, end: 2, bytes: undefined },
    { number: 2, offset: length + 1, length: 4, end: 1 }
  ])
  expect(largest).toBeLessThanOrEqual(2 ** 20)
})

test('reading can be cancelled between chunks', async () => {
  writeFileSync(path, `${'x'.repeat(1000)}\n`.repeat(5000))
  const controller = new AbortController()
  const reading = tailFile(0, null, controller.signal)
  await reading.next()
  controller.abort()
  await expect(reading.next()).rejects.toThrow('aborted')
})
