import { expectAccessible } from '#e2e/support/axe.ts'
import {
  assistant,
  branchSummary,
  compaction,
  header,
  modelChange,
  sessionFile,
  toolResult,
  user
} from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { longestTask, traceTasks } from '#e2e/support/longest-task.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('the current path is a conversation: texts, thinking folded, calls with their results', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page).tab('Transcript').press('Enter')
  const { transcript, said } = app(page)
  await expect(said('They are green.')).toBeVisible()
  await expect(transcript).not.toContainText('They are blue.')
  const look = said('I look at the shop first.')
  await expect(look).toContainText('shop.ts')
  await expect(look).not.toContainText('Where are the pages?')
  await look.getByText(/^Thinking/).click()
  await expect(look).toContainText('Where are the pages?')
  await expect(look).not.toContainText('export const shop = 1')
  await look.getByText('read', { exact: true }).click()
  await expect(look).toContainText('export const shop = 1')
  await expectAccessible(page)
})

test('arrow keys move by message, Home and End to both ends, Enter to the inspector', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('2')
  await expect(app(page).transcript).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(app(page).said('Make the buttons green')).toBeFocused()
  await expect(app(page).inspector).toContainText('green · line')
  await page.keyboard.press('Home')
  await expect(app(page).said('Add a checkout page')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(app(page).said('I look at the shop first.')).toBeFocused()
  await page.keyboard.press('End')
  await expect(app(page).said('They are green.')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Content of the entry' })).toBeFocused()
  await page.keyboard.press('1')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/They are green/)
})

test('what the tree selects the transcript shows, with the path to it', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/They are blue/)
    .click()
  await app(page).tab('Transcript').press('Enter')
  await expect(app(page).said('They are blue.')).toHaveAttribute('aria-current', 'true')
  await expect(app(page).transcript).not.toContainText('They are green.')
  await app(page).said('Add a checkout page').click()
  await expect(app(page).inspector).toContainText('ask · line 2')
})

test('compactions, summaries, changes, failures and missing results are told', async ({ home, open }) => {
  const page = await open(
    home.session(
      'marks',
      sessionFile([
        header(),
        user('Begin', { id: 'begin' }),
        modelChange('acme', 'small-2'),
        assistant('', { calls: [{ id: 'lost', name: 'bash', arguments: { command: 'sleep 1000' } }] }),
        compaction('Everything so far was **short**.', 'begin'),
        branchSummary('The other way led nowhere.', 'begin'),
        assistant('Half an', { stopReason: 'aborted' }),
        toolResult('unknown', 'bash', 'nobody asked')
      ])
    )
  )
  await app(page).tab('Transcript').press('Enter')
  const { transcript, said } = app(page)
  await expect(said('sleep 1000')).toContainText('no result recorded')
  await expect(transcript).toContainText('acme/small-2')
  await said('Compaction')
    .getByText(/^What it says/)
    .click()
  await expect(said('Compaction').locator('strong').filter({ hasText: 'short' })).toBeVisible()
  await expect(said('Summary of another branch')).toBeVisible()
  await expect(said('Half an')).toContainText('Failed: aborted')
  await expect(said('Half an')).toContainText('A result for which no call is recorded')
  await expectAccessible(page)
})

test('markdown is set, and code gets its colours', async ({ home, open }) => {
  const text = [
    '# Plan',
    'Do **this** and `that`:',
    '1. one',
    '2. two',
    '',
    '| a | b |',
    '|---|--:|',
    '| 1 | 2 |',
    '',
    '```ts',
    'const answer: number = 42 // why',
    '```'
  ].join('\n')
  const page = await open(home.session('set', sessionFile([header(), user('Plan it'), assistant(text)])))
  await app(page).tab('Transcript').press('Enter')
  const { transcript } = app(page)
  await expect(transcript.getByRole('heading', { name: 'Plan' })).toBeVisible()
  await expect(transcript.getByRole('cell', { name: '2' })).toBeVisible()
  await expect(transcript.locator('[data-kind="keyword"]').first()).toHaveText('const')
  await expect(transcript.locator('[data-kind="comment"]')).toHaveText('// why')
  await expectAccessible(page)
})

