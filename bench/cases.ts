import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright'
import { createEngine } from '#main/engine/create-engine.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { firstRow, longestTask, openPage, whenShown } from './page.ts'
import { type Truth, writeChain, writeImages, writeLibrary, writeLongSession } from './sessions.ts'
import { startMeasured } from './shell.ts'

/** Milliseconds and bytes; null where the system does not say. */
export interface Measured {
  readonly name: string
  readonly wall: number
  readonly cpu: number | null
  readonly memory: number | null
  readonly longestTask: number | null
}

export interface Sizes {
  readonly long: number
  readonly images: number
  readonly imageBytes: number
  readonly chain: number
  readonly sessions: number
  readonly appends: number
  /** How often the long session is opened; the medians count. */
  readonly rounds: number
}

export const fullSizes: Sizes = {
  long: 250_000_000,
  images: 500,
  imageBytes: 1_000_000,
  chain: 100_000,
  sessions: 2000,
  appends: 9,
  rounds: 5
}

/** Makes every case in `folder`, a home of its own, and measures them one after another. */
export async function* measureAll(folder: string, sizes: Sizes, browser: Browser): AsyncGenerator<Measured> {
  const home = join(folder, 'home')
  mkdirSync(home)
  const at = (name: string) => join(folder, name)

  const tiny = at('tiny/session.jsonl')
  writeChain(tiny, 20)
  const long = at('long/session.jsonl')
  const longTruth = writeLongSession(long, sizes.long)
  const rounds: Record<'start' | 'plain' | 'cold' | 'indexed', Figures[]> = {
    start: [],
    plain: [],
    cold: [],
    indexed: []
  }
  // In turn, so that what else the machine does meets all of them alike.
  for (let round = 0; round < sizes.rounds; round++) {
    const index = at(`long-${round}.db`)
    rounds.start.push(await opened(browser, home, tiny, at('tiny.db')))
    rounds.plain.push(plainRead(long, longTruth))
    rounds.cold.push(await opened(browser, home, long, index))
    rounds.indexed.push(await opened(browser, home, long, index))
  }
  const start = together(rounds.start)
  yield { name: 'start, session of 20 entries', ...start }
  yield { name: 'plain read and JSON.parse, long session', ...together(rounds.plain) }
  yield { name: 'first rows, long session, cold', ...less(together(rounds.cold), start) }
  yield { name: 'first rows, long session, indexed', ...less(together(rounds.indexed), start) }
  await requireTruth(home, at('long-0.db'), long, longTruth)

  const images = at('images/session.jsonl')
  const imagesTruth = writeImages(images, sizes.images, sizes.imageBytes)
  yield { name: 'first rows, pictures, cold', ...less(await opened(browser, home, images, at('images.db')), start) }
  await requireTruth(home, at('images.db'), images, imagesTruth)

  const chain = at('chain/session.jsonl')
  const chainTruth = writeChain(chain, sizes.chain)
  for (const state of ['cold', 'indexed']) {
    yield { name: `first rows, chain, ${state}`, ...less(await opened(browser, home, chain, at('chain.db')), start) }
  }
  await requireTruth(home, at('chain.db'), chain, chainTruth)
  yield { name: 'append to screen, chain', ...(await appended(browser, home, chain, at('chain.db'), sizes.appends)) }

  const short = at('short/session.jsonl')
  writeChain(short, 1000)
  yield {
    name: 'append to screen, 1,000 entries',
    ...(await appended(browser, home, short, at('short.db'), sizes.appends))
  }

  const library = at('library')
  const truths = writeLibrary(library, sizes.sessions)
  for (const state of ['cold', 'indexed']) {
    yield {
      name: `list of sessions, ${state}`,
      ...(await listed(browser, home, library, at('library.db'), truths.length))
    }
  }
}

type Figures = Omit<Measured, 'name'>

/** The median of what it took; the most memory and the longest task of all. */
function together(figures: readonly Figures[]): Figures {
  const all = (name: Exclude<keyof Figures, 'wall'>) => figures.flatMap((one) => one[name] ?? [])
  return {
    wall: median(figures.map(({ wall }) => wall)),
    cpu: all('cpu').length === 0 ? null : median(all('cpu')),
    memory: all('memory').length === 0 ? null : Math.max(...all('memory')),
    longestTask: all('longestTask').length === 0 ? null : Math.max(...all('longestTask'))
  }
}

