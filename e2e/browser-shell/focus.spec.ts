import { assistant, header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'

test('a folder that was opened by keyboard leaves the keyboard in its list', async ({ home, open }) => {
  home.write('work/a.jsonl', sessionFile([header({ id: 'first' }), user('Count the stock')]))
  home.write('work/b.jsonl', sessionFile([header({ id: 'second' }), user('Order more')]))
  const page = await open()
  await page.getByRole('button', { name: 'Open a folder…' }).press('Enter')
  await expect(app(page).dialog.getByRole('option', { name: 'work' })).toBeVisible()
  await app(page).dialog.getByRole('searchbox', { name: 'Filter folders' }).fill('work')
  await page.keyboard.press('Enter')
  await expect(app(page).dialog).toContainText(`${home.path}/work`)
  await app(page).dialog.getByRole('button', { name: 'Open this folder' }).press('Enter')
  await expect(app(page).sessions).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(app(page).entries).toBeFocused()
})

test('in Raw the row of a line that is shown whole stays in view', async ({ home, open }) => {
  const turns = Array.from({ length: 40 }, (_, turn) => [user(`Question ${turn}`), assistant(`Answer ${turn}`)])
  const page = await open(home.session('long', sessionFile([header(), ...turns.flat()])))
  await expect(app(page).entry(/Answer 39/)).toBeVisible()
  await page.keyboard.press('2')
  await expect(app(page).lines).toBeFocused()
  await expect(app(page).line(/Answer 39/)).toBeInViewport()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Hide' })).toBeVisible()
  await expect(app(page).line(/Answer 39/)).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Hide' })).toBeFocused()
})
