import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

/** Presses Download in the dialog and gives what arrived. */
async function downloaded(page: Page): Promise<string> {
  const arriving = page.waitForEvent('download')
  await pressInDialog(page, 'Download')
  return readFileSync(await (await arriving).path(), 'utf8')
}

test('the whole file is exported byte for byte', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/They are green/)
    .waitFor()
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  await expect(app(page).dialog).toContainText('9 entries')
  await expectAccessible(page)
  expect(await downloaded(page)).toBe(shopSession)
  await expect(app(page).dialog).toContainText('The export is written')
  await expect(app(page).dialog).toContainText(sha256(shopSession))
  await expectAccessible(page)
})

test('a path is exported as its lines, in the order of the file', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/They are blue/)
    .click()
  await expect(app(page).inspector).toContainText('They are blue')
  await app(page).entries.focus()
  await page.keyboard.press('e')
  await expect(app(page).dialog.getByRole('radio', { name: /This path/ })).toBeChecked()
  const lines = shopSession.split('\n').slice(0, 7)
  const path = `${lines.join('\n')}\n`
  expect(await downloaded(page)).toBe(path)
  await expect(app(page).dialog).toContainText(sha256(path))
  await expect(app(page).dialog).toContainText(`${Buffer.byteLength(path).toLocaleString('en')} bytes, 6 entries`)
})

test('likely secrets are told before anything is written', async ({ home, open }) => {
  const key = `sk-ant-api03-${'a1B2'.repeat(24)}`
  const page = await open(home.session('shop', shopSession.replace('export const shop = 1', key)))
  await app(page)
    .entry(/They are green/)
    .waitFor()
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  await expect(app(page).dialog).toContainText('They stay in the export as they are')
})

test('an export into a folder of the machine takes the picker and never overwrites', async ({ home, open }) => {
  home.write('exports/taken.jsonl', 'mine')
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/They are green/)
    .waitFor()
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  await app(page)
    .dialog.getByRole('radio', { name: /A folder on the machine/ })
    .press('Space')
  await app(page).dialog.getByRole('searchbox', { name: 'Filter folders' }).fill('exports')
  await app(page).dialog.getByRole('searchbox', { name: 'Filter folders' }).press('Enter')
  await expect(app(page).dialog.getByText('No folders in here')).toBeVisible()
  await app(page).dialog.getByLabel('File name').fill('taken.jsonl')
  await pressInDialog(page, 'Export into this folder')
  await expect(app(page).dialog).toContainText('There is such a file already')
  await app(page).dialog.getByLabel('File name').fill('free.jsonl')
  await pressInDialog(page, 'Export into this folder')
  await expect(app(page).dialog).toContainText('The export is written')
  expect(readFileSync(`${home.path}/exports/free.jsonl`, 'utf8')).toBe(shopSession)
  expect(readFileSync(`${home.path}/exports/taken.jsonl`, 'utf8')).toBe('mine')
})

test('bytes that are no text, and a last line without an end, are exported as they are', async ({ home, open }) => {
  const torn = Buffer.concat([
    Buffer.from(shopSession),
    Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
    Buffer.from('{"type":"mess')
  ])
  const page = await open(home.session('torn', torn))
  await app(page)
    .entry(/They are green/)
    .waitFor()
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  const arriving = page.waitForEvent('download')
  await pressInDialog(page, 'Download')
  expect(readFileSync(await (await arriving).path()).equals(torn)).toBe(true)
  await pressInDialog(page, 'Done')
  await expect(app(page).entries).toBeFocused()
})
