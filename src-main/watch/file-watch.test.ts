import { EventEmitter } from 'node:events'
import {
  appendFileSync,
  closeSync,
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FileWatchOptions, fileWatch } from './file-watch.ts'
import { manualWatch } from './manual-watch.ts'
import type { Hint, Watch } from './watch.ts'

let folder: string
let controller: AbortController
let logged: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
  controller = new AbortController()
  logged = []
})
afterEach(() => {
  controller.abort()
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const start = (options: Partial<FileWatchOptions> = {}): Watch =>
  fileWatch({ log: (line) => logged.push(line), ...options })(folder, controller.signal)

const inode = (path: string) => statSync(path).ino

/** The first hint that is as wanted. */
async function first(watch: Watch, wanted: (hint: Hint) => boolean): Promise<Hint> {
  for await (const hint of watch.hints) if (wanted(hint)) return hint
  throw new Error('the watch has ended')
}

const isPath = (path: string) => (hint: Hint) => hint.kind === 'path' && hint.path === path
const isEverything = ({ kind }: Hint) => kind === 'everything'

/** A system that answers as told instead of watching. */
const refusing = (refuse: (watcher: EventEmitter) => void) => {
  const made: (EventEmitter & { closed: boolean })[] = []
  const watch = () => {
    const watcher = Object.assign(new EventEmitter(), { closed: false, close: () => void (watcher.closed = true) })
    made.push(watcher)
    refuse(watcher)
    return watcher as unknown as FSWatcher
  }
  return { watch: watch as unknown as NonNullable<FileWatchOptions['watch']>, made }
}

describe('a watched folder', () => {
  test('hints at a file that is made, appended to or removed', async () => {
    const watch = start({ recursive: false })
    watch.folder(folder, inode(folder))
    const path = join(folder, 'a.jsonl')
    writeFileSync(path, '')
    await first(watch, isPath(path))
    appendFileSync(path, 'x')
    await first(watch, isPath(path))
    rmSync(path)
    await first(watch, isPath(path))
  })

  test('is watched anew where another folder took its name', async () => {
    const watch = start({ recursive: false })
    const sub = join(folder, 'sub')
    mkdirSync(sub)
    watch.folder(sub, inode(sub))
    rmSync(sub, { recursive: true })
    await first(watch, ({ kind }) => kind === 'path')
    mkdirSync(sub)
    watch.folder(sub, inode(sub) + 1)
    writeFileSync(join(sub, 'a'), '')
    await first(watch, isPath(join(sub, 'a')))
  })

  test('of a system that watches trees is one watch at the root', () => {
    const { watch, made } = refusing(() => undefined)
    const own = start({ recursive: true, watch })
    own.folder(join(folder, 'sub'), 1)
    expect(made.length).toBe(1)
  })
})

describe('where the system refuses', () => {
  test('more watches than it has, everything is looked at often, and it is said once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { watch } = refusing(() => {
      throw Object.assign(new Error('EMFILE: too many open files, watch'), { code: 'EMFILE' })
    })
    const own = start({ recursive: false, watch })
    for (let at = 0; at < 400; at++) own.folder(join(folder, `sub-${at}`), at)
    expect(logged).toEqual([expect.stringContaining('EMFILE')])
    vi.advanceTimersByTime(10_000)
    expect(await first(own, isEverything)).toEqual({ kind: 'everything' })
  })

  test('later, by an error event, nothing breaks either', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { watch, made } = refusing(() => undefined)
    const own = start({ recursive: false, watch })
    own.folder(folder, 1)
    made[0]?.emit('error', new Error('ENOSPC'))
    expect(made[0]?.closed).toBe(true)
    expect(logged).toEqual([expect.stringContaining('ENOSPC')])
    vi.advanceTimersByTime(10_000)
    await first(own, isEverything)
  })

  test('the number of watches stays bounded', () => {
    const { watch, made } = refusing(() => undefined)
    const own = start({ recursive: false, watch, mostWatches: 3 })
    for (let at = 0; at < 10; at++) own.folder(join(folder, `sub-${at}`), at)
    expect(made.length).toBe(3)
    expect(logged.length).toBe(1)
  })
})

describe('polling', () => {
  const poll = () => vi.advanceTimersByTime(1000)
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }))

  test('sees what a writer appends that keeps the file open, without any event', async () => {
    const watch = start({ ...refusing(() => undefined), recursive: false })
    const path = join(folder, 'a.jsonl')
    const handle = openSync(path, 'a')
    watch.hot(path)
    poll()
    await first(watch, isPath(path))
    writeSync(handle, 'x')
    poll()
    await first(watch, isPath(path))
    closeSync(handle)
  })

  test('sees a change of time at the same size, and that a file is gone', async () => {
    const watch = start({ ...refusing(() => undefined), recursive: false })
    const path = join(folder, 'a.jsonl')
    writeFileSync(path, 'x')
    watch.hot(path)
    poll()
    await first(watch, isPath(path))
    utimesSync(path, 1, 1)
    poll()
    await first(watch, isPath(path))
    rmSync(path)
    poll()
    await first(watch, isPath(path))
  })

  test('sees that a root which was gone is there again', async () => {
    const watch = start({ ...refusing(() => undefined), recursive: false })
    watch.folder(folder, inode(folder))
    watch.gone(folder)
    poll()
    await first(watch, isPath(folder))
  })
})

test('now and then everything is looked at', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const watch = start()
  vi.advanceTimersByTime(120_000)
  await first(watch, isEverything)
})

test('a stopped watch ends its hints and closes what it opened', async () => {
  const { watch, made } = refusing(() => undefined)
  const own = start({ recursive: false, watch })
  own.folder(folder, 1)
  const ended = first(own, () => false)
  controller.abort()
  await expect(ended).rejects.toThrow('has ended')
  expect(made.every(({ closed }) => closed)).toBe(true)
})

test('hints that nobody takes are kept once each, and too many become one for everything', async () => {
  const { start: startManual, hint } = manualWatch()
  const watch = startManual(folder, controller.signal)
  hint('a')
  hint('a')
  hint('b')
  const hints = watch.hints[Symbol.asyncIterator]()
  expect([(await hints.next()).value, (await hints.next()).value]).toEqual([
    { kind: 'path', path: 'a' },
    { kind: 'path', path: 'b' }
  ])
  for (let at = 0; at < 20_000; at++) hint(`path ${at}`)
  expect((await hints.next()).value).toEqual({ kind: 'everything' })
})
