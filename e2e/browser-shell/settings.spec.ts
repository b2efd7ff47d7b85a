import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, startShell, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { assistant, compaction, header, sessionFile, toolResult, user } from '#e2e/support/build-session.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' })

test('what is set, the widths and the open folders are there at the next start, on another port', async ({
  home,
  page
}) => {
  home.session('shop', shopSession)
  const before = await startShell(home, [home.sessions])
  await page.goto(before.url)
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
  await page.keyboard.press('Control+,')
  await settings(page).getByRole('radio', { name: 'As the system' }).first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(settings(page).getByRole('radio', { name: 'Dark' })).toBeChecked()
  await settings(page)
    .getByRole('radio', { name: /Compact/ })
    .press('Space')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const splitter = page.getByRole('separator', { name: 'Width of the library' })
  await splitter.press('End')
  const width = await splitter.getAttribute('aria-valuenow')
  expect(await ground(page)).toBe('rgb(22, 23, 21)')
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--row')))
    .toBe('22px')
  // An engine that ends keeps what it was told, and not what is on its way.
  const kept = join(home.path, '.local/share/treeline/settings.json')
  await expect.poll(() => JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({ libraryWidth: Number(width) })
  await before[Symbol.asyncDispose]()

  await using after = await startShell(home, [])
  expect(new URL(after.url).port).not.toBe(new URL(before.url).port)
  await page.goto(after.url)
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
  expect(await ground(page)).toBe('rgb(22, 23, 21)')
  await expect(splitter).toHaveAttribute('aria-valuenow', width ?? '')
})

for (const theme of ['light', 'dark'] as const) {
  test(`high contrast is AAA in the ${theme} theme`, async ({ home, open }) => {
    home.session('shop', shopSession)
    const page = await open(home.sessions)
    await page.emulateMedia({ colorScheme: theme, contrast: 'more' })
    await expect(page.locator('html')).toHaveAttribute('data-contrast', 'more')
    for (const tab of ['Tree', 'Transcript', 'Tokens and cache', 'Raw'] as const) {
      await app(page).tab(tab).click()
      await expectAccessible(page, 'AAA')
    }
    await page.keyboard.press('Control+,')
    await expect(settings(page)).toBeVisible()
    await expectAccessible(page, 'AAA')
  })
}

const compacted = sessionFile([
  header(),
  user('Why is the queue stuck?', { id: 'ask' }),
  assistant('', { id: 'look', thinking: 'Hm', calls: [{ id: 'call', name: 'read', arguments: { path: 'queue.ts' } }] }),
  toolResult('call', 'read', 'a walrus', { id: 'seen' }),
  compaction('## Goal\n\nThe queue **runs** with `go`.', 'seen', { id: 'first' }),
  assistant('', { id: 'failed', stopReason: 'error' }),
  user('Then go on', { id: 'on' }),
  user('Something else', { id: 'else', parent: 'ask' }),
  compaction('All of it.', 'else', { id: 'second' }),
  assistant('It runs.', { id: 'runs' })
])

for (const scheme of ['light', 'dark'] as const) {
  for (const contrast of ['no-preference', 'more'] as const) {
    const level = contrast === 'more' ? 'AAA' : 'AA'
    test(`contexts and compactions are ${level} in the ${scheme} theme`, async ({ home, open }) => {
      const page = await open(home.session('queue', compacted))
      await page.emulateMedia({ colorScheme: scheme, contrast })
      const { context, comparison } = app(page)
      await app(page).tab('Context').press('Enter')
      await expect(context.getByRole('article')).toHaveCount(3)
      await context.getByRole('button', { name: /Something else/ }).press('Enter')
      await expect(context).toContainText('From')
      await expectAccessible(page, level)
      await page.getByRole('button', { name: /not in it/ }).press('Enter')
      await expect(page.getByText('the compaction summarises it').first()).toBeVisible()
      await expectAccessible(page, level)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Compare with…' }).press('Enter')
      await expectAccessible(page, level)
      await page.getByRole('textbox', { name: 'Entry' }).fill('on')
      await page.keyboard.press('Enter')
      await comparison.getByRole('button', { name: /Then go on/ }).press('Enter')
      await expect(comparison).toContainText('only left')
      await expectAccessible(page, level)

      await app(page).tab('Compactions').press('Enter')
      await expect(page.getByRole('region', { name: 'Summary' })).toContainText('All of it.')
      await expectAccessible(page, level)
      const search = page.getByRole('searchbox', { name: 'Search in what was dropped' })
      await search.fill('queue')
      await expect(page.getByText(/In 1 of \d messages? that (is|are) gone/)).toBeVisible()
      await expectAccessible(page, level)
      await search.fill('nowhere')
      await expect(page.getByText('Nothing that is gone holds this')).toBeVisible()
      await expectAccessible(page, level)
    })
  }
}

test('compact rows are lower in the transcript and in the context, too', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  const heights = async () => {
    const found: number[] = []
    for (const [tab, list] of [
      ['Transcript', app(page).transcript],
      ['Context', app(page).context]
    ] as const) {
      await app(page).tab(tab).click()
      const row = list.getByRole('article').first()
      // A row is as high as what it says, which comes after it.
      await expect(row).toContainText('Add a checkout page')
      found.push((await row.boundingBox())!.height)
    }
    return found
  }
  const comfortable = await heights()
  await page.keyboard.press('Control+,')
  await settings(page)
    .getByRole('radio', { name: /Compact/ })
    .press('Space')
  await page.keyboard.press('Escape')
  const compact = await heights()
  expect(compact[0]).toBeLessThan(comfortable[0]!)
  expect(compact[1]).toBeLessThan(comfortable[1]!)
})

