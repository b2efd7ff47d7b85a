import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { assistant, header, label, sessionFile, toolResult, user } from '#e2e/support/build-session.ts'
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
  await expect(app(page).dialog.getByRole('option', { name: 'exports' })).toBeVisible()
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

/** Chooses by the keyboard. */
const chooseInDialog = (page: Page, name: RegExp) => app(page).dialog.getByRole('radio', { name }).press('Space')

test('the form is chosen, with its size and name, and what is exported is that', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/They are blue/)
    .click()
  await expect(app(page).inspector).toContainText('They are blue')
  await app(page).entries.focus()
  await page.keyboard.press('e')
  await chooseInDialog(page, /^Markdown/)
  await expect(app(page).dialog.getByLabel('File name')).toHaveValue('shop-blue-done.md')
  await expect(app(page).dialog).toContainText('6 entries, the path to blue-done')
  await expectAccessible(page)
  await chooseInDialog(page, /^The default path/)
  await expect(app(page).dialog.getByLabel('File name')).toHaveValue('shop.md')
  await expect(app(page).dialog).toContainText('the path to green-done')
  const text = await downloaded(page)
  expect(text).toContain('\n> They are green.\n')
  expect(text).not.toContain('They are blue.')
})

test('likely secrets are redacted where asked, and the copy is not taken for a session', async ({ home, open }) => {
  const key = `sk-ant-api03-${'a1B2'.repeat(24)}`
  const page = await open(home.session('shop', shopSession.replace('export const shop = 1', key)))
  await app(page)
    .entry(/They are green/)
    .waitFor()
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  await chooseInDialog(page, /^Redact likely secrets/)
  await expect(app(page).dialog).toContainText('Anthropic key: 1. Each is replaced.')
  await expect(app(page).dialog).toContainText('No agent can resume such a copy')
  await expect(app(page).dialog.getByLabel('File name')).toHaveValue('shop.redacted.jsonl')
  await expectAccessible(page)
  expect(await downloaded(page)).toBe(shopSession.replace('export const shop = 1', '[redacted: Anthropic key]'))
  await expect(app(page).dialog).toContainText('1 likely secret; not a session to resume')
})

const hostile = [
  '<script>document.title = "taken"; fetch("http://127.0.0.1:9/script")</script>',
  '<img src="http://127.0.0.1:9/image" onerror="document.title = \'taken\'">',
  '</pre></details></article></main><h2>Turn 99</h2><style>body { display: none }</style>',
  '<a href="javascript:document.title=1" style="position:fixed;inset:0">everything</a>',
  '"><svg onload="document.title = 1">',
  '<meta http-equiv="refresh" content="0; url=http://127.0.0.1:9/meta"><base href="http://127.0.0.1:9/">'
].join('\n')

test('a page of a hostile session shows text, runs nothing and asks for nothing', async ({ home, open, context }) => {
  const page = await open(
    home.session(
      'hostile',
      sessionFile([
        header({ cwd: hostile, title: hostile }),
        user(hostile, { id: hostile }),
        assistant(hostile, {
          thinking: hostile,
          calls: [{ id: hostile, name: hostile, arguments: { [hostile]: hostile } }]
        }),
        toolResult(hostile, hostile, hostile),
        {
          type: 'message',
          message: { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: onePixel }] }
        },
        { type: 'message', message: { role: 'user', content: [{ type: 'image', mimeType: hostile, data: onePixel }] } },
        label(hostile, hostile)
      ])
    )
  )
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  await chooseInDialog(page, /^HTML/)
  await expect(app(page).dialog.getByLabel('File name')).toHaveValue('hostile.html')
  const file = home.write('exported.html', await downloaded(page))

  const reader = await context.newPage()
  const asked: string[] = []
  reader.on('request', (request) => asked.push(request.url()))
  const refused: string[] = []
  reader.on('console', (message) => refused.push(message.text()))
  await reader.goto(`file://${file}`)
  await expect(reader.locator('article')).toHaveCount(6)
  for (const folded of await reader.locator('summary').all()) await folded.click()
  await expect(reader.locator('pre').first()).toHaveText(hostile)
  await expect(reader.locator('script, iframe, a, svg, link, base, form, [onerror], [onload], [style]')).toHaveCount(0)
  await expect(reader.locator('h2')).toHaveText(['Turn 1', 'Turn 2', 'Turn 3'])
  await expect(reader.locator('style')).toHaveCount(1)
  expect(
    await reader.locator('img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth))
  ).toEqual([1])
  expect(await reader.locator('main').evaluate((main) => getComputedStyle(main).maxWidth)).toBe('960px')
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`file://${file}`])
  expect(refused).toEqual([])
  for (const colorScheme of ['light', 'dark'] as const) {
    await reader.emulateMedia({ colorScheme })
    await expectAccessible(reader)
  }
  await expect(reader.addScriptTag({ content: 'document.title = "taken"' })).rejects.toThrow('Content Security Policy')
  await expect(reader).not.toHaveTitle('taken')
})

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