/** What opening takes beside what starting takes. */
const less = (figures: Figures, start: Figures): Figures => ({
  ...figures,
  wall: figures.wall - start.wall,
  cpu: figures.cpu === null || start.cpu === null ? null : figures.cpu - start.cpu
})

function plainRead(path: string, truth: Truth): Figures {
  const script = resolve(import.meta.dirname, 'plain-read.ts')
  const output = execFileSync(process.execPath, [script, path], { encoding: 'utf8' })
  const { lines, wall, cpu } = JSON.parse(output) as {
    readonly lines: number
    readonly wall: number
    readonly cpu: number
  }
  assert.equal(lines, truth.entries + 1)
  return { wall, cpu, memory: null, longestTask: null }
}

/** From the start of the app on a file until the first rows are on screen; memory and tasks until all of it is read. */
async function opened(browser: Browser, home: string, path: string, index: string): Promise<Figures> {
  await using shell = await startMeasured(home, path, index)
  const page = await openPage(browser, shell.url)
  await firstRow(page)
  const wall = performance.now() - shell.startedAt
  const cpu = shell.cpu()
  await page.getByText('reading the session').waitFor({ state: 'detached', timeout: 600_000 })
  await firstRow(page)
  const figures = { wall, cpu, memory: shell.peakMemory(), longestTask: await longestTask(page) }
  await page.close()
  return figures
}

/** The median from the append until its row is on screen, the tree at its end. */
async function appended(browser: Browser, home: string, path: string, index: string, times: number): Promise<Figures> {
  await using shell = await startMeasured(home, path, index)
  const page = await openPage(browser, shell.url)
  await firstRow(page)
  await page.getByRole('tree', { name: 'Entries' }).press('End')
  let parent = (JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '{}') as { readonly id: string })
    .id
  const before = shell.cpu()
  const walls: number[] = []
  for (let time = 0; time < times; time++) {
    const text = `Appended ${time} by the bench`
    const id = `bench${time}`
    const shown = whenShown(page, text)
    const timestamp = new Date().toISOString()
    const message = { role: 'user', content: text }
    const from = Date.now()
    appendFileSync(path, `${JSON.stringify({ type: 'message', id, parentId: parent, timestamp, message })}\n`)
    walls.push((await shown) - from)
    parent = id
    // What the append sets off is part of its cost, and must not disturb the next.
    await page.waitForTimeout(1500)
  }
  const after = shell.cpu()
  const cpu = before === null || after === null ? null : (after - before) / times
  const figures = { wall: median(walls), cpu, memory: shell.peakMemory(), longestTask: await longestTask(page) }
  await page.close()
  return figures
}

/** From the start of the app on a folder until all its sessions are listed. */
async function listed(browser: Browser, home: string, path: string, index: string, count: number): Promise<Figures> {
  await using shell = await startMeasured(home, path, index)
  const page = await openPage(browser, shell.url)
  await page.getByText(`${count.toLocaleString('en')} sessions indexed`).waitFor({ timeout: 300_000 })
  const wall = performance.now() - shell.startedAt
  const figures = { wall, cpu: shell.cpu(), memory: shell.peakMemory(), longestTask: await longestTask(page) }
  await page.close()
  return figures
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Throws where the app's index says something else of a session than it was made with. */
async function requireTruth(home: string, index: string, file: string, truth: Truth): Promise<void> {
  const options = {
    index,
    home,
    dataFolder: join(home, 'data'),
    samples: null,
    settings: null,
    env: {},
    worker: null,
    watch: false
  }
  const engine = await createEngine({ ...options, log: console.error })
  try {
    const session = await engine.openFile(file, null)
    const client = engine.client({ info: { version: '', shell: 'none', why: '', nativeDialog: false, reveal: false } })
    assert.deepEqual(
      truthOf(await client.call('session.get', { session })),
      truth,
      `${file} is not read as it was made`
    )
  } finally {
    await engine.close()
  }
}

function truthOf({ bytes, entries, leaves, compactions, usage }: SessionRow): Record<keyof Truth, number | null> {
  const { requests, input, cacheRead, cacheWrite, output } = usage
  return { bytes, entries, leaves, compactions, requests, input, cacheRead, cacheWrite, output }
}