test('a second window looks as the first one is set', async ({ home, context, page }) => {
  await using shell = await startShell(home, [])
  await page.goto(shell.url)
  const other = await context.newPage()
  await other.goto(shell.url)
  for (const window of [page, other]) await expect(window.getByRole('button', { name: 'Settings' })).toBeVisible()
  await page.keyboard.press('Control+,')
  await settings(page).getByRole('radio', { name: /High/ }).press('Space')
  await expect(other.locator('html')).toHaveAttribute('data-contrast', 'more')
})

test('what is set holds against an answer to what was asked before', async ({ context, home, open }) => {
  const asked: number[] = []
  const cancelled: number[] = []
  const set: number[] = []
  await context.routeWebSocket(/channel/, (socket) => {
    const engine = socket.connectToServer()
    socket.onMessage((text) => {
      const { kind, id, name } = JSON.parse(String(text)) as { kind: string; id: number; name?: string }
      if (kind === 'cancel') cancelled.push(id)
      if (name === 'settings.get') asked.push(id)
      if (name === 'settings.set') set.push(id)
      // Of the second change nobody is told.
      if (set[1] !== id) engine.send(text)
    })
    // The first is what the window begins with; to the others the engine is slow to answer.
    engine.onMessage((text) => {
      const { id } = JSON.parse(String(text)) as { id?: number }
      if (id === undefined || !asked.slice(1).includes(id)) socket.send(text)
    })
  })
  const page = await open(home.session('shop', shopSession))
  await expect(app(page).entry(/They are green/)).toBeVisible()
  await page.keyboard.press('Control+,')
  await settings(page).getByRole('radio', { name: 'Light' }).press('Space')
  await expect.poll(() => asked.length).toBe(2)
  await settings(page).getByRole('radio', { name: 'Dark' }).press('Space')
  await expect(settings(page).getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect.poll(() => cancelled).toContain(asked[1])
})

test('settings that make no sense are set aside, and the dialog says where', async ({ home, open }) => {
  const file = home.write('.local/share/treeline/settings.json', '{"theme":')
  const page = await open()
  await page.getByRole('button', { name: 'Settings' }).press('Enter')
  await expect(settings(page).getByText(/It is kept as/)).toContainText(join(file, '..'))
  await expectAccessible(page)
})

test('a folder that is gone is shown as gone at the next start', async ({ home, open }) => {
  home.write(
    '.local/share/treeline/settings.json',
    JSON.stringify({ openFolders: [join(home.path, 'away')], recentFolders: [] })
  )
  const page = await open()
  await expect(page.getByText('The folder is gone')).toBeVisible()
  writeFileSync(join(home.path, 'unrelated'), '')
  await expectAccessible(page)
})
