import { expectAccessible } from '#e2e/support/axe.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { assistant, header, sessionFile, user } from '#e2e/support/build-session.ts'
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

test('keys move by row, along the path, between siblings and to branch points', async ({ home, open }) => {
  const page = await open(`${home.sessions}/--home-me-shop--/shop.jsonl`)
  await expect(app(page).chosenEntry).toHaveAccessibleName(/They are green/)
  await app(page).entries.focus()
  const walk: readonly (readonly [key: string, arrivesAt: RegExp])[] = [
    ['Home', /Add a checkout page/],
    ['ArrowUp', /Add a checkout page/],
    ['ArrowDown', /I look at the shop first/],
    ['ArrowRight', /^read shop.ts/],
    [']', /The page is there/],
    ['Alt+ArrowDown', /buttons green/],
    ['Alt+ArrowDown', /They are green/],
    ['Alt+ArrowUp', /buttons green/],
    ['Alt+ArrowLeft', /buttons blue/],
    ['Alt+ArrowRight', /buttons green/],
    ['ArrowLeft', /The page is there/],
    ['ArrowDown', /buttons blue/],
    ['[', /The page is there/],
    ['PageDown', /They are green/],
    ['PageUp', /Add a checkout page/],
    ['End', /They are green/],
    ['ArrowUp', /buttons green/]
  ]
  for (const [key, name] of walk) {
    await page.keyboard.press(key)
    await expect(app(page).chosenEntry, key).toHaveAccessibleName(name)
  }
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Content of the entry' })).toBeFocused()
})

test('Enter goes to what the entry says as soon as that is there, unless one has gone on', async ({
  context,
  home,
  open
}) => {
  const letGo = await holdBack(context, 'entry.detail', 1)
  const page = await open(`${home.sessions}/--home-me-shop--/shop.jsonl`)
  const { entries, inspector } = app(page)
  const content = page.getByRole('region', { name: 'Content of the entry' })
  await expect(inspector).toContainText('They are green')
  await expect(entries).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  letGo()
  await expect(inspector).toContainText('I look at the shop first')
  await expect(entries).toBeFocused()
  const again = await holdBack(context, 'entry.detail')
  await page.reload()
  await expect(entries).toBeFocused()
  await page.keyboard.press('Enter')
  again()
  await expect(content).toBeFocused()
  await expect(content).toContainText('They are green')
})

test('left folds what is below a branch point, and right unfolds it', async ({ home, open }) => {
  const page = await open(`${home.sessions}/--home-me-shop--/shop.jsonl`)
  await expect(app(page).chosenEntry).toHaveAccessibleName(/They are green/)
  await app(page).entries.focus()
  await page.keyboard.press('[')
  await page.keyboard.press('ArrowLeft')
  await expect(app(page).chosenEntry).toHaveAttribute('aria-expanded', 'false')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/5 entries folded/)
  await expect(app(page).entry(/They are/)).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('ArrowRight')
  await expect(app(page).chosenEntry).toHaveAttribute('aria-expanded', 'true')
  await expect(app(page).entry(/They are/)).toHaveCount(2)
})

test('a long linear part folds to one row', async ({ home, open }) => {
  const turns = Array.from({ length: 20 }, (_, turn) => [user(`Question ${turn}`), assistant(`Answer ${turn}`)])
  const page = await open(home.session('long', sessionFile([header(), ...turns.flat()])))
  await expect(app(page).entry(/Answer 19/)).toBeVisible()
  await page.getByRole('button', { name: 'Fold linear parts' }).press('Enter')
  await expect(app(page).entry(/38 entries/)).toBeVisible()
  await expect(app(page).entries.getByRole('treeitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Unfold all' }).press('Enter')
  await expect(app(page).entry(/Question 12/)).toBeVisible()
})

test('rows tell their level by branch points and their place among the rows beside them', async ({ home, open }) => {
  const page = await open(`${home.sessions}/--home-me-shop--/shop.jsonl`)
  const first = app(page).entry(/Add a checkout page/)
  await expect(first).toHaveAttribute('aria-level', '1')
  await expect(first).toHaveAttribute('aria-posinset', '1')
  await expect(first).toHaveAttribute('aria-setsize', '4')
  const branch = app(page).entry(/buttons green/)
  await expect(branch).toHaveAttribute('aria-level', '2')
  await expect(branch).toHaveAttribute('aria-setsize', '5')
})

test('the id of the entry is copied, and the keys are all told', async ({ home, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await open(`${home.sessions}/--home-me-shop--/shop.jsonl`)
  await expect(app(page).chosenEntry).toHaveAccessibleName(/They are green/)
  await app(page).entries.focus()
  await page.keyboard.press('c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('green-done')
  await page.keyboard.press('?')
  await expect(app(page).dialog).toContainText('Between branch points')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(app(page).dialog).toHaveCount(0)
  await expect(app(page).entries).toBeFocused()
})

test('every leaf is listed with why one is the default, and choosing one makes its path the current one', async ({
  home,
  open
}) => {
  const page = await open(`${home.sessions}/--home-me-shop--/shop.jsonl`)
  await expect(app(page).entry(/They are blue.*not on the current path/)).toBeVisible()
  await expect(page.getByText('Path of leaf 2 of 2 · 6 of 9 entries')).toBeVisible()
  await page.getByRole('button', { name: '2 leaves' }).press('Enter')
  const leaves = page.getByRole('button', { name: /^leaf \d/ })
  await expect(leaves).toHaveCount(2)
  await expect(leaves.nth(0)).toContainText(/leaf 1.*Make the buttons blue/)
  await expect(leaves.nth(1)).toContainText(/leaf 2.*Make the buttons green.*Current path.*the last entry of the file/)
  await expectAccessible(page)
  await leaves.nth(0).press('Enter')
  await expect(page.getByText('Path of leaf 1 of 2 · 7 of 9 entries')).toBeVisible()
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
  await page.getByRole('radio', { name: 'Labelled' }).press('Space')
  await expect(app(page).entries.getByRole('treeitem')).toHaveCount(1)
  await expect(app(page).entry(/works The page is there/)).toBeVisible()
})
