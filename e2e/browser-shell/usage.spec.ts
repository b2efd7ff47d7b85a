import { expectAccessible } from '#e2e/support/axe.ts'
import { assistant, compaction, header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'

const used = (cacheRead: number, cacheWrite: number, input: number, output: number) => ({
  usage: { input, output, cacheRead, cacheWrite }
})
const session = sessionFile([
  header(),
  user('Count the sheep', { id: 'ask' }),
  assistant('One.', { id: 'one', ...used(0, 900, 100, 10) }),
  user('More', { id: 'more' }),
  assistant('Two.', { id: 'two', ...used(900, 90, 10, 20) }),
  compaction('Sheep were counted.', 'more', { id: 'short' }),
  assistant('Three.', { id: 'three', ...used(0, 500, 0, 30) }),
  user('Goats instead', { id: 'goats', parent: 'one' }),
  assistant('A goat.', { id: 'goat', ...used(800, 0, 200, 40) })
])

test.beforeEach(({ home }) => {
  home.session('sheep', session)
})

test('the table has each request of the current path, and its columns add up to the totals', async ({ home, open }) => {
  const page = await open(`${home.sessions}/--home-me-shop--/sheep.jsonl`)
  const table = page.getByRole('grid', { name: 'Requests' })
  await app(page).tab('Tokens and cache').press('Enter')
  await expect(page.getByText('2 requests on the current path · 40 % read from cache')).toBeVisible()
  await page.getByRole('button', { name: '2 leaves' }).press('Enter')
  await page.getByRole('button', { name: /leaf 1/ }).press('Enter')
  await expect(page.getByText('3 requests on the current path · 36 % read from cache')).toBeVisible()
  const cells = (name: RegExp) => page.getByRole('row', { name }).getByRole('gridcell')
  await expect(cells(/^This path: 3 requests/)).toHaveText([
    '900',
    '1,490',
    '110',
    '60',
    '2,560',
    '36 %',
    '',
    '$0.0390'
  ])
  await expect(cells(/^Whole session: 4 requests/)).toHaveText([
    '1,700',
    '1,490',
    '310',
    '100',
    '3,600',
    '49 %',
    '',
    '$0.0520'
  ])
  await expect(cells(/^2 /)).toHaveText([
    '2',
    /:/,
    /^Assistant · large-1/,
    '900',
    '90',
    '10',
    '20',
    '1,020',
    '90 %',
    '1.0k',
    '$0.0130'
  ])
  await expectAccessible(page)
  await table.focus()
  await page.keyboard.press('Home')
  await expect(table.getByRole('row', { selected: true })).toHaveText(/^1/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/Two\./)
})

test('in a narrow window no number of the table is cut', async ({ home, open }) => {
  const large = Array.from({ length: 99 }, (_, at) => assistant(`${at}.`, used(1_040_000, 0, 0, 1)))
  const drafts = [header(), user('Count the geese'), ...large, assistant('Last.', used(0, 0, 10_400, 1))]
  const text = sessionFile(drafts).replaceAll('"acme"', '"openai"').replaceAll('"large-1"', '"gpt-4.1"')
  const page = await open(home.session('geese', text))
  await app(page).tab('Tokens and cache').press('Enter')
  const cells = page.getByRole('gridcell').filter({ hasText: /^[$\d]/ })
  for (const width of [1440, 1000]) {
    await page.setViewportSize({ width, height: 700 })
    await expect(cells.filter({ hasText: '102,970,500' }).first()).toBeInViewport()
    await expect(cells.filter({ hasText: '10.4k · 1 %' })).toBeInViewport()
    const cut = await cells.evaluateAll((all) =>
      all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)
    )
    expect(cut, `at ${width} pixels`).toEqual([])
    await expect(page.getByRole('columnheader', { name: 'Cost' })).toBeInViewport({ ratio: 1 })
  }
})

test('a table that scrolls can be read by everybody', async ({ home, open }) => {
  const answers = Array.from({ length: 60 }, (_, at) => assistant(`${at}.`, used(at, 10, 1, 1)))
  const page = await open(home.session('many', sessionFile([header(), user('Count the goats'), ...answers])))
  await app(page).tab('Tokens and cache').press('Enter')
  await expect(page.getByRole('row', { name: /^60/ })).toBeInViewport()
  await expectAccessible(page)
})

test('below the tree stands the prompt of each request, and a bar leads to its entry', async ({ home, open }) => {
  const page = await open(`${home.sessions}/--home-me-shop--/sheep.jsonl`)
  const strip = page.getByRole('region', { name: 'Prompt per request' })
  await expect(strip).toContainText('40 % read from cache')
  await expect(strip).toContainText('branch switch')
  await strip.locator('svg').click({ position: { x: 20, y: 60 } })
  await expect(app(page).chosenEntry).toHaveAccessibleName(/One\./)
  await page.getByRole('button', { name: '2 leaves' }).press('Enter')
  await page.getByRole('button', { name: /leaf 1/ }).press('Enter')
  await expect(strip).toContainText('compaction')
  await expectAccessible(page)
})

test('a session without a request says so, and has no strip', async ({ home, open }) => {
  const file = home.session('silent', sessionFile([header(), user('Hello?')]))
  const page = await open(file)
  await expect(app(page).entry(/Hello/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Prompt per request' })).toBeHidden()
  await app(page).tab('Tokens and cache').press('Enter')
  await expect(page.getByText('No request on the current path')).toBeVisible()
})
