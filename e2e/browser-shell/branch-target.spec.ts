import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

test('a branch goes into another folder, chosen by the keyboard', async ({ home, open }) => {
  home.session('shop', shopSession)
  const target = join(home.path, 'elsewhere')
  mkdirSync(target)
  const page = await open(home.sessions)
  await app(page)
    .entry(/They are blue/)
    .click()
  await expect(app(page).inspector).toContainText('They are blue')
  await app(page).entries.focus()
  await page.keyboard.press('b')
  await pressInDialog(page, /Choose another folder/)
  const folders = app(page).dialog.getByRole('listbox', { name: 'Folders' })
  await expect(folders.getByRole('option', { name: 'elsewhere' })).toBeVisible()
  await app(page).dialog.getByRole('searchbox', { name: 'Filter folders' }).fill('else')
  await page.keyboard.press('Enter')
  await expect(app(page).dialog.getByText(target, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await pressInDialog(page, 'Write into this folder')
  await expect(app(page).dialog.getByText(`${target}/`).first()).toBeVisible()
  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialog).toContainText('The branch is written')
  expect(readdirSync(target)).toHaveLength(1)
})
