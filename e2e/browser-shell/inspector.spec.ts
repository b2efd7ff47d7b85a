import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

test('the inspector shows the chosen entry: texts, thinking, calls, id and line', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/I look at the shop first/)
    .click()
  const { inspector } = app(page)
  await expect(inspector).toContainText('I look at the shop first.')
  await expect(inspector).toContainText('shop.ts')
  await expect(inspector).toContainText('look · line 3')
  await expectAccessible(page)
})

test('the inspector leads to the raw line of the entry', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/They are blue/)
    .click()
  await app(page).inspector.getByRole('button', { name: 'Raw' }).press('Enter')
  await expect(app(page).line('blue-done').first()).toBeVisible()
})
