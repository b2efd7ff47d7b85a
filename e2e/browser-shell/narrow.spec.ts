import { dirname } from 'node:path'
import type { Locator } from '@playwright/test'
import { assistant, compaction, header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'

const broken = '{"broken":\n'
const session = sessionFile([
  header(),
  user('Count the stock', { id: 'ask' }),
  assistant('It is counted.', { id: 'done' }),
  compaction('The stock was counted.', 'ask', { id: 'shorter' }),
  user('مرحبا بالعالم، أصلح الخطأ في ملف الإعدادات الرئيسي من فضلك ثم أعد تشغيل الخادم', {
    id: 'again',
    parent: 'shorter'
  }),
  user('Count it once more', { id: 'more', parent: 'shorter' })
])

const isCut = (part: Locator) => part.evaluate((element) => element.scrollWidth > element.clientWidth)

test('in a window that becomes narrow nothing that is short is cut', async ({ home, open }) => {
  const page = await open(home.session('stock', session + broken.repeat(1200)))
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(app(page).entry(/Count it once more/)).toBeVisible()
  // The last to come of what stands beside the buttons.
  await expect(app(page).tab('Compactions')).toHaveText('Compactions 1')
  await page.setViewportSize({ width: 1000, height: 700 })

  const main = page.getByRole('main')
  const side = (await main.boundingBox())!
  for (const name of ['1,200 faults', '2 leaves', 'Copy path', 'Export']) {
    const button = (await main.getByRole('button', { name, exact: true }).boundingBox())!
    expect(button.x + button.width, name).toBeLessThanOrEqual(side.x + side.width)
  }
  expect(await isCut(app(page).entries.getByText('Compaction', { exact: true }))).toBe(false)
  const tabs = await main.getByRole('tab').all()
  const tops = await Promise.all(tabs.map(async (tab) => (await tab.boundingBox())?.y))
  expect(new Set(tops).size).toBe(1)
  await app(page).tab('Context').click()
  expect(await isCut(app(page).context.getByText('Compaction', { exact: true }))).toBe(false)
})

test('the numbers of a session are shown whole or not at all', async ({ home, open }) => {
  const page = await open(home.session('stock', session + broken))
  const row = app(page).session(/Count the stock/)
  const tokens = row.getByText(/^2\.3k/)
  await expect(tokens).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 700, height: 700 })
  await expect(row.getByText('1 fault')).toBeInViewport({ ratio: 1 })
  await expect(tokens).not.toBeInViewport()
})

test('where there is room for little, the library tells what is wrong', async ({ home, open }) => {
  const folder = home.write('.bash-agent/projects/-home-me-notes/20260203-101500-aa01/conversation.jsonl', broken)
  home.write('.bash-agent/projects/-home-me-notes/20260203-101500-aa01/events.jsonl', '')
  const page = await open(dirname(folder))
  await page.setViewportSize({ width: 1000, height: 700 })
  const row = app(page).sessions.getByRole('treeitem', { name: /shell agent/ })
  await expect(row.getByText('1 fault')).toBeInViewport({ ratio: 1 })
})

test('what the tree shows is on one line with the path, however long the session', async ({ home, open }) => {
  const chain = (name: string, length: number) =>
    Array.from({ length }, (_, at) => user('On', { id: `${name}-${at}`, ...(at === 0 ? { parent: 'ask' } : {}) }))
  const side = (leaf: number) => chain(`side${leaf}`, 267)
  const sides = Array.from({ length: 33 }, (_, leaf) => side(leaf))
  const page = await open(
    home.session(
      'many',
      sessionFile([
        header(),
        user('Count the stock', { id: 'ask' }),
        ...sides.slice(0, 11).flat(),
        ...chain('main', 1233),
        ...sides.slice(11).flat()
      ])
    )
  )
  await page.getByRole('button', { name: '34 leaves' }).press('Enter')
  await page.getByRole('button', { name: /^leaf 12 / }).press('Enter')
  const path = page.getByRole('main').getByRole('status')
  await expect(path).toHaveText('Path of leaf 12 of 34 · 1,234 of 10,045 entries')
  const filters = page.getByRole('radiogroup', { name: 'Entries shown' })
  const fold = page.getByRole('button', { name: 'Fold linear parts' })
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(app(page).inspector).toBeVisible()
    const boxes = [await filters.boundingBox(), await fold.boundingBox(), await path.boundingBox()]
    const middles = boxes.map((box) => Math.round(box!.y + box!.height / 2))
    expect(Math.max(...middles) - Math.min(...middles), `${width} pixels`).toBeLessThanOrEqual(1)
  }
})

test('text that is written from the right begins at the right', async ({ home, open }) => {
  const page = await open(home.session('stock', session))
  const text = app(page).entries.getByText(/^مرحبا/)
  await expect(text).toHaveCSS('direction', 'rtl')
  await expect(app(page).entries.getByText('It is counted.')).toHaveCSS('direction', 'ltr')
  await text.click()
  await app(page).tab('Transcript').press('Enter')
  await expect(app(page).transcript.getByText(/^مرحبا/)).toHaveCSS('direction', 'rtl')
  await app(page).tab('Context').press('Enter')
  await expect(app(page).context.getByText(/^مرحبا/)).toHaveCSS('direction', 'rtl')
})
