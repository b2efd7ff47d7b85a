import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Bytes, openBytes } from '#main/platform/bytes.ts'
import { type Checkpoint, tail } from '#main/tail/tail.ts'
import { decodeFrames, encodeFrames, firstFrameLine } from './frames.ts'

let folder: string
let path: string
let files = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
  path = join(folder, 'session.jsonl.zstd')
})
afterEach(() => rmSync(folder, { recursive: true }))

const header = '{"type":"session","version":0}\n'
const frame = (text: string | Buffer) =>
  zstdCompressSync(Buffer.from(text), { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
/** A frame as zstd's streams write it: it does not say how much it holds. */
const streamed = async (text: string) => {
  const frames: Buffer[] = []
  for await (const chunk of encodeFrames(chunksOf(Buffer.from(`x\n${text}`), 2 ** 16))) frames.push(chunk)
  return Buffer.concat(frames.slice(1))
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function open(): Promise<Bytes> {
  return decodeFrames(await openBytes(path))
}

async function readAll(bytes: Bytes): Promise<string> {
  const { length } = await bytes.state()
  const all = Buffer.alloc(length + 10)
  const read = await bytes.read(all, 0)
  expect(read).toBe(length)
  return all.toString('utf8', 0, read)
}

/** The stream of a file with these bytes, and what is said of its end. */
async function decoded(bytes: Buffer) {
  // A file of its own: the system's clock may give the same time to two that are written at once.
  path = join(folder, `${files++}.zstd`)
  writeFileSync(path, bytes)
  await using stream = await open()
  const text = await readAll(stream)
  const [end] = stream.frame?.([Buffer.byteLength(text), 0]) ?? []
  return { text, end, corrupt: stream.corrupt?.() }
}

/** Where the stream of a file with these bytes ends, without reading it. */
async function decodedEnd(bytes: Buffer) {
  path = join(folder, `${files++}.zstd`)
  writeFileSync(path, bytes)
  await using stream = await open()
  const { length } = await stream.state()
  return { length, end: stream.frame?.([length, 0])[0], corrupt: stream.corrupt?.() }
}

/** Lines that hardly compress, so that frames have many blocks. */
const manyLines = (count: number) =>
  Array.from({ length: count }, (_, index) => `${(index * 2654435761) % 4294967296}:${index ** 3}\n`).join('')

describe('the stream', () => {
  test('is what all frames hold, one after the other, and can be read from anywhere', async () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '\n') }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(40), fc.nat(20), async (parts, position, length) => {
        const whole = Buffer.from(header + parts.join(''))
        writeFileSync(path, Buffer.concat([frame(header), ...parts.map(frame)]))
        await using stream = await open()
        const into = Buffer.alloc(length)
        const read = await stream.read(into, position)
        expect(into.subarray(0, read)).toEqual(whole.subarray(position, position + length))
        expect(await readAll(stream)).toBe(whole.toString())
        expect(stream.corrupt?.()).toBeNull()
      })
    )
  })

  test('of a frame that is too large to be held is read forwards and backwards', async () => {
    const text = manyLines(300_000)
    expect(text.length).toBeGreaterThan(5 * 2 ** 20)
    writeFileSync(path, Buffer.concat([frame(header), await streamed(text), frame('end\n')]))
    await using stream = await open()
    const whole = Buffer.from(`${header}${text}end\n`)
    expect((await stream.state()).length).toBe(whole.length)
    for (const position of [0, 2 ** 20 - 7, 5_000_000, 2 ** 21, whole.length - 20, 40, 3_000_000]) {
      const into = Buffer.alloc(5000)
      const read = await stream.read(into, position)
      expect(into.subarray(0, read).equals(whole.subarray(position, position + 5000))).toBe(true)
    }
  })

  test('reads that overlap in time do not mix', async () => {
    const text = manyLines(100_000)
    writeFileSync(path, Buffer.concat([frame(header), await streamed(text)]))
    await using stream = await open()
    const whole = Buffer.from(header + text)
    const places = [1_500_000, 10, 900_000, 1_200_000]
    const parts = places.map(async (position) => {
      const into = Buffer.alloc(1000)
      await stream.read(into, position)
      return into.toString()
    })
    expect(await Promise.all(parts)).toEqual(places.map((at) => whole.toString('utf8', at, at + 1000)))
  })

  test('knows in which frames a range lies', async () => {
    const frames = [frame(header), frame('a\nb'), frame(''), frame('c\nd\n')]
    const starts = [0, 1, 2, 3, 4].map((count) => Buffer.concat(frames.slice(0, count)).length)
    writeFileSync(path, Buffer.concat(frames))
    await using stream = await open()
    const { length } = await stream.state()
    const at = header.length
    const between = (from: number, to: number) => [starts[from], (starts[to] ?? 0) - (starts[from] ?? 0)]
    expect(stream.frame?.([0, at])).toEqual(between(0, 1))
    expect(stream.frame?.([at, 2])).toEqual(between(1, 2))
    expect(stream.frame?.([at + 2, 3])).toEqual(between(1, 4))
    expect(stream.frame?.([at + 5, 2])).toEqual(between(3, 4))
    expect(stream.frame?.([length, 0])).toEqual([starts[4], 0])
  })
})

