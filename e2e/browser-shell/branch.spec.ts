import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Texts of the messages of a session file, read without any code of ours. */
function textsOf(file: string): string[] {
  const objects = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { message?: { content: { text?: string }[] } })
  return objects
    .flatMap(({ message }) => message?.content.map(({ text }) => text ?? '') ?? [])
    .filter((text) => text !== '')
}

/** The only session file beside this one. */
function fileBeside(file: string): string {
  const others = readdirSync(dirname(file))
    .map((name) => `${dirname(file)}/${name}`)
    .filter((path) => path !== file)
  expect(others).toHaveLength(1)
  return others[0]!
}

async function choose(page: Page, text: RegExp): Promise<void> {
  await app(page).entry(text).click()
  await expect(app(page).inspector).toContainText(text)
  await app(page).entries.focus()
}

test('a branch after an answer holds the path to it and leaves the source as it was', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const before = sha256(file)
  const page = await open(file)
  await choose(page, /The page is there/)
  await page.keyboard.press('b')
  await expect(app(page).dialog).toContainText('Branch from here')
  await expect(app(page).dialog.getByRole('button', { name: 'Write the branch' })).toBeEnabled()
  await expectAccessible(page)
  expect(readdirSync(dirname(file))).toEqual(['shop.jsonl'])

  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialog).toContainText('The branch is written')
  await expectAccessible(page)
  const branch = fileBeside(file)
  expect(textsOf(branch)).toEqual([
    'Add a checkout page',
    'I look at the shop first.',
    'export const shop = 1',
    'The page is there.'
  ])
  expect(sha256(file)).toBe(before)
  await expect(app(page).dialog).toContainText(/pi --session|pi /)

  await page.keyboard.press('Escape')
  await expect(app(page).entry(/The page is there/)).toBeVisible()
  await expect(app(page).entry(/They are green/)).toHaveCount(0)
})

test('at a message of the person the branch ends before it, and its text is there to be sent changed', async ({
  home,
  open,
  context
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const file = home.session('shop', shopSession)
  const page = await open(file)
  await choose(page, /Make the buttons green/)
  await page.keyboard.press('b')
  await expect(app(page).dialog.getByRole('radio', { name: /Branch before this message/ })).toBeChecked()
  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialog).toContainText('Your message')
  expect(textsOf(fileBeside(file)).at(-1)).toBe('The page is there.')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Make the buttons green')
})

test('where the agent could not go on, the nearest points are offered', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(file)
  await choose(page, /I look at the shop first/)
  const button = app(page).inspector.getByRole('button', { name: 'Branch from here' })
  await expect(button).toHaveAccessibleDescription(/^No branch from here: /)
  await expect(button).toHaveCSS('border-style', 'dashed')
  await expectAccessible(page)
  await page.keyboard.press('b')
  await expect(app(page).dialog).toContainText('The agent could not go on from here')
  await expect(app(page).dialog.getByRole('listitem').first().getByRole('button')).toBeFocused()
  await app(page)
    .dialog.getByRole('button', { name: /seen|export const shop/ })
    .press('Enter')
  await expect(app(page).dialog.getByRole('button', { name: 'Write the branch' })).toBeEnabled()
  expect(readdirSync(dirname(file))).toEqual(['shop.jsonl'])
})

test('a branch can be moved to the trash from where it was written', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(file)
  await choose(page, /The page is there/)
  await page.keyboard.press('b')
  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialog).toContainText('The branch is written')
  const branch = fileBeside(file)
  const written = sha256(branch)
  await pressInDialog(page, 'Move to trash')
  await expect.poll(() => existsSync(branch)).toBe(false)
  const trash = join(home.path, '.local/share/Trash/files')
  expect(readdirSync(trash).map((name) => sha256(join(trash, name)))).toEqual([written])
  await expect(app(page).entry(/They are green/)).toBeVisible()
})

