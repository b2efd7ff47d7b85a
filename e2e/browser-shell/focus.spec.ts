import { renameSync, rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { assistant, compaction, header, sessionFile, user } from '#e2e/support/build-session.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'

test('a folder that was opened by keyboard leaves the keyboard in its list', async ({ home, open }) => {
  home.write('work/a.jsonl', sessionFile([header({ id: 'first' }), user('Count the stock')]))
  home.write('work/b.jsonl', sessionFile([header({ id: 'second' }), user('Order more')]))
  const page = await open()
  await page.getByRole('button', { name: 'Open a folder…' }).press('Enter')
  await expect(app(page).dialog.getByRole('option', { name: 'work' })).toBeVisible()
  await app(page).dialog.getByRole('searchbox', { name: 'Filter folders' }).fill('work')
  await page.keyboard.press('Enter')
  await expect(app(page).dialog).toContainText(`${home.path}/work`)
  await app(page).dialog.getByRole('button', { name: 'Open this folder' }).press('Enter')
  await expect(app(page).dialog).toHaveCount(0)
  await expect(page.getByText('2 sessions indexed')).toBeVisible()
  await expect(app(page).sessions).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(app(page).entries).toBeFocused()
})

test('in Raw the row of a line that is shown whole stays in view', async ({ home, open }) => {
  const turns = Array.from({ length: 40 }, (_, turn) => [user(`Question ${turn}`), assistant(`Answer ${turn}`)])
  const page = await open(home.session('long', sessionFile([header(), ...turns.flat()])))
  await expect(app(page).entry(/Answer 39/)).toBeVisible()
  await page.keyboard.press('6')
  await expect(app(page).lines).toBeFocused()
  await expect(app(page).line(/Answer 39/)).toBeInViewport()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Hide' })).toBeVisible()
  // To the pixel: a list scrolls by whole ones, and is as high as it comes out.
  await expect(app(page).line(/Answer 39/)).toBeInViewport({ ratio: 0.97 })
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Hide' })).toBeFocused()
})

test('a leaf or a fault that was chosen by keyboard leaves the keyboard in the list that shows it', async ({
  home,
  open
}) => {
  const page = await open(
    home.session(
      'stock',
      `${sessionFile([header(), user('Count the stock', { id: 'ask' }), assistant('It is counted.')])}{"broken":\n${sessionFile([user('Order more', { id: 'more', parent: 'ask' })])}`
    )
  )
  await page.getByRole('button', { name: '2 leaves' }).press('Enter')
  await page.getByRole('button', { name: /leaf 1/ }).press('Enter')
  await expect(app(page).entries).toBeFocused()
  await expect(app(page).chosenEntry).toHaveAccessibleName(/It is counted/)
  await page.getByRole('button', { name: '1 fault' }).press('Enter')
  await page.getByRole('button', { name: /line 4/i }).press('Enter')
  await expect(app(page).lines).toBeFocused()
  await page.getByRole('button', { name: '2 leaves' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: '2 leaves' })).toBeFocused()
})

test('who goes on elsewhere before the window has drawn what was chosen keeps the keyboard there', async ({
  home,
  open
}) => {
  const page = await open(
    home.session(
      'stock',
      sessionFile([
        header(),
        user('Count the stock', { id: 'ask' }),
        assistant('It is counted.'),
        user('Order more', { id: 'more', parent: 'ask' })
      ])
    )
  )
  await expect(app(page).entries).toBeFocused()
  await page.getByRole('button', { name: '2 leaves' }).press('Enter')
  await expect(page.getByRole('button', { name: /leaf 2/ })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('button', { name: /leaf 1/ })).toBeFocused()
  await page.evaluate(() => {
    const draw = requestAnimationFrame
    const held: FrameRequestCallback[] = []
    const letGo = () => {
      window.requestAnimationFrame = draw
      for (const callback of held) draw(callback)
    }
    window.requestAnimationFrame = (callback) => held.push(callback)
    Object.assign(window, { letGo })
  })
  await page.keyboard.press('Enter')
  await app(page).filter.focus()
  await page.evaluate(async () => {
    ;(window as unknown as { readonly letGo: () => void }).letGo()
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame)
  })
  await expect(app(page).chosenEntry).toHaveAccessibleName(/It is counted/)
  await expect(app(page).filter).toBeFocused()
})