describe('the end of a file', () => {
  test('in a frame leaves the frames before it, and of that one no line that is not complete', async () => {
    const parts = ['{"a":1}\n', 'b\n{"c"', ':3}\nd\n']
    const frames = [frame(header), ...parts.map(frame)]
    const bytes = Buffer.concat(frames)
    const ends = frames.map((_, index) => Buffer.concat(frames.slice(0, index + 1)).length)
    for (let size = 0; size <= bytes.length; size++) {
      const complete = ends.filter((end) => end <= size).length
      const [before, next] = [complete, complete + 1].map((count) => [header, ...parts].slice(0, count).join(''))
      const { text, end, corrupt } = await decoded(bytes.subarray(0, size))
      expect([before, next?.slice(0, next.lastIndexOf('\n') + 1)]).toContain(text)
      expect({ end, corrupt }).toEqual({ end: ends[complete - 1] ?? 0, corrupt: null })
    }
  })

  test('in a large frame leaves the lines that come out of it, complete ones only', async () => {
    const text = manyLines(60_000)
    const start = frame(header)
    const bytes = Buffer.concat([start, await streamed(text)])
    const { text: read, end, corrupt } = await decoded(bytes.subarray(0, bytes.length - 100_000))
    expect(read.length).toBeGreaterThan(2 ** 17)
    expect(read.endsWith('\n')).toBe(true)
    expect((header + text).startsWith(read)).toBe(true)
    expect({ end, corrupt }).toEqual({ end: start.length, corrupt: null })
  })

  test('in a frame that goes on with an open line leaves nothing of it', async () => {
    const frames = [frame(header), frame('open')]
    const bytes = Buffer.concat([...frames, await streamed(` line\n${manyLines(60_000)}`)])
    expect(await decoded(bytes.subarray(0, bytes.length - 100_000))).toEqual({
      text: `${header}open`,
      end: Buffer.concat(frames).length,
      corrupt: null
    })
  })
})

describe('corrupt is', () => {
  const start = frame(header)

  test('a frame with a wrong checksum: the stream ends before it', async () => {
    const bad = frame('a\n'.repeat(1000))
    bad.writeUInt8(bad.readUInt8(bad.length - 1) ^ 1, bad.length - 1)
    expect(await decoded(Buffer.concat([start, frame('ok\n'), bad, frame('lost\n')]))).toEqual({
      text: `${header}ok\n`,
      end: start.length + frame('ok\n').length,
      corrupt: expect.stringContaining('checksum')
    })
  })

  test.each([
    ['plain text', Buffer.from('{"type":"session"}\n')],
    ['a skippable frame', Buffer.from('502a4d180400000000000000', 'hex')],
    ['zeros', Buffer.alloc(64)]
  ])('another magic: %s', async (_, bytes) => {
    expect(await decoded(Buffer.concat([start, bytes]))).toEqual({
      text: header,
      end: start.length,
      corrupt: 'no zstd frame begins here'
    })
    expect(await decoded(bytes)).toMatchObject({ text: '', end: 0, corrupt: 'no zstd frame begins here' })
  })

  test.each(['', 'no end', 'two\nlines\n', 'one\nand more'])('a first frame that holds %j', async (text) => {
    expect(await decoded(Buffer.concat([frame(text), frame('a\n')]))).toEqual({
      text: '',
      end: 0,
      corrupt: 'the first frame is not exactly one line'
    })
    expect(firstFrameLine(frame(text))).toBeNull()
  })

  test('a frame with any byte changed: what is read is a beginning of what was written', async () => {
    const text = manyLines(200)
    const bytes = Buffer.concat([start, frame(text), frame('end\n')])
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(at) ^ bits, at)
        expect(`${header}${text}end\n`.startsWith((await decoded(changed)).text)).toBe(true)
      }),
      { numRuns: 300 }
    )
  })
})

