import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { assistant, header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, type RunningShell, startShell, test as base } from '#e2e/support/launch.ts'
import { longestTask, traceTasks } from '#e2e/support/longest-task.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'

interface Fixtures {
  /** Starts the app with a file and opens it; the shell is there to be measured. */
  readonly openMeasured: (file: string) => Promise<{ readonly page: Page; readonly shell: RunningShell }>
}

const test = base.extend<Fixtures>({
  openMeasured: async ({ browser, home, page }, provide) => {
    await using running = new AsyncDisposableStack()
    await provide(async (file) => {
      const shell = running.use(await startShell(home, [file]))
      await traceTasks(browser, page)
      await page.goto(shell.url)
      return { page, shell }
    })
  }
})

test.setTimeout(180_000)
// One after the other, and unrecorded: what is measured is the app's own.
test.describe.configure({ mode: 'default' })
test.use({ trace: 'off' })

/** Writes a file piece by piece. */
function write(path: string, pieces: Iterable<string>): string {
  const file = openSync(path, 'w')
  for (const piece of pieces) writeSync(file, piece)
  closeSync(file)
  return path
}

function* chain(entries: number) {
  yield sessionFile([header()])
  for (let at = 1; at <= entries; at++) {
    const message =
      at % 2 === 1
        ? { role: 'user', content: `question ${at}` }
        : { role: 'assistant', content: [{ type: 'text', text: `answer ${at}` }] }
    const entry = {
      type: 'message',
      id: `n${at}`,
      parentId: at === 1 ? null : `n${at - 1}`,
      timestamp: '2026-03-01T10:00:00.000Z',
      message
    }
    yield `${JSON.stringify(entry)}\n`
  }
}

function* hugeLine(megabytes: number) {
  yield sessionFile([header()])
  yield '{"type":"message","id":"huge","parentId":null,"timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"'
  const piece = 'all work and no play '.repeat(50_000).slice(0, 1_000_000)
  for (let written = 0; written < megabytes; written++) yield piece
  yield '"}}\n{"type":"message","id":"after","parentId":"huge","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"the end"}}\n'
}

/** The most memory that any process of the shell has held, in MB. */
function peakMemory({ process: { pid } }: RunningShell): number {
  const family = [pid!]
  for (const parent of family) {
    for (const task of readdirSync(`/proc/${parent}/task`)) {
      const children = readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8').trim()
      if (children !== '') family.push(...children.split(' ').map(Number))
    }
  }
  const peak = (of: number) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${of}/status`, 'utf8'))?.[1])
  return Math.max(...family.map(peak)) / 1000
}

async function expectToExport(page: Page, bytes: number): Promise<void> {
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  const download = page.waitForEvent('download')
  await pressInDialog(page, 'Download')
  await expect(app(page).dialog).toContainText(`${new Intl.NumberFormat('en-US').format(bytes)} bytes`)
  expect(readFileSync(await (await download).path()).length).toBe(bytes)
}

test('a chain of 100,000 entries opens, scrolls and exports, and the window is never frozen', async ({
  browser,
  home,
  openMeasured
}) => {
  const file = write(home.session('chain', ''), chain(100_000))
  const { page, shell } = await openMeasured(file)
  await expect(app(page).entry(/answer 100000/)).toBeVisible({ timeout: 60_000 })
  await app(page).entries.focus()
  await page.keyboard.press('Home')
  await expect(app(page).entry(/question 1$/)).toBeVisible()
  await page.keyboard.press('End')
  await expect(app(page).entry(/answer 100000/)).toBeVisible()
  await app(page).tab('Raw').press('Enter')
  await expect(
    app(page)
      .line(/question|answer/)
      .first()
  ).toBeVisible()
  await app(page).tab('Tree').press('Enter')
  appendFileSync(file, sessionFile([user('one more', { id: 'more', parent: 'n100000' })]))
  await expect(app(page).entry(/one more/)).toBeVisible({ timeout: 60_000 })
  await expectToExport(page, readFileSync(file).length)
  expect(await longestTask(browser, 'firstContentfulPaint')).toBeLessThan(200)
  if (process.platform === 'linux') expect(peakMemory(shell)).toBeLessThan(600)
})

test('a file with a line of 100 MB opens and exports, and the window is never frozen', async ({
  browser,
  home,
  openMeasured
}) => {
  const file = write(home.session('huge', ''), hugeLine(100))
  const { page, shell } = await openMeasured(file)
  await expect(app(page).entry(/the end/)).toBeVisible({ timeout: 60_000 })
  await app(page)
    .entry(/all work and no play/)
    .click()
  await expect(app(page).inspector).toContainText('all work and no play')
  await app(page).tab('Raw').press('Enter')
  await expect(app(page).line('all work and no play').first()).toBeVisible()
  await app(page).tab('Tree').press('Enter')
  await expectToExport(page, readFileSync(file).length)
  expect(await longestTask(browser, 'firstContentfulPaint')).toBeLessThan(200)
  if (process.platform === 'linux') expect(peakMemory(shell)).toBeLessThan(600)
})

test('50,000 requests are drawn and moved in, and the window is never frozen', async ({
  browser,
  home,
  openMeasured
}) => {
  const drafts = Array.from({ length: 50_000 }, (_, at) => [
    user(`q ${at}`),
    assistant(`a ${at}`, { usage: { input: 1, output: 2, cacheRead: at, cacheWrite: 10 } })
  ])
  const { page } = await openMeasured(home.session('requests', sessionFile([header(), ...drafts.flat()])))
  await expect(app(page).entry(/a 49999/)).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('region', { name: 'Prompt per request' })).toBeVisible()
  await app(page).tab('Tokens and cache').press('Enter')
  const table = page.getByRole('grid', { name: 'Requests' })
  await expect(table.getByRole('row', { name: /^50,000 / })).toBeVisible()
  await table.focus()
  await page.keyboard.press('Home')
  await expect(table.getByRole('row', { name: /^1 / })).toBeVisible()
  await page.keyboard.press('End')
  await expect(table.getByRole('row', { name: /^50,000 / })).toBeVisible()
  expect(await longestTask(browser, 'firstContentfulPaint')).toBeLessThan(200)
})
