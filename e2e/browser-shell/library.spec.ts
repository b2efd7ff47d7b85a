import { renameSync } from 'node:fs'
import { expectAccessible } from '#e2e/support/axe.ts'
import { header, sessionFile, user } from '#e2e/support/build-session.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'
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

test('sessions lie under their project, newest first or by name, and a project folds', async ({ home, open }) => {
  home.session('shop', shopSession)
  home.session('till', sessionFile([header({ id: 'second', cwd: '/home/me/till' }), user('Count the till')]))
  home.session('abacus', sessionFile([header({ id: 'third', cwd: '/home/me/abacus' }), user('Move the beads')]))
  const page = await open(home.sessions)
  const rows = app(page).sessions.getByRole('treeitem')
  await expect(rows).toHaveCount(6)
  await page.getByRole('combobox', { name: 'Order of the sessions' }).selectOption('By name')
  await expect(rows).toContainText([
    /^abacus/,
    /Move the beads/,
    /^shop/,
    /Add a checkout page/,
    /^till/,
    /Count the till/
  ])
  await expectAccessible(page)

  await app(page).sessions.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(rows).toContainText([/^abacus \(1\)/, /^shop/, /Add a checkout page/, /^till/, /Count the till/])
  await expect(rows.first()).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(rows).toHaveCount(6)
})

test('forks are folded under the session that they come from', async ({ home, open }) => {
  const parent = home.session('shop', shopSession)
  home.session('fork', sessionFile([header({ id: 'child', parentSession: parent }), user('Try it in red')]))
  const page = await open(home.sessions)
  const fork = app(page).session(/Try it in red/)
  await expect(app(page).session(/Add a checkout page/)).toHaveAttribute('aria-expanded', 'false')
  await app(page).sessions.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await expect(fork).toHaveAccessibleName(/^Live: Fork: Try it in red/)
  await expect(fork).toHaveAttribute('aria-level', '3')
  await expect(app(page).session(/Add a checkout page/)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(app(page).session(/Add a checkout page/)).toHaveAttribute('aria-expanded', 'false')
  await expect(fork).toHaveCount(0)
  await app(page).filter.fill('red')
  await expect(fork).toBeVisible()
})

test('a session says how many faults and leaves it has, and that it is being written to', async ({ home, open }) => {
  home.session('shop', `${shopSession}{"torn\n`)
  const page = await open(home.sessions)
  await expect(app(page).session(/^Live: .*Add a checkout page.*1 fault.*2 leaves/)).toBeVisible()
})

test('another folder is opened by the keyboard alone, and closed again', async ({ home, open }) => {
  home.session('shop', shopSession)
  home.write('work/till/one.jsonl', sessionFile([header({ id: 'second', cwd: '/till' }), user('Count the till')]))
  home.write('work/more/two.txt', 'none')
  const page = await open(home.sessions)
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
  await page.keyboard.press('Control+o')
  await expect(app(page).dialog).toContainText(home.path)
  const folders = app(page).dialog.getByRole('listbox', { name: 'Folders' })
  await app(page).dialog.getByRole('searchbox', { name: 'Filter folders' }).focus()
  await page.keyboard.type('wor')
  await expect(folders.getByRole('option')).toHaveText(['work'])
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(folders.getByRole('option')).toHaveText(['more', 'till'])
  await expect(folders).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app(page).dialog).toContainText('No folders in here')
  await page.keyboard.press('Backspace')
  await expect(folders.getByRole('option')).toHaveText(['more', 'till'])
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(app(page).dialog).toContainText(`${home.path}/work/till`)
  await pressInDialog(page, 'Open this folder')
  await expect(app(page).dialog).toHaveCount(0)
  await expect(app(page).session(/Count the till/)).toBeVisible()
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()

  await page.getByRole('button', { name: 'and 1 more' }).press('Enter')
  await page.getByRole('button', { name: `Close ${home.path}/work/till` }).press('Enter')
  await expect(app(page).session(/Count the till/)).toHaveCount(0)
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
})

test('a path that is typed in the folder picker opens nothing in its stead', async ({ home, open }) => {
  home.write('work/one.txt', 'none')
  const page = await open()
  await page.getByRole('button', { name: 'Open a folder…' }).press('Enter')
  const openThis = app(page).dialog.getByRole('button', { name: 'Open this folder' })
  await expect(openThis).toBeEnabled()
  const filter = app(page).dialog.getByRole('searchbox', { name: 'Filter folders' })
  await filter.fill(`${home.path}/work`)
  await expect(app(page).dialog.getByRole('status')).toContainText(`No folder here is named “${home.path}/work”`)
  await expect(openThis).toBeDisabled()
  await filter.fill('wor')
  await expect(openThis).toBeEnabled()
})

test('a folder that is still read is gone into once, and not opened before it is seen', async ({
  context,
  home,
  open
}) => {
  home.session('shop', shopSession)
  home.write('work/till/one.txt', 'none')
  const letGo = await holdBack(context, 'picker.list', 1)
  const page = await open(home.sessions)
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
  await page.keyboard.press('Control+o')
  const { dialog } = app(page)
  const folders = dialog.getByRole('listbox', { name: 'Folders' })
  await expect(folders.getByRole('option', { name: 'work' })).toBeVisible()
  await dialog.getByRole('searchbox', { name: 'Filter folders' }).fill('work')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Open this folder' })).toBeDisabled()
  for (const key of ['Enter', 'Backspace']) await page.keyboard.press(key)
  letGo()
  await expect(dialog).toContainText(`${home.path}/work`)
  await expect(folders.getByRole('option')).toHaveText(['till'])
})

test('a folder that is moved away is told to be gone', async ({ home, open }) => {
  home.write('away/one.jsonl', sessionFile([header({ id: 'second' }), user('Count the till')]))
  const page = await open(`${home.path}/away`)
  await expect(app(page).session(/Count the till/)).toBeVisible()
  renameSync(`${home.path}/away`, `${home.path}/elsewhere`)
  await expect(app(page).session(/Count the till/)).toHaveCount(0)
  await page.getByRole('button', { name: `${home.path}/away` }).press('Enter')
  await expect(page.getByText('gone, 0 sessions in 0 files')).toBeVisible()
  await expect(page.getByText('1 folder gone')).toBeVisible()
  await expectAccessible(page)
})

test('a page that is loaded again begins at the session that was chosen', async ({ home, open }) => {
  home.write('work/a.jsonl', sessionFile([header({ id: 'first' }), user('Count the stock')]))
  home.write('work/b.jsonl', sessionFile([header({ id: 'second' }), user('Order more')]))
  const page = await open(`${home.path}/work`)
  await app(page)
    .session(/Count the stock/)
    .click()
  await expect(app(page).entry(/Count the stock/)).toBeVisible()
  await page.reload()
  await expect(app(page).entry(/Count the stock/)).toBeVisible()
})
