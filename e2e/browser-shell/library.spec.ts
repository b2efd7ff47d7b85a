import { expectAccessible } from '#e2e/support/axe.ts'
import { header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

test('a folder named on the command line shows its sessions by project', async ({ home, open }) => {
  home.session('shop', shopSession)
  home.session('till', sessionFile([header({ id: 'second' }), user('Count the till')]))
  const page = await open(home.sessions)
  await expect(app(page).session('shop').first()).toBeVisible()
  await expect(app(page).session(/Add a checkout page/)).toContainText('2 leaves')
  await expect(app(page).session(/Count the till/)).toBeVisible()
  await expectAccessible(page)
})

test('without a folder the known places that exist are offered, and a sample', async ({ home, open }) => {
  home.session('shop', shopSession)
  const page = await open()
  await expect(page.getByRole('button', { name: /sample/i })).toBeVisible()
  await page.getByRole('button', { name: home.sessions }).press('Enter')
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
})

test('the welcome page is accessible', async ({ open }) => {
  const page = await open()
  await expect(page.getByRole('button', { name: /sample/i })).toBeVisible()
  await expectAccessible(page)
})

test('the sample folder opens and has a session with branches', async ({ open }) => {
  const page = await open()
  await page.getByRole('button', { name: /sample/i }).press('Enter')
  await expect(
    app(page)
      .session(/leaves/)
      .first()
  ).toBeVisible()
})

test('a folder without sessions says how many files it looked at, and for what', async ({ home, open }) => {
  home.write('notes/a.txt', 'a')
  home.write('notes/b.jsonl', '{"no":"session"}\n')
  const page = await open(`${home.path}/notes`)
  await expect(page.getByText(/2 files/)).toBeVisible()
  await expect(page.getByText(/pi and omp/).first()).toBeVisible()
  await expectAccessible(page)
})

test('typing filters the sessions, and Escape shows all again', async ({ home, open }) => {
  home.session('shop', shopSession)
  home.session('till', sessionFile([header({ id: 'second' }), user('Count the till')]))
  const page = await open(home.sessions)
  await app(page).sessions.focus()
  await page.keyboard.type('till')
  await expect(app(page).filter).toHaveValue('till')
  await expect(app(page).session(/Count the till/)).toBeVisible()
  await expect(app(page).session(/Add a checkout page/)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
})

test('a filter that nothing passes says so', async ({ home, open }) => {
  home.session('shop', shopSession)
  const page = await open(home.sessions)
  await app(page).filter.fill('zebra')
  await expect(page.getByText(/No session matches/)).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).press('Enter')
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
})
