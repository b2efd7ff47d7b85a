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

test('a branch begins before the compaction', async ({ home, open: start }) => {
  const page = await start(`${home.sessions}/--home-me-shop--/queue.jsonl`)
  await app(page).tab('Compactions').press('Enter')
  await page.getByRole('button', { name: /Compaction 1/ }).press('Enter')
  await open(page).balance.getByRole('button', { name: 'Branch from before this' }).press('Enter')
  await expect(app(page).dialog).toContainText('It runs.')
  await pressInDialog(page, /^Write/)
  await expect(app(page).dialog).toContainText(/resume|--session/i)
})
