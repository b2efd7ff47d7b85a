import { expectAccessible } from '#e2e/support/axe.ts'
import { header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

const till = sessionFile([header({ id: 'second', cwd: '/home/me/money' }), user('Count the till')])

test('Ctrl+K finds a session by its title or its project, and Enter opens it', async ({ home, open }) => {
  home.session('shop', shopSession)
  home.session('till', till)
  const page = await open(home.sessions)
  await expect(app(page).session(/Count the till/)).toBeVisible()
  await page.getByRole('button', { name: /Search sessions/ }).press('Enter')
  await expect(app(page).dialog.getByRole('option', { name: /Count the till/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.type('money')
  await expect(app(page).dialog.getByRole('option').first()).toHaveText(/Count the till/)
  await page.keyboard.press('Enter')
  await expect(app(page).dialog).toBeHidden()
  await expect(app(page).session(/Count the till/)).toHaveAttribute('aria-selected', 'true')
  await expect(app(page).entries).toBeFocused()
})

test('a command is found by its words and done', async ({ home, open }) => {
  home.session('shop', shopSession)
  const page = await open(home.sessions)
  await expect(app(page).entries).toBeVisible()
  await page.getByRole('button', { name: /Search sessions/ }).press('Enter')
  await page.keyboard.type('raw')
  await expect(app(page).dialog.getByRole('option').first()).toHaveText(/^Raw/)
  await page.keyboard.press('Enter')
  await expect(app(page).tab('Raw')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('filter sess')
  await page.keyboard.press('Enter')
  await expect(app(page).filter).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('settings')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
})

test('without an entry, only what needs none is offered; what is not found is said', async ({ open }) => {
  const page = await open()
  await expect(page.getByRole('button', { name: /sample/i })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(app(page).dialog.getByRole('option', { name: /Open a folder/ })).toBeVisible()
  await expect(app(page).dialog.getByRole('option', { name: /Branch/ })).toHaveCount(0)
  await page.keyboard.type('zebra')
  await expect(app(page).dialog.getByText(/No session and no command/)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sample')
  await page.keyboard.press('Enter')
  await expect(
    app(page)
      .session(/leaves/)
      .first()
  ).toBeVisible()
})

test('what is pressed before a dialog is drawn is pressed in it, and what is pressed after it comes after it', async ({
  context,
  home,
  open
}) => {
  // A window that is slow to draw: a frame takes half a second.
  await context.addInitScript(() => {
    const soon = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (draw) => Number(setTimeout(() => soon(draw), 500))
  })
  const page = await open(home.session('shop', shopSession))
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('raw')
  await expect(page.getByRole('combobox', { name: 'Search sessions and commands' })).toHaveValue('raw')
  await page.keyboard.press('Enter')
  await page.keyboard.press('2')
  await expect(app(page).transcript).toBeFocused()
  await page.keyboard.press('1')
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('l')
  await page.keyboard.type('works')
  await expect(app(page).dialog.getByRole('textbox', { name: 'Label' })).toHaveValue('works')
  await page.keyboard.press('Escape')
  await expect(app(page).entries).toBeFocused()
})
