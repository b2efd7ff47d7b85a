import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

test.beforeEach(({ home }) => {
  home.session('shop', shopSession)
})

test('the keyboard opens a session and its tree shows every branch', async ({ home, open }) => {
  const page = await open(home.sessions)
  await app(page)
    .session(/Add a checkout page/)
    .waitFor()
  await app(page).sessions.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(app(page).entry(/^You Add a checkout page/)).toBeVisible()
  await expect(app(page).entry(/leaf 1 of 2/)).toBeVisible()
  await expect(app(page).entry(/leaf 2 of 2 They are green/)).toBeVisible()
  await expect(app(page).entry(/works The page is there.*branch point/)).toBeVisible()
  await expectAccessible(page)
})

test('arrow keys move by row, along the path, between siblings and to branch points', async ({ home, open }) => {
  const page = await open(`${home.sessions}/--home-me-shop--/shop.jsonl`)
  await expect(app(page).chosenEntry).toHaveAccessibleName(/They are green/)
  await app(page).entries.focus()
  await page.keyboard.press('Home')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/Add a checkout page/)
  await page.keyboard.press('ArrowDown')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/I look at the shop first/)
  await page.keyboard.press(']')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/The page is there/)
  await page.keyboard.press('End')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/buttons green/)
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/buttons blue/)
})

test('choosing a leaf makes its path the current one', async ({ home, open }) => {
  const page = await open(`${home.sessions}/--home-me-shop--/shop.jsonl`)
  await expect(app(page).entry(/They are blue.*not on the current path/)).toBeVisible()
  await page.getByRole('button', { name: '2 leaves' }).press('Enter')
  await page.getByRole('button', { name: /buttons blue/ }).press('Enter')
  await expect(app(page).entry(/They are green.*not on the current path/)).toBeVisible()
  await expect(app(page).entry(/They are blue(?!.*not on the current path)/)).toBeVisible()
})

test('filters leave out tools, or all but what the person wrote', async ({ home, open }) => {
  const page = await open(`${home.sessions}/--home-me-shop--/shop.jsonl`)
  await expect(app(page).entry(/^read shop.ts/)).toBeVisible()
  await page.getByRole('radio', { name: 'Without tools' }).press('Space')
  await expect(app(page).entry(/^read shop.ts/)).toBeHidden()
  await page.getByRole('radio', { name: 'Only mine' }).press('Space')
  await expect(app(page).entry(/The page is there/)).toBeHidden()
  await expect(app(page).entry(/buttons blue/)).toBeVisible()
})