/** A frame of blocks that say one byte 131,072 times each, and a last one with some bytes as they are. */
function repeating(byte: number, blocks: number, rest = ''): Buffer {
  const block = (type: number, size: number, isLast: number, content: Buffer) => {
    const head = Buffer.alloc(3)
    head.writeUIntLE((size << 3) | (type << 1) | isLast, 0, 3)
    return Buffer.concat([head, content])
  }
  const repeated = block(1, 2 ** 17, 0, Buffer.from([byte]))
  const last = block(0, rest.length, 1, Buffer.from(rest))
  // Windows of 128 KiB, no checksum.
  return Buffer.concat([Buffer.from('28b52ffd0038', 'hex'), ...Array.from({ length: blocks }, () => repeated), last])
}

describe('a frame that decodes to far more than it is', { timeout: 60_000 }, () => {
  const start = Buffer.concat([frame(header), frame('ok\n')])
  const fourGiB = 2 ** 15

  test.each([
    ['zeros', 0, / of 131,081 bytes holds more than 57\d,\d{3},\d{3} bytes/],
    ['line feeds', 0x0a, / of 131,081 bytes holds more than 5,24\d,\d{3} lines/]
  ])('of %s is not read, and what stands before it is', async (_, byte, why) => {
    expect(await decoded(Buffer.concat([start, repeating(byte, fourGiB), frame('lost\n')]))).toEqual({
      text: `${header}ok\n`,
      end: start.length,
      corrupt: expect.stringMatching(why)
    })
  })

  test('is not read either where the file ends in it', async () => {
    const cut = Buffer.concat([start, repeating(0, fourGiB)]).subarray(0, -5)
    expect(await decoded(cut)).toEqual({
      text: `${header}ok\n`,
      end: start.length,
      corrupt: expect.stringContaining('holds more than')
    })
  })

  test('together with others is counted with them', async () => {
    const half = repeating(0x61, 2 ** 11 + 2 ** 8, '\n')
    const { end, corrupt } = await decodedEnd(Buffer.concat([start, half, half]))
    expect([end, corrupt]).toEqual([start.length + half.length, expect.stringContaining('holds more than')])
  })

  test('is read where it is one line of 100 MiB', async () => {
    const { length, corrupt } = await decodedEnd(Buffer.concat([start, repeating(0x61, 800, '\n')]))
    expect([length, corrupt]).toEqual([header.length + 3 + 100 * 2 ** 20 + 1, null])
  })

  test('is not tried again while the file stays as it is', async () => {
    writeFileSync(path, Buffer.concat([start, repeating(0x0a, fourGiB)]))
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    const look = async () => {
      await using raw = await openBytes(path)
      let bytesRead = 0
      const counted: Bytes = {
        ...raw,
        async read(into, position) {
          const read = await raw.read(into, position)
          bytesRead += read
          return read
        }
      }
      const stream = decodeFrames(counted)
      await stream.state()
      return [bytesRead > 10_000, stream.corrupt?.()] as const
    }
    const reason = expect.stringContaining('holds more than')
    expect([await look(), await look()]).toEqual([
      [true, reason],
      [false, reason]
    ])
    appendFileSync(path, frame('more\n'))
    expect(await look()).toEqual([true, reason])
  })
})

