import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

for (const { scheme, color } of [
  { scheme: 'light', color: 'rgb(251, 251, 250)' },
  { scheme: 'dark', color: 'rgb(22, 23, 21)' }
] as const) {
  test(`every view is readable in the ${scheme} theme`, async ({ home, open }) => {
    home.session('shop', `${shopSession}{"torn\n`)
    const page = await open()
    await page.emulateMedia({ colorScheme: scheme })
    await expect.poll(() => ground(page)).toBe(color)
    await expect(page.getByRole('button', { name: /sample/i })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: home.sessions }).press('Enter')
    await app(page)
      .session(/Add a checkout page/)
      .click()
    await expect(app(page).entry(/They are green/)).toBeVisible()
    await expect(app(page).inspector).toBeVisible()
    await expectAccessible(page)
    await app(page).entries.focus()
    await page.keyboard.press('6')
    await expect(app(page).line('Make the buttons green')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('b')
    await expect(app(page).dialog.getByRole('button', { name: 'Write the branch' })).toBeEnabled()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(app(page).dialog).toHaveCount(0)
    await page.keyboard.press('Shift+E')
    await expect(app(page).dialog.getByRole('button', { name: 'Download' })).toBeEnabled()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(app(page).dialog).toHaveCount(0)
    await page.keyboard.press('Control+o')
    await expect(app(page).dialog.getByRole('option').first()).toBeVisible()
    await expectAccessible(page)
  })
}

test('the theme follows the system while the window is open', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => ground(page)).toBe('rgb(251, 251, 250)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => ground(page)).toBe('rgb(22, 23, 21)')
})

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 1000, height: 700 }
]) {
  test(`nothing lies outside of a window of ${width} by ${height}`, async ({ home, open }) => {
    const page = await open(home.session('shop', shopSession))
    await page.setViewportSize({ width, height })
    await expect(app(page).inspector).toBeVisible()
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, [role="tree"], [role="tab"]')].flatMap((element) => {
        const { left, right, width: wide } = element.getBoundingClientRect()
        return wide > 2 && (left < 0 || right > innerWidth) ? [element.textContent ?? element.tagName] : []
      })
    )
    expect(outside).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })
}

test('the widths of the panes are moved by the keyboard and remembered', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  const splitter = page.getByRole('separator', { name: 'Width of the library' })
  const before = Number(await splitter.getAttribute('aria-valuenow'))
  await splitter.press('ArrowRight')
  await expect(splitter).toHaveAttribute('aria-valuenow', String(before + 16))
  await page.reload()
  await expect(splitter).toHaveAttribute('aria-valuenow', String(before + 16))
})
