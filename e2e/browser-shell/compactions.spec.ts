import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import {
  assistant,
  compaction,
  header,
  modelChange,
  sessionFile,
  toolResult,
  user
} from '#e2e/support/build-session.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'

const session = sessionFile([
  header(),
  user('Why is the queue stuck?', { id: 'ask' }),
  assistant('I look.', { id: 'look', calls: [{ id: 'call', name: 'read', arguments: { path: 'queue.ts' } }] }),
  toolResult('call', 'read', 'a very secret walrus', { id: 'seen' }),
  user('And now?', { id: 'now' }),
  assistant('It runs.', { id: 'runs' }),
  compaction('## Goal\n\nThe queue **runs** again.', 'now', { id: 'first' }),
  user('Then go on', { id: 'on' }),
  assistant('Going on.', { id: 'going' }),
  compaction('All of it, once more.', 'going', { id: 'second' }),
  modelChange('acme', 'small-1'),
  assistant('Done.', { id: 'done', usage: { input: 10, output: 20, cacheRead: 0, cacheWrite: 4000 } }),
  user('Something else', { id: 'else', parent: 'ask' })
])

test.beforeEach(({ home }) => {
  home.session('queue', session)
})

const open = (page: Page) => ({
  before: page.getByRole('grid', { name: 'Messages before' }),
  after: page.getByRole('grid', { name: 'Messages after' }),
  summary: page.getByRole('region', { name: 'Summary' }),
  balance: page.getByRole('region', { name: 'Balance' })
})

test('a compaction shows each message before and after, its summary, and what it saved', async ({
  home,
  open: start
}) => {
  const page = await start(`${home.sessions}/--home-me-shop--/queue.jsonl`)
  const { before, after, summary, balance } = open(page)
  await app(page).tab('Compactions').press('Enter')
  await expect(page.getByText('No compaction on the current path')).toBeVisible()
  await page.getByRole('button', { name: /Compaction 2/ }).press('Enter')
  await expect(app(page).tab('Compactions')).toHaveText(/Compactions 2/)
  await expect(summary).toContainText('All of it, once more.')
  await page.getByRole('radio', { name: /^1 · / }).press('Space')
  await expect(before.getByRole('row')).toHaveText([
    /summarised\s*You\s*Why is the queue stuck/,
    /summarised\s*Assistant\s*I look/,
    /summarised\s*read\s*queue\.ts/,
    /kept\s*You\s*And now/,
    /kept\s*Assistant\s*It runs/
  ])
  await expect(after.getByRole('row')).toHaveText([/kept\s*You\s*And now/, /kept\s*Assistant\s*It runs/])
  await expect(summary.getByRole('heading', { name: 'Goal' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'What became of the messages' })).toHaveText(
    /kept 2.*summarised 3.*added 1/
  )
  await expect(page.getByText(/recorded 50\.0k to unknown · recomputed \d+ to \d+/)).toBeVisible()
  await expect(balance).toContainText('Nothing: the summary stands for all that is gone.')
  await expect(balance).toContainText('Recorded: the next request read 900 tokens.')
  await expectAccessible(page)
})

test('what is gone is searched by its whole text, and a row leads to the tree', async ({ home, open: start }) => {
  const page = await start(`${home.sessions}/--home-me-shop--/queue.jsonl`)
  const { before } = open(page)
  await app(page).tab('Compactions').press('Enter')
  await page.getByRole('button', { name: /Compaction 1/ }).press('Enter')
  const search = page.getByRole('searchbox', { name: 'Search in what was dropped' })
  await search.fill('WALRUS')
  await expect(page.getByText('In 1 of 3 messages that are gone')).toBeVisible()
  await expect(before.getByRole('row')).toHaveText([/read\s*queue\.ts/])
  await search.fill('It runs')
  await expect(page.getByText('Nothing that is gone holds this')).toBeVisible()
  await search.fill('')
  await before.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/I look/)
})