test('the last entry stays in view when the strip of its session comes in below the tree', async ({ home, open }) => {
  const turns = Array.from({ length: 40 }, (_, turn) => [user(`Question ${turn}`), assistant(`Answer ${turn}`)])
  const page = await open(home.session('long', sessionFile([header(), ...turns.flat()])))
  const last = app(page).entry(/Answer 39/)
  const strip = page.getByRole('region', { name: 'Prompt per request' })
  await expect(strip).toBeVisible()
  await expect(last).toBeInViewport({ ratio: 0.97 })
  await page.setViewportSize({ width: 1200, height: 500 })
  await expect(last).toBeInViewport({ ratio: 0.97 })
  await page.keyboard.press('b')
  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialog).toContainText('The branch is written')
  await page.keyboard.press('Escape')
  await expect(app(page).chosenEntry).toBeInViewport({ ratio: 0.97 })
})

test('the list of leaves begins at the current one, and arrow keys move in it', async ({ home, open }) => {
  const page = await open(
    home.session(
      'stock',
      sessionFile([
        header(),
        user('Count the stock', { id: 'ask' }),
        assistant('It is counted.'),
        user('Order more', { id: 'more', parent: 'ask' }),
        user('Order less', { id: 'less', parent: 'ask' })
      ])
    )
  )
  await expect(app(page).entries).toBeFocused()
  await page.getByRole('button', { name: '3 leaves' }).press('Enter')
  await expect(page.getByRole('button', { name: /leaf 3/ })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('button', { name: /leaf 1/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(app(page).entries).toBeFocused()
  await expect(app(page).chosenEntry).toHaveAccessibleName(/Order more/)
})

test('the keys of the window work from a choice by radio buttons too, and Enter goes on from one in a dialog', async ({
  home,
  open
}) => {
  const page = await open(
    home.session('stock', sessionFile([header(), user('Count the stock'), assistant('It is counted.')]))
  )
  await expect(app(page).entry(/It is counted/)).toBeVisible()
  await page.getByRole('radio', { name: 'Conversation' }).press('Space')
  await page.keyboard.press('e')
  await expect(app(page).dialog.getByRole('button', { name: 'Download' })).toBeEnabled()
  await app(page)
    .dialog.getByRole('radio', { name: /^Markdown/ })
    .press('Space')
  await expect(app(page).dialog.getByRole('button', { name: 'Download' })).toBeEnabled()
  const arriving = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await arriving).suggestedFilename()).toMatch(/\.md$/)
  await expect(app(page).dialogAtHand).toContainText('The export is written')
  await page.keyboard.press('Escape')
  await expect(app(page).dialog).toHaveCount(0)
  await page.keyboard.press('6')
  await expect(app(page).lines).toBeVisible()
})

const panel = (page: Page, name: string) => page.getByRole('tabpanel', { name })

test('a view without a list has the keyboard itself, and Tab goes into it', async ({ home, open }) => {
  const page = await open(
    home.session(
      'stock',
      sessionFile([
        header(),
        user('Count the stock', { id: 'ask' }),
        assistant('It is counted.', { id: 'counted' }),
        compaction('Counted.', 'counted', { id: 'short' }),
        user('Order more', { id: 'more', parent: 'ask' })
      ])
    )
  )
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('4')
  await expect(panel(page, 'Compactions')).toBeFocused()
  const other = page.getByRole('button', { name: /Compaction 1/ })
  await expect(other).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(other).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('grid', { name: 'Messages before' })).toBeFocused()
  await page.keyboard.press('1')
  await expect(app(page).entries).toBeFocused()
})