test('hostile markdown is inert, and a link only tells where it leads', async ({ home, open }) => {
  const text = [
    '<script>document.title = "taken"</script> <img src=x onerror="document.title=1">',
    '[run](javascript:document.title="taken") [page](data:text/html,<script>alert(1)</script>)',
    '![pixel](https://tracker.example/p.gif) [docs](https://docs.example/a?b=c)',
    '<https://plain.example>',
    '',
    `${'>'.repeat(10_000)} deep inside`,
    '',
    '['.repeat(5000),
    '',
    `${'|a'.repeat(1000)}|`,
    `${'|-'.repeat(1000)}|`,
    '|\n'.repeat(2000)
  ].join('\n')
  const page = await open(
    home.session('hostile', sessionFile([header(), ...text.split('\n\n').map((part) => user(part))]))
  )
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await app(page).entries.focus()
  await page.keyboard.press('Home')
  await app(page).tab('Transcript').press('Enter')
  const { transcript, dialog } = app(page)
  await expect(transcript).toContainText('<script>document.title = "taken"</script>')
  await expect(transcript).toContainText('javascript:document.title')
  await expect(transcript).toContainText('deep inside')
  await expect(page.locator('iframe, main img, main a, main script')).toHaveCount(0)
  await transcript.getByRole('button', { name: 'Image: pixel (https://tracker.example/p.gif)' }).click()
  await expect(dialog).toContainText('https://tracker.example/p.gif')
  await expect(dialog.getByRole('button', { name: 'Open outside' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveTitle('taken')
  expect(requests.filter((url) => !url.startsWith('http://127.0.0.1'))).toEqual([])
})

test('images come on demand, long texts page by page', async ({ home, open }) => {
  const picture = { type: 'image', mimeType: 'image/png', data: image }
  const page = await open(
    home.session(
      'long',
      sessionFile([
        header(),
        { type: 'message', message: { role: 'user', content: [picture, { type: 'text', text: 'What is it?' }] } },
        assistant(`${'word '.repeat(8000)}the end`)
      ])
    )
  )
  await app(page).entries.focus()
  await page.keyboard.press('Home')
  await app(page).tab('Transcript').press('Enter')
  const { transcript } = app(page)
  await expect(transcript.getByRole('img')).toHaveCount(0)
  await transcript.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(transcript.getByRole('img')).toBeVisible()
  await expect(transcript).not.toContainText('the end')
  await transcript.getByRole('button', { name: 'Show more' }).press('Enter')
  await expect(transcript).toContainText('the end')
})

test('what is appended is followed at the end, and leaves a reader above alone', async ({ home, open }) => {
  const long = Array.from({ length: 60 }, (_, at) => [
    user(`Question ${at}`),
    assistant(`Answer ${at}. ${'word '.repeat(60)}`)
  ])
  const file = home.session('live', sessionFile([header(), ...long.flat()]))
  const append = (id: string, parentId: string) =>
    home.append(
      file,
      `${JSON.stringify({ type: 'message', id, parentId, timestamp: '2026-03-01T18:00:00.000Z', message: { role: 'user', content: `Late ${id}` } })}\n`
    )
  const page = await open(home.sessions)
  await app(page)
    .session(/Question 0/)
    .click()
  await app(page).tab('Transcript').press('Enter')
  await expect(app(page).said('Answer 59.')).toBeInViewport()
  append('one', 'e0000120')
  await expect(app(page).said('Late one')).toBeInViewport()
  const middle = app(page).said('Answer 30.')
  await app(page).transcript.focus()
  await page.keyboard.press('Home')
  await expect(app(page).said('Question 0')).toBeInViewport()
  await app(page).transcript.evaluate((feed) => feed.scrollBy(0, 4000))
  const before = await app(page).transcript.evaluate((feed) => feed.scrollTop)
  append('two', 'one')
  await expect(app(page).inspector).toBeVisible()
  await expect(page.getByText(/122 entries/).first()).toBeVisible()
  await expect(app(page).transcript.getByRole('article').first()).toHaveAttribute('aria-setsize', '122')
  expect(Math.abs((await app(page).transcript.evaluate((feed) => feed.scrollTop)) - before)).toBeLessThan(400)
  await expect(app(page).said('Late two')).toHaveCount(0)
  await expect(middle).not.toBeInViewport()
})

test('three hundred blocks of code never hold the window up', async ({ home, open, browser }) => {
  test.setTimeout(120_000)
  const code = `\`\`\`ts\n${'const value = compute(1, "two") // three\n'.repeat(370)}\`\`\``
  const drafts = Array.from({ length: 300 }, (_, at) => assistant(`Block ${at}\n${code}`))
  const page = await open(home.session('code', sessionFile([header(), ...drafts])))
  await app(page).tab('Transcript').press('Enter')
  await expect(app(page).transcript.locator('[data-kind="keyword"]').first()).toBeVisible()
  await traceTasks(browser, page)
  await app(page).transcript.evaluate(async (feed) => {
    performance.mark('scrolling')
    for (let step = 0; step < 40; step++) {
      feed.scrollBy(0, -1500)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }
  })
  // Colouring all of them here would take many times that.
  expect(await longestTask(browser, 'scrolling')).toBeLessThan(200)
  expect(await app(page).transcript.locator('pre').count()).toBeLessThan(20)
})