test('until a search is answered nothing is said of what it finds', async ({ context, home, open: start }) => {
  const letGo = await holdBack(context, 'compaction.find')
  const page = await start(`${home.sessions}/--home-me-shop--/queue.jsonl`)
  await app(page).tab('Compactions').press('Enter')
  await page.getByRole('button', { name: /Compaction 1/ }).press('Enter')
  await page.getByRole('searchbox', { name: 'Search in what was dropped' }).fill('WALRUS')
  await expect(page.getByText('Searching')).toBeVisible()
  await expect(page.getByText('Nothing that is gone holds this')).toHaveCount(0)
  letGo()
  await expect(open(page).before.getByRole('row')).toHaveText([/read\s*queue\.ts/])
})

test('another compaction is searched anew', async ({ home, open: start }) => {
  const page = await start(`${home.sessions}/--home-me-shop--/queue.jsonl`)
  const { before } = open(page)
  await app(page).tab('Compactions').press('Enter')
  await page.getByRole('button', { name: /Compaction 2/ }).press('Enter')
  await page.getByRole('radio', { name: /^1 · / }).press('Space')
  const search = page.getByRole('searchbox', { name: 'Search in what was dropped' })
  await search.fill('WALRUS')
  await expect(before.getByRole('row')).toHaveCount(1)
  await page.getByRole('radio', { name: /^2 · / }).press('Space')
  await expect(search).toHaveValue('')
  await expect(before.getByRole('row').first()).toContainText('The queue **runs** again.')
})

test('a branch begins before the compaction', async ({ home, open: start }) => {
  const page = await start(`${home.sessions}/--home-me-shop--/queue.jsonl`)
  await app(page).tab('Compactions').press('Enter')
  await page.getByRole('button', { name: /Compaction 1/ }).press('Enter')
  await open(page).balance.getByRole('button', { name: 'Branch from before this' }).press('Enter')
  await expect(app(page).dialog).toContainText('It runs.')
  await pressInDialog(page, /^Write/)
  await expect(app(page).dialog).toContainText('The branch is written')
  await expect(app(page).dialog).toContainText(/resume|--session/i)
})

for (const { width, height } of [
  { width: 1400, height: 900 },
  { width: 1000, height: 700 }
]) {
  test(`of many compactions the chosen one is in view in a window of ${width} pixels`, async ({
    home,
    open: start
  }) => {
    const compactions = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => [
        user('Go on', { id: `${name}${at}`, ...(name === 'side' && at === 0 ? { parent: 'main14' } : {}) }),
        compaction(`Gone on ${at}.`, `${name}${at}`)
      ]).flat()
    const many = [header(), ...compactions('main', 30), user('The end'), ...compactions('side', 5)]
    const page = await start(home.session('many', sessionFile(many)))
    await page.setViewportSize({ width, height })
    const line = page.getByRole('radiogroup', { name: 'Compaction' })
    const chip = (number: number) => line.getByRole('radio', { name: new RegExp(`^${number} · `) })
    const expectChosen = async (number: number) => {
      await expect(chip(number)).toBeChecked()
      await expect(chip(number)).toBeInViewport({ ratio: 1 })
      for (const part of [
        page.getByText('Who asked for it was not recorded'),
        page.getByRole('searchbox', { name: 'Search in what was dropped' })
      ]) {
        await expect(part).toBeInViewport({ ratio: 1 })
        expect(await part.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
      }
    }

    await app(page).tab('Compactions').press('Enter')
    await expectChosen(19)
    await page.getByRole('button', { name: '2 leaves' }).press('Enter')
    await page.getByRole('button', { name: /^leaf 1 / }).press('Enter')
    await expectChosen(30)
    await expect(chip(1)).not.toBeInViewport()

    await chip(30).focus()
    await page.keyboard.press('ArrowRight')
    await expectChosen(1)
    await expect(chip(1)).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expectChosen(2)
    await expect(chip(1), 'not scrolled without need').toBeInViewport({ ratio: 1 })
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expectChosen(30)
    await page.setViewportSize({ width: width - 100, height })
    await expectChosen(30)
  })
}
