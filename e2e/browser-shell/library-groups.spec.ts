import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from '#e2e/support/axe.ts'
import { header, sessionFile, user } from '#e2e/support/build-session.ts'
import type { Home } from '#e2e/support/home.ts'
import { expect, startShell, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

/** Sessions of the projects `shop` and `till`; one of the latter is a fork of one of the former. */
function fill(home: Home): void {
  const shop = home.session('shop', shopSession)
  home.session('till', sessionFile([header({ id: 'second', cwd: '/home/me/till' }), user('Count the till')]))
  home.session(
    'fork',
    sessionFile([header({ id: 'third', cwd: '/home/me/till', parentSession: shop }), user('In red')])
  )
}

test('one project alone is listed from its heading by the keyboard, and all again', async ({ home, open }) => {
  fill(home)
  const page = await open(home.sessions)
  const { session, sessions, filter } = app(page)
  const chip = page.getByText('Only shop', { exact: true })
  await expect(session(/Add a checkout page/)).toContainText('1 fork')
  await expect(session(/Count the till/)).toBeVisible()
  await sessions.focus()
  await page.keyboard.press('Home')
  await expect(sessions.getByRole('treeitem').first()).toHaveText(/^shop/)
  await page.keyboard.press('Shift+Enter')
  await expect(chip).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Only sessions of shop' })).toHaveCount(1)
  await expect(session(/Count the till/)).toHaveCount(0)
  await expect(session(/Add a checkout page/)).toContainText('1 fork')
  await expectAccessible(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, contrast: 'more' })
    await expectAccessible(page, 'AAA')
  }

  await page.keyboard.press('Backspace')
  await expect(chip).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: 'Sessions of all projects' })).toHaveCount(1)
  await expect(session(/Count the till/)).toBeVisible()

  await page.keyboard.press('Shift+Enter')
  await expect(chip).toBeVisible()
  await filter.fill('red')
  await filter.press('Escape')
  await expect(filter).toHaveValue('')
  await expect(chip).toBeVisible()
  await filter.press('Escape')
  await expect(chip).toHaveCount(0)
})

test('one project alone is listed from its heading by the pointer; the chip lifts it', async ({ home, open }) => {
  fill(home)
  const page = await open(home.sessions)
  const { session, sessions, filter } = app(page)
  const heading = sessions.getByRole('treeitem', { name: /^till/ })
  await heading.hover()
  await heading.getByText('Only this').click()
  await expect(session(/Count the till/)).toBeVisible()
  await expect(session(/Add a checkout page/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Show all projects' }).click()
  await expect(session(/Add a checkout page/)).toBeVisible()
  await expect(filter).toBeFocused()
})

test('the session at hand says which project, by its key and in the palette', async ({ home, open }) => {
  fill(home)
  const page = await open(home.sessions)
  await app(page)
    .session(/Count the till/)
    .click()
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('p')
  await expect(page.getByText('Only till', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('project in the library')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Only till', { exact: true })).toHaveCount(0)
})

test('how the library is put is there at the next start; a project that is not says so', async ({ home, page }) => {
  fill(home)
  const before = await startShell(home, [home.sessions])
  await page.goto(before.url)
  await app(page)
    .session(/Count the till/)
    .click()
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('p')
  await expect(app(page).session(/Add a checkout page/)).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Groups of the sessions' }).selectOption('By agent')
  await page.getByRole('combobox', { name: 'Order of the sessions' }).selectOption('By name')
  await expect(app(page).session(/^pi/)).toBeVisible()
  // The window shows a choice before it is kept.
  const settings = join(home.path, '.local/share/treeline/settings.json')
  await expect
    .poll(() => (existsSync(settings) ? (JSON.parse(readFileSync(settings, 'utf8')) as object) : {}))
    .toMatchObject({ libraryProject: '/home/me/till', libraryGroup: 'agent', librarySort: 'name' })
  await before[Symbol.asyncDispose]()

  home.write('work/other.jsonl', sessionFile([header({ id: 'fourth', cwd: '/home/me/other' }), user('Elsewhere')]))
  await using after = await startShell(home, [])
  await page.goto(after.url)
  await expect(app(page).session(/Count the till/)).toContainText('till')
  await expect(app(page).session(/Add a checkout page/)).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Groups of the sessions' })).toHaveValue('agent')
  await expect(page.getByRole('combobox', { name: 'Order of the sessions' })).toHaveValue('name')
  await after[Symbol.asyncDispose]()

  home.write('.local/share/treeline/settings.json', JSON.stringify({ libraryProject: '/home/me/gone' }))
  await using last = await startShell(home, [home.sessions])
  await page.goto(last.url)
  await expect(page.getByText('No session of this project')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show all projects' }).last().press('Enter')
  await expect(app(page).session(/Count the till/)).toBeVisible()
})

test('sessions are grouped by date', async ({ home, open }) => {
  fill(home)
  const page = await open(home.sessions)
  await page.getByRole('combobox', { name: 'Groups of the sessions' }).selectOption('By date')
  await expect(app(page).sessions.getByRole('treeitem')).toHaveText([/^March 2026/, /shop.*pi/, /till.*pi/])
  await expectAccessible(page)
})
