import { expectAccessible } from '#e2e/support/axe.ts'
import { header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

test('every line of the file is there with its place', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page).tab('Raw').press('Enter')
  await expect(app(page).line('"type":"session"')).toContainText('header')
  await expect(app(page).line('Make the buttons green')).toContainText('9')
  await expectAccessible(page)
})

test('a fault leads to its line', async ({ home, open }) => {
  const [first = '', second = ''] = sessionFile([header(), user('Hello there')]).split('\n')
  const page = await open(home.session('broken', `${first}\n${second}\n{"type":"message","id":\n`))
  await page.getByRole('button', { name: '1 fault' }).press('Enter')
  await page.getByRole('button', { name: /line 3/ }).press('Enter')
  await expect(app(page).line('{"type":"message","id":').last()).toBeVisible()
  await app(page).tab('Tree').press('Enter')
  await expect(app(page).entry(/Hello there/)).toBeVisible()
})
