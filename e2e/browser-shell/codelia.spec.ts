import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { codeliaStore } from '#e2e/support/codelia-store.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Presses Download in the dialog and gives what arrived. */
async function downloaded(page: Page): Promise<Buffer> {
  const arriving = page.waitForEvent('download')
  await pressInDialog(page, 'Download')
  return readFileSync(await (await arriving).path())
}

/** Chooses the first entry of the tree's beginning that says this. */
async function choose(page: Page, text: RegExp): Promise<void> {
  await app(page)
    .entry(/And now the last test/)
    .first()
    .waitFor()
  await app(page).entries.focus()
  await page.keyboard.press('Home')
  // The rows of the end stay until the list is scrolled, and some say the same.
  await expect(app(page).entry(/And now the last test/)).toHaveCount(0)
  await app(page).entry(text).first().click()
  await app(page).entries.focus()
}

test('a session is one row in the library, and its runs one line in the tree that says what changed', async ({
  home,
  open
}) => {
  const store = codeliaStore(home)
  const before = readdirSync(store.root)
  const page = await open(store.root)
  await app(page)
    .session(/Why does the queue stall/)
    .first()
    .click()
  await expect(app(page).entry(/no end.*And now the last test/)).toBeVisible()
  await choose(page, /Fix it as in this picture/)
  await expect(app(page).chosenEntry).toHaveAccessibleName(/changed: model, folder, system prompt, tools/)
  await expect(app(page).inspector).toContainText('openai/gpt-5-mini → openai/gpt-5')
  await expect(app(page).inspector).toContainText('Run ended')
  await expectAccessible(page)
  expect(readdirSync(store.root)).toEqual(before)
})

test('an invocation shows exactly what was sent', async ({ home, open }) => {
  const store = codeliaStore(home)
  const page = await open(store.messages)
  await choose(page, /5 messages to openai\/gpt-5-mini/)
  await app(page).tab('Context').press('Enter')
  await expect(app(page).context.getByRole('article')).toHaveCount(5)
  await expect(app(page).context).toContainText('You help with queues.')
  await expect(app(page).context).toContainText('look at the lock')
  await expectAccessible(page)
})

test('a compaction shows what it left, by the request behind it', async ({ home, open }) => {
  const store = codeliaStore(home)
  const page = await open(store.messages)
  await app(page).tab('Compactions').press('Enter')
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('The lock of the queue leaked')
  await expect(page.getByRole('list', { name: 'What became of the messages' })).toHaveText(
    /kept 2.*summarised 7.*rewritten 1.*added 2/
  )
  await expectAccessible(page)
})

test('a branch is a new session that codelia resumes, and the sources stay as they are', async ({ home, open }) => {
  const store = codeliaStore(home)
  const hashes = store.runs.map(sha256)
  const page = await open(store.root)
  await app(page)
    .session(/Why does the queue stall/)
    .first()
    .click()
  await choose(page, /The lock at line 12 is not released/)
  await page.keyboard.press('b')
  await expect(app(page).dialog).toContainText('Branch from here')
  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialog).toContainText('The branch is written')
  await expect(app(page).dialog).toContainText(/codelia --resume [0-9a-f-]{36}/)
  await expectAccessible(page)
  expect(store.runs.map(sha256)).toEqual(hashes)
  const made = readdirSync(join(store.root, 'state')).find((name) => !name.startsWith('5b7e1c22'))
  expect(JSON.parse(readFileSync(join(store.root, 'state', made!), 'utf8')).messages).toHaveLength(5)
  await page.keyboard.press('Escape')
  await expect(app(page).entry(/The lock at line 12/)).toBeVisible()
  await expect(app(page).entries.getByRole('treeitem')).toHaveCount(5)
})

test('between a call and its result the nearest points are offered', async ({ home, open }) => {
  const page = await open(codeliaStore(home).runs[0])
  await app(page)
    .entry(/Assistant shell grep -n lock queue\.ts/)
    .click()
  await app(page).entries.focus()
  await expect(app(page).inspector).toContainText('No branch from here')
  await page.keyboard.press('b')
  await expect(app(page).dialog).toContainText('The agent could not go on from here')
})

test('a run is exported byte for byte', async ({ home, open }) => {
  const store = codeliaStore(home)
  const page = await open(store.runs[1])
  await expect(
    app(page)
      .entry(/One test still fails/)
      .first()
  ).toBeVisible()
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  expect((await downloaded(page)).equals(readFileSync(store.runs[1]))).toBe(true)
})

test('a run is exported from its session by its last entry', async ({ home, open }) => {
  const store = codeliaStore(home)
  const page = await open(store.messages)
  await choose(page, /Run ended: completed/)
  await expect(app(page).inspector).toContainText('run.end')
  await page.keyboard.press('e')
  expect((await downloaded(page)).equals(readFileSync(store.runs[0]))).toBe(true)
})

test('what codelia writes appears: records, runs of another day, the messages that it saves', async ({
  home,
  open
}) => {
  const store = codeliaStore(home)
  const page = await open(store.root)
  await app(page)
    .session(/Why does the queue stall/)
    .first()
    .click()
  await expect(app(page).entry(/no end.*And now the last test/)).toBeVisible()
  const run = { run_id: 'a1b2c3d4-0003-4000-8000-000000000003', ts: '2026-02-04T10:00:05.000Z' }
  store.append(3, { ...run, type: 'tool.output', tool: 'shell', tool_call_id: 'c4', result_raw: 'all green\n' })
  await expect(app(page).entry(/npm test -- last · 1 line/)).toBeVisible()
  store.append(3, { ...run, type: 'run.end', outcome: 'completed', final: 'done' })
  await expect(app(page).entry(/no end.*And now the last test/)).toHaveCount(0)
  store.addRun('2026/02/05', 'a1b2c3d4-0005-4000-8000-000000000005', 'A run of the next day')
  await expect(app(page).entry(/A run of the next day/)).toBeVisible()
  store.saveMessages({ role: 'user', content: 'Saved a moment ago' })
  await expect(app(page).entry(/Saved a moment ago/)).toBeVisible()
})