test('a list that comes late gets the keyboard from its panel', async ({ context, home, open }) => {
  const letGo = await holdBack(context, 'compaction.get')
  const page = await open(
    home.session(
      'stock',
      sessionFile([
        header(),
        user('Count the stock', { id: 'ask' }),
        assistant('It is counted.', { id: 'counted' }),
        compaction('Counted.', 'counted', { id: 'short' })
      ])
    )
  )
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('4')
  await expect(panel(page, 'Compactions')).toContainText('Reading the compaction')
  await expect(panel(page, 'Compactions')).toBeFocused()
  await page.evaluate(async () => {
    for (let frame = 0; frame < 90; frame++) await new Promise(requestAnimationFrame)
  })
  letGo()
  await expect(page.getByRole('grid', { name: 'Messages before' })).toBeFocused()
})

test('a session has the keyboard as soon as it is chosen, before it is read; who types elsewhere keeps it', async ({
  context,
  home,
  open
}) => {
  home.session('stock', sessionFile([header({ id: 'first' }), user('Count the stock')]))
  home.session('more', sessionFile([header({ id: 'second' }), user('Order more'), assistant('Ordered.')]))
  const letGo = await holdBack(context, 'session.outline')
  const page = await open(home.sessions)
  const { sessions, session, filter } = app(page)
  await expect(session('Order more')).toBeVisible()
  await session('Count the stock').click()
  await page.keyboard.press('6')
  await expect(app(page).tab('Raw')).toHaveAttribute('aria-selected', 'true')
  await expect(filter).toHaveValue('')
  await sessions.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('2')
  await expect(app(page).tab('Transcript')).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveTitle(/Order more/)
  await expect(filter).toHaveValue('')
  await filter.focus()
  letGo()
  await expect(app(page).said('Ordered.')).toBeVisible()
  await page.keyboard.type('stock')
  await expect(filter).toHaveValue('stock')
  await filter.fill('')
  await session('Order more').click()
  await expect(app(page).transcript).toBeFocused()
})

test('what is the same on both sides leaves the keyboard in its view', async ({ home, open }) => {
  const page = await open(home.session('stock', sessionFile([header(), user('Count the stock'), assistant('Done.')])))
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('3')
  await expect(app(page).context).toBeFocused()
  await page.keyboard.press('d')
  await expect(page.getByText('Both sides are the same entry')).toBeVisible()
  await expect(panel(page, 'Context')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'End comparison' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app(page).context).toBeFocused()
})

test('a session that goes away leaves the keyboard at what is said of that, and takes it again', async ({
  home,
  open
}) => {
  const stock = sessionFile([header(), user('Count the stock'), assistant('It is counted.')])
  const file = home.session('stock', stock)
  const page = await open(home.sessions)
  await expect(app(page).entries).toBeFocused()
  const whole = page.getByRole('main').locator('[data-session]')
  rmSync(file)
  await expect(page.getByRole('alert')).toContainText('The file is gone')
  await expect(whole).toBeFocused()
  home.session('stock', sessionFile([header(), user('Count the stock'), assistant('It is counted')]))
  await expect(app(page).entries).toBeFocused()
  renameSync(home.sessions, `${home.path}/elsewhere`)
  await expect(page.getByRole('alert')).toContainText('gone')
  await expect(whole).toBeFocused()
})

test('a dialog that is closed before the session behind it is read leaves the keyboard to that', async ({
  context,
  home,
  open
}) => {
  const letGo = await holdBack(context, 'session.outline', 1)
  const page = await open(
    home.session('stock', sessionFile([header(), user('Count the stock'), assistant('It is counted')]))
  )
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('b')
  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialogAtHand).toContainText('The branch is written')
  await page.keyboard.press('Escape')
  await expect(app(page).dialog).toHaveCount(0)
  letGo()
  await expect(app(page).entries).toBeFocused()
})