test('a branch in this session is one entry at its end, once the person says that no agent has it open', async ({
  home,
  open
}) => {
  const file = home.session('shop', shopSession)
  const before = readFileSync(file)
  const page = await open(file)
  await choose(page, /The page is there/)
  await page.keyboard.press('b')
  await app(page)
    .dialog.getByRole('radio', { name: /In this session/ })
    .check()
  await expect(app(page).dialog).toContainText('Nothing that is in the file changes')
  const write = app(page).dialog.getByRole('button', { name: 'Write the branch' })
  await expect(write).toBeDisabled()
  await app(page)
    .dialog.getByRole('checkbox', { name: /No agent has this session open/ })
    .check()
  await app(page).dialog.getByRole('textbox').fill('Blue and green were tried')
  await page.keyboard.press('Tab')
  await expect(app(page).dialog.getByRole('listitem').last()).toContainText('Blue and green were tried')
  await app(page).dialog.locator('summary').press('Enter')
  await expect(app(page).dialog.getByText('"type":"branch_summary"')).toContainText('Blue and green were tried')
  await expect(write).toBeEnabled()
  await expectAccessible(page)
  expect(readFileSync(file).equals(before)).toBe(true)

  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialog).toContainText('The branch is written')
  const after = readFileSync(file)
  expect(after.subarray(0, before.length).equals(before)).toBe(true)
  expect(JSON.parse(after.subarray(before.length).toString())).toMatchObject({
    type: 'branch_summary',
    parentId: 'done',
    fromId: 'green-done',
    summary: 'Blue and green were tried'
  })
  expect(readdirSync(dirname(file))).toEqual(['shop.jsonl'])
  await page.keyboard.press('Escape')
  await expect(app(page).inspector).toContainText('Blue and green were tried')
})

test('a file of the first version is branched into a new file of the third, by keyboard alone, and says why', async ({
  home,
  open
}) => {
  const said = (role: string, text: string, more: object = {}) => ({
    type: 'message',
    timestamp: '2026-03-01T10:00:00.000Z',
    message: { role, content: [{ type: 'text', text }], ...more }
  })
  const answer = { api: 'messages', provider: 'acme', model: 'large-1', stopReason: 'stop' }
  const file = home.session(
    'first-version',
    [
      { type: 'session', id: 'first', timestamp: '2026-03-01T10:00:00.000Z', cwd: "/home/me/the shop's" },
      said('user', 'Add a page'),
      said('assistant', 'It is there.', answer),
      said('user', 'Now another')
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  )
  const before = sha256(file)
  const page = await open(file)
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/It is there/)
  await page.keyboard.press('l')
  await expect(app(page).dialog).toContainText('This entry cannot be labelled')
  await page.keyboard.press('Escape')
  await page.keyboard.press('b')
  await expect(app(page).dialog).toContainText('In this session it cannot be: The file is of the first version')
  await expect(app(page).dialog.getByRole('radio')).toHaveCount(0)
  const write = app(page).dialog.getByRole('button', { name: 'Write the branch' })
  await expect(write).toBeEnabled()
  await expectAccessible(page)
  while (!(await write.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(app(page).dialog).toContainText('The branch is written')
  const branch = fileBeside(file)
  await expect(app(page).dialog).toContainText(`cd '/home/me/the shop'\\''s' && pi --session ${branch}`)
  const [head, ...entries] = readFileSync(branch, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(head).toMatchObject({ type: 'session', version: 3, parentSession: file })
  expect(entries.map(({ parentId }) => parentId)).toEqual([null, entries[0]!['id']])
  expect(textsOf(branch)).toEqual(['Add a page', 'It is there.'])
  expect(sha256(file)).toBe(before)
  await page.keyboard.press('Escape')
  await expect(app(page).entries).toBeFocused()
})

test('while a program has the file open nothing is written into it', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const before = sha256(file)
  const page = await open(file)
  await choose(page, /The page is there/)
  const held = openSync(file, 'a')
  await page.keyboard.press('b')
  await app(page)
    .dialog.getByRole('radio', { name: /In this session/ })
    .check()
  await expect(app(page).dialog).toContainText('is open for writing')
  closeSync(held)
  await app(page).dialog.getByRole('button', { name: 'Preview again' }).press('Enter')
  await expect(app(page).dialog).toContainText('At the end of')
  expect(sha256(file)).toBe(before)
})

test('a fork holds the whole tree', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const before = sha256(file)
  const page = await open(file)
  await page.getByRole('button', { name: 'Fork', exact: true }).press('Enter')
  await expect(app(page).dialog).toContainText('Fork the whole session')
  await expectAccessible(page)
  await pressInDialog(page, 'Write the fork')
  await expect(app(page).dialog).toContainText('The fork is written')
  const fork = fileBeside(file)
  const lines = (path: string) => readFileSync(path, 'utf8').split('\n').slice(1)
  expect(lines(fork)).toEqual(lines(file))
  expect(sha256(file)).toBe(before)
  await page.keyboard.press('Escape')
  await expect(app(page).entry(/They are green/)).toBeVisible()
})

test('a label is written with the keyboard, changed and cleared', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const before = readFileSync(file)
  const page = await open(file)
  await choose(page, /They are green/)
  await page.keyboard.press('l')
  await app(page).dialog.getByRole('textbox', { name: 'Label' }).fill('the good one')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(app(page).dialog).toHaveCount(0)
  await expect(app(page).inspector).toContainText('the good one')
  const after = readFileSync(file)
  expect(after.subarray(0, before.length).equals(before)).toBe(true)
  expect(JSON.parse(after.subarray(before.length).toString())).toMatchObject({
    type: 'label',
    parentId: 'green-done',
    targetId: 'green-done',
    label: 'the good one'
  })
  await app(page).inspector.getByRole('button', { name: 'Label', exact: true }).press('Enter')
  await pressInDialog(page, 'Clear the label')
  await expect(app(page).inspector.locator('header')).not.toContainText('the good one')
})

