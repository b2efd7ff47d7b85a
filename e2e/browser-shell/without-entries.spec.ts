import { truncateSync } from 'node:fs'
import { assistant, header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'

test('every view of a session without entries says so, and none goes on looking', async ({ home, open }) => {
  const page = await open(home.session('bare', sessionFile([header()])))
  for (const tab of ['Transcript', 'Context', 'Compactions', 'Tokens and cache', 'Tree']) {
    await page.getByRole('tab', { name: tab }).click()
    const panel = page.getByRole('tabpanel', { name: tab })
    await expect(panel.getByText('This session has no entries')).toBeVisible()
    await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0)
  }
})

test('a session that loses its entries loses the bars of their requests', async ({ home, open }) => {
  const head = sessionFile([header()])
  const path = home.session('cut', head + sessionFile([user('Count the stock'), assistant('It is counted.')]))
  const page = await open(path)
  await expect(app(page).entry(/It is counted/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Prompt per request' })).toBeVisible()
  truncateSync(path, Buffer.byteLength(head))
  await expect(page.getByText('This session has no entries').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Prompt per request' })).toHaveCount(0)
})
