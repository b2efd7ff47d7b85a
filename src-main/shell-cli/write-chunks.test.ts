import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { writeChunks } from './write-chunks.ts'

function* numbered(count: number, taken: { count: number }): Generator<string> {
  for (let at = 0; at < count; at += 1) {
    taken.count = at + 1
    yield `${at}\n`
  }
}

test('writes no faster than the reader reads', async () => {
  const stream = new PassThrough({ highWaterMark: 16 })
  const taken = { count: 0 }
  const written = writeChunks(stream, numbered(1000, taken))
  await new Promise((resolve) => stream.once('readable', resolve))
  expect(taken.count).toBeLessThan(20)
  const read: Buffer[] = []
  stream.on('data', (chunk: Buffer) => read.push(chunk))
  await written
  expect(stream.writableEnded).toBe(false)
  stream.end()
  await new Promise((resolve) => stream.once('end', resolve))
  expect(Buffer.concat(read).toString()).toBe(Array.from({ length: 1000 }, (_, at) => `${at}\n`).join(''))
})

test('a reader that goes away ends the writing quietly', async () => {
  const taken = { count: 0 }
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    }
  })
  await writeChunks(stream, numbered(1_000_000, taken))
  expect(taken.count).toBeLessThan(10)
})

test('other errors are not swallowed', async () => {
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    }
  })
  await expect(writeChunks(stream, ['a'])).rejects.toThrow('no space')
})

test('stops when it is told to', async () => {
  const controller = new AbortController()
  const stream = new PassThrough({ highWaterMark: 16 })
  const written = writeChunks(stream, numbered(1000, { count: 0 }), controller.signal)
  controller.abort()
  await expect(written).rejects.toThrow(/abort/i)
})