test('what is written is what was shown, and reads as one path', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(file)
  await choose(page, /They are blue/)
  await page.keyboard.press('b')
  const { dialog } = app(page)
  await expect(dialog).toContainText('7 entries')
  await expect(dialog).toContainText('6 messages')
  await expect(dialog.getByRole('list').getByRole('listitem')).toHaveCount(6)
  await dialog.locator('summary').press('Enter')
  await expect(dialog.getByText('"id":"blue-done"')).toBeVisible()
  await pressInDialog(page, 'Write the branch')
  await expect(dialog).toContainText('unchanged')
  await expect(dialog).toContainText(sha256(file))

  const [head, ...entries] = readFileSync(fileBeside(file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(head).toMatchObject({ type: 'session', version: 3, cwd: '/home/me/shop', parentSession: file })
  expect(head!['id']).not.toBe('0199f000-0000-7000-8000-000000000001')
  const messages = entries.filter(({ type }) => type === 'message')
  expect(messages.map(({ id }) => id)).toEqual(['ask', 'look', 'seen', 'done', 'blue', 'blue-done'])
  entries.forEach(({ parentId }, index) => expect(parentId).toBe(index === 0 ? null : entries[index - 1]!['id']))
  const source = shopSession.split('\n').map((line) => JSON.parse(line || '{}') as Record<string, unknown>)
  for (const { id, message } of messages)
    expect(message).toEqual(source.find((entry) => entry['id'] === id)!['message'])

  await pressInDialog(page, 'Done')
  await expect(app(page).session(/Fork: /)).toHaveAttribute('aria-selected', 'true')
  await expect(app(page).entries).toBeFocused()
})

test('a source that is gone meanwhile is refused, and nothing is written', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(file)
  await choose(page, /The page is there/)
  await page.keyboard.press('b')
  await expect(app(page).dialog.getByRole('button', { name: 'Write the branch' })).toBeEnabled()
  await app(page).dialog.getByRole('button', { name: 'Write the branch' }).focus()
  rmSync(file)
  await page.keyboard.press('Enter')
  await expect(app(page).dialog).toContainText('The file is gone')
  expect(readdirSync(dirname(file))).toEqual([])
  await expectAccessible(page)
})

test('a branch that the agent has gone on with stays where it is', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(file)
  await choose(page, /The page is there/)
  await page.keyboard.press('b')
  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialog).toContainText('The branch is written')
  const branch = fileBeside(file)
  home.append(branch, '{"type":"message","id":"new","parentId":"done","message":{"role":"user","content":[]}}\n')
  await pressInDialog(page, 'Move to trash')
  await expect(app(page).dialog).toContainText('The file has changed')
  expect(textsOf(branch)).toContain('The page is there.')
  await expectAccessible(page)
})
