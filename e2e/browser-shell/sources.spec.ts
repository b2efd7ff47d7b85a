import { createHash } from 'node:crypto'
import { cpSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'

/** sha256 of every file below a folder, by its path. */
function hashes(folder: string): Record<string, string> {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    paths.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')] as const)
  )
}

test('whatever is looked at, branched from and exported, no session file changes', async ({ home, open }) => {
  const folder = join(home.path, 'sessions')
  cpSync(resolve(import.meta.dirname, '../../resources/samples'), folder, { recursive: true })
  const before = hashes(folder)
  const page = await open(folder)
  const { sessions, entries, lines, dialog } = app(page)
  await expect(page.getByText('5 sessions indexed')).toBeVisible()
  await expect(page.getByText('watching 1 folder')).toBeVisible()

  let seen = 0
  let row: string | null = null
  await sessions.press('Home')
  for (;;) {
    const next = await sessions.getAttribute('aria-activedescendant')
    if (next === row) break
    row = next
    const item = page.locator(`[id="${row}"]`)
    if ((await item.getAttribute('aria-level')) !== '1') {
      seen++
      await sessions.press('Enter')
      await expect(item).toHaveAttribute('aria-selected', 'true')
      await expect(entries.or(page.getByText('This session has no entries').first())).toBeVisible()
      await app(page).tab('Raw').press('Enter')
      await expect(lines.or(page.getByText('The file is empty'))).toBeVisible()
      await app(page).tab('Tree').press('Enter')
    }
    if ((await item.getAttribute('aria-expanded')) === 'false') await sessions.press('ArrowRight')
    await sessions.press('ArrowDown')
  }
  expect(seen).toBe(5)

  await app(page).entry(/^You/).first().click()
  await entries.press('Shift+E')
  await pressInDialog(page, 'Download')
  await pressInDialog(page, 'Done')
  await entries.press('b')
  await dialog.getByRole('radio', { name: /Branch after/ }).press('Space')
  await pressInDialog(page, 'Write the branch')
  await pressInDialog(page, 'Done')
  await expect(dialog).toHaveCount(0)
  const after = hashes(folder)
  expect(after).toMatchObject(before)
  expect(Object.keys(after)).toHaveLength(Object.keys(before).length + 1)
})