describe('a file that grows', () => {
  test('in any steps gives the lines of the whole, each once and in its frame', async () => {
    const text = manyLines(15_000)
    const parts = ['{"a":1}\n', 'b\n{"c"', ':3}\nd\n', text, 'end\n']
    const frames = [frame(header), ...parts.slice(0, 3).map(frame), await streamed(text), frame('end\n')]
    const bytes = Buffer.concat(frames)
    const read = async (sizes: readonly number[]) => {
      rmSync(path, { force: true })
      writeFileSync(path, '')
      let lines: (readonly [string | undefined, unknown])[] = []
      let checkpoint: Checkpoint | null = null
      let size = 0
      for (const next of sizes) {
        appendFileSync(path, bytes.subarray(size, next))
        size = next
        await using stream = await open()
        for await (const batch of tail(stream, { file: 0, framing: 'frames' }, checkpoint)) {
          if (batch.restarted) lines = []
          for (const line of batch.lines) if (line.end > 0) lines.push([line.bytes?.toString(), line.frame])
          checkpoint = batch.checkpoint
        }
      }
      return lines
    }
    const whole = await read([bytes.length])
    expect(whole.map(([line]) => line)).toEqual((header + parts.join('')).trimEnd().split('\n'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 4 }), async (sizes) => {
        const grown = await read([...sizes, bytes.length].toSorted((one, other) => one - other))
        expect(isDeepStrictEqual(grown, whole)).toBe(true)
      }),
      { numRuns: 12 }
    )
  })

  test('is not decoded again from its start', async () => {
    writeFileSync(path, Buffer.concat([frame(header), frame(manyLines(100_000))]))
    const count = async () => {
      const raw = await openBytes(path)
      let bytesRead = 0
      const counted: Bytes = {
        ...raw,
        async read(into, position) {
          const read = await raw.read(into, position)
          bytesRead += read
          return read
        }
      }
      await using stream = decodeFrames(counted)
      await stream.state()
      return bytesRead
    }
    expect(await count()).toBeGreaterThan(500_000)
    appendFileSync(path, frame('more\n'))
    expect(await count()).toBeLessThan(2000)
  })

  test('goes on where reading stopped, though its stream is longer than the file', async () => {
    writeFileSync(path, Buffer.concat([frame(header), frame('{"same":1}\n'.repeat(1000))]))
    const read = async (from: Checkpoint | null) => {
      await using stream = await open()
      const batches = []
      for await (const { restarted, lines, checkpoint } of tail(stream, { file: 0, framing: 'frames' }, from)) {
        batches.push({ restarted, lines: lines.map(({ number }) => number), checkpoint })
      }
      return batches
    }
    const [first] = await read(null)
    appendFileSync(path, frame('more\n'))
    expect(await read(first?.checkpoint ?? null)).toMatchObject([{ restarted: false, lines: [1002] }])
  })

  test('or is rewritten in place is read as it is now', async () => {
    const text = async (bytes: Buffer) => {
      writeFileSync(path, bytes)
      await using stream = await open()
      return await readAll(stream)
    }
    const other = frame('{"other":1}\n')
    expect(await text(Buffer.concat([frame(header), frame('a\n')]))).toBe(`${header}a\n`)
    expect(await text(Buffer.concat([other, frame('b\n'), frame('c\n')]))).toBe('{"other":1}\nb\nc\n')
    expect(await text(other)).toBe('{"other":1}\n')
  })

  test('a line says why what follows it cannot be decoded', async () => {
    const bad = frame('lost\n')
    bad.writeUInt8(bad.readUInt8(bad.length - 1) ^ 1, bad.length - 1)
    const read = async (bytes: Buffer) => {
      writeFileSync(path, bytes)
      await using stream = await open()
      const rests = []
      for await (const { lines } of tail(stream, { file: 0, framing: 'frames' }, null)) {
        rests.push(...lines.filter(({ end }) => end === 0))
      }
      return rests
    }
    const start = Buffer.concat([frame(header), frame('a\n')])
    expect(await read(start)).toEqual([])
    expect(await read(Buffer.concat([start, bad]))).toMatchObject([
      { length: 0, frame: [start.length, bad.length], corrupt: expect.stringContaining('checksum') }
    ])
    const torn = await read(Buffer.concat([start, bad.subarray(0, 7)]))
    expect(torn).toMatchObject([{ length: 0, frame: [start.length, 7] }])
    expect(torn[0]).not.toHaveProperty('corrupt')
  })
})

describe('what is written', () => {
  test('is the first line in a frame of its own and the others in one more, both with checksums', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '\n') }),
        fc.integer({ min: 1, max: 9 }),
        async (rest, size) => {
          const frames: Buffer[] = []
          for await (const chunk of encodeFrames(chunksOf(Buffer.from(header + rest), size))) frames.push(chunk)
          const [first = Buffer.alloc(0), ...others] = frames
          expect(zstdDecompressSync(first).toString()).toBe(header)
          expect(firstFrameLine(Buffer.concat(frames))?.toString()).toBe(header)
          const second = Buffer.concat(others)
          expect(second.length === 0 ? '' : zstdDecompressSync(second).toString()).toBe(rest)
          for (const one of second.length === 0 ? [first] : [first, second]) expect(one.readUInt8(4) & 4).toBe(4)
          expect((await decoded(Buffer.concat(frames))).text).toBe(header + rest)
        }
      )
    )
  })
})
