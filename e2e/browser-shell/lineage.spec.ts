import { expectAccessible } from '#e2e/support/axe.ts'
import { header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

const fork = (id: string, parentSession: string, text: string) =>
  sessionFile([header({ id, parentSession }), user(text)])

test('forks are folded under what they come from, with their number, and open by the keyboard', async ({
  home,
  open
}) => {
  const file = home.session('shop', shopSession)
  const first = home.session('first', fork('first', file, 'Try it in red'))
  home.session('deeper', fork('deeper', first, 'Try it in crimson'))
  const page = await open(home.sessions)
  const parent = app(page).session(/Add a checkout page/)
  await expect(parent).toContainText('1 fork')
  await expect(parent).toHaveAttribute('aria-expanded', 'false')
  await expect(app(page).session(/Try it in red/)).toHaveCount(0)
  await expectAccessible(page)

  await app(page).sessions.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(parent).toHaveAttribute('aria-expanded', 'true')
  await expect(app(page).session(/Try it in red/)).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(app(page).session(/Try it in red/)).toHaveCount(0)

  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(app(page).session(/^shop/).first()).toHaveAttribute('aria-expanded', 'false')
  await expect(parent).toHaveCount(0)
})

test('a session that is chosen elsewhere is unfolded to', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const first = home.session('first', fork('first', file, 'Try it in red'))
  home.session('deeper', fork('deeper', first, 'Try it in crimson'))
  const page = await open(home.sessions)
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('crimson')
  await expect(app(page).dialog.getByRole('option').first()).toHaveText(/crimson/)
  await page.keyboard.press('Enter')
  await expect(app(page).session(/Try it in crimson/)).toHaveAttribute('aria-selected', 'true')
  await expect(app(page).session(/Try it in crimson/)).toHaveAttribute('aria-level', '4')
})

test('a chosen session stays seen when what it comes from is found after it', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  home.session('deeper', fork('deeper', `${home.sessions}/--home-me-shop--/late.jsonl`, 'Try it in crimson'))
  const page = await open(home.sessions)
  const chosen = app(page).session(/Try it in crimson/)
  await expect(chosen).toHaveAttribute('aria-level', '2')
  await chosen.click()
  home.session('late', fork('late', file, 'Try it in orange'))
  await expect(chosen).toHaveAttribute('aria-level', '4')
  await expect(chosen).toHaveAttribute('aria-selected', 'true')
})

test('the triangle folds without opening the session', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  home.session('first', fork('first', file, 'Try it in red'))
  const page = await open(home.sessions)
  const parent = app(page).session(/Add a checkout page/)
  await parent.locator('[aria-hidden="true"]').first().click()
  await expect(app(page).session(/Try it in red/)).toBeVisible()
  await expect(parent).toHaveAttribute('aria-selected', 'false')
})

test('what is wrong with a folder is counted in the header, which opens the list of it', async ({ home, open }) => {
  home.session('shop', shopSession)
  home.write(
    '.pi/agent/sessions/other/rollout-1.jsonl',
    '{"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"x"}}\n'
  )
  const page = await open(home.sessions)
  await page
    .getByRole('banner')
    .getByRole('button', { name: /1 fault/ })
    .press('Enter')
  await expect(page.getByRole('dialog', { name: 'Open folders' })).toContainText('Sessions of codex lie in this folder')
  await expectAccessible(page)
})
