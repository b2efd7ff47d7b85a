import type { Page } from '@playwright/test'
import { assistant, header, sessionFile, user } from '#e2e/support/build-session.ts'
import type { Home } from '#e2e/support/home.ts'
import { expect, startShell, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'

const longSession = (home: Home, turns: number) =>
  home.session(
    'long',
    sessionFile([
      header(),
      ...Array.from({ length: turns }, (_, turn) => [user(`Question ${turn}`), assistant(`Answer ${turn}`)]).flat()
    ])
  )

/** Positions for which the page asks rows, page by page. */
function watchRows(page: Page): readonly (readonly number[])[] {
  const asked: number[][] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const call = JSON.parse(String(payload)) as { readonly name?: string; readonly input: { readonly at: number[] } }
      if (call.name === 'entry.rows') asked.push(call.input.at)
    })
  )
  return asked
}

/** Notes the places of all rows of the tree that are ever drawn. */
const noteRows = (page: Page) =>
  page.addInitScript(() => {
    const places = new Set<number>()
    Object.assign(window, { places })
    new MutationObserver(() => {
      for (const row of document.querySelectorAll('[aria-label="Entries"] [role="treeitem"]')) {
        places.add(Number(row.getAttribute('aria-posinset')))
      }
    }).observe(document, { subtree: true, childList: true })
  })

const firstNoted = (page: Page) =>
  page.evaluate(() => Math.min(...(window as unknown as { readonly places: ReadonlySet<number> }).places))

test('a long session opens at its end: nothing of its start is asked for or drawn', async ({ home, page }) => {
  await using shell = await startShell(home, [longSession(home, 1010)])
  const asked = watchRows(page)
  await noteRows(page)
  await page.goto(shell.url)
  await expect(app(page).entry(/Answer 1009/)).toBeInViewport()
  await expect(page.getByRole('region', { name: 'Prompt per request' })).toBeVisible()
  expect(Math.min(...asked.flat())).toBe(1900)
  expect(Math.max(...asked.flat())).toBe(2019)
  expect(await firstNoted(page)).toBeGreaterThan(1900)
})

test('an entry that the address names is in the middle of the first rows', async ({ home, page }) => {
  const file = home.session(
    'named',
    sessionFile([header(), ...Array.from({ length: 1000 }, (_, at) => user(`Question ${at}`, { id: `q${at}` }))])
  )
  await using shell = await startShell(home, [file, '--entry', 'q500'])
  await noteRows(page)
  await page.goto(shell.url)
  await expect(app(page).chosenEntry).toHaveAccessibleName(/Question 500/)
  await expect(app(page).entry(/Question 495/)).toBeInViewport()
  await expect(app(page).entry(/Question 505/)).toBeInViewport()
  expect(await firstNoted(page)).toBeGreaterThan(400)
})

test('every view can be chosen by key at once, and takes the keyboard', async ({ home, open }) => {
  const page = await open(longSession(home, 40))
  await expect(app(page).entry(/Answer 39/)).toBeVisible()
  for (const [key, list] of [
    ['2', app(page).transcript],
    ['3', app(page).context],
    ['5', page.getByRole('grid', { name: 'Requests' })],
    ['6', app(page).lines],
    ['1', app(page).entries]
  ] as const) {
    await page.keyboard.press(key)
    await expect(list).toBeFocused()
  }
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search sessions and commands' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(app(page).entries).toBeFocused()
})

test('a part of the window that cannot be loaded is told, and is there once the page is loaded anew', async ({
  home,
  page
}) => {
  await using shell = await startShell(home, [longSession(home, 2)])
  const part = /\/assets\/Transcript-[^/]+\.js$/
  await page.route(part, (route) => route.abort())
  await page.goto(shell.url)
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('2')
  const told = page.getByRole('alert').filter({ hasText: 'A part of the window could not be loaded' })
  await expect(told).toBeVisible()
  await page.keyboard.press('1')
  await expect(app(page).entry(/Answer 1/)).toBeVisible()
  await page.keyboard.press('2')
  await expect(told).toBeVisible()
  await page.unroute(part)
  await told.getByRole('button', { name: 'Load the page anew' }).press('Enter')
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('2')
  await expect(app(page).said('Answer 1')).toBeVisible()
})

test('a window whose code cannot be loaded says so', async ({ home, page }) => {
  await using shell = await startShell(home, [])
  await page.route(/\/assets\/draw-app-[^/]+\.js$/, (route) => route.abort())
  await page.goto(shell.url)
  await expect(page.getByRole('alert')).toContainText('Treeline’s window could not be loaded. Load this page again.')
})
