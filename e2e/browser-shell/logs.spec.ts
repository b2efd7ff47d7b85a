import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { makeCodeliaSession } from '#e2e/support/codelia-session.ts'
import { dshAnswer, dshCheckpoint, dshEvent, dshLog, dshPrompt, dshResult } from '#e2e/support/dsh-log.ts'
import type { Home } from '#e2e/support/home.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'

const call = { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"command":"ls"}' }
const lost = { type: 'tool-call', id: 'c2', name: 'read', arguments: '{"path":"shop.ts"}' }

/** A log whose first prompt and answer gave way to a summary, with an event that nobody knows, and a call that is open. */
const log = dshLog(
  {},
  dshEvent('turn/start', { turn: 1 }),
  dshEvent('step/start', { turn: 1, step: 1 }),
  dshPrompt('u1', 'Add a checkout page to the shop, and say what it needs before it is begun'),
  dshEvent('request/header', { header: { config: { provider: 'acme', model: 'large-1' } }, reason: 'initial' }),
  dshAnswer('a1', { type: 'text', text: 'I look at the shop first.' }, call),
  dshEvent('tool/call', { turn: 1, step: 1, callId: 'c1', name: 'bash', arguments: '{"command":"ls"}' }),
  dshResult('r1', 'c1', 'shop.ts and nothing else', 5),
  dshEvent('step/end', { turn: 1, step: 1 }),
  dshEvent('compaction/start', { compactionId: 'k' }),
  dshCheckpoint('u2', 'A checkout page was asked for.', 2, 2),
  dshEvent('compaction/end', { compactionId: 'k' }),
  dshEvent('x-shop/price-list', { price: 3 }),
  dshEvent('step/start', { turn: 1, step: 2 }),
  dshAnswer('a2', { type: 'text', text: 'Now the page itself.' }, lost),
  dshEvent('tool/call', { turn: 1, step: 2, callId: 'c2', name: 'read', arguments: '{"path":"shop.ts"}' })
)

const dshSession = (home: Home): string => home.write('.dsh/sessions/--home-me-shop--/made/session.jsonl', log)

const about = (page: Page) => page.getByRole('list', { name: 'About this session' })

const looks = [
  { colorScheme: 'light', contrast: 'no-preference' },
  { colorScheme: 'dark', contrast: 'no-preference' },
  { colorScheme: 'dark', contrast: 'more' }
] as const

test('what is to be known of a session stands above all its views', async ({ home, open }) => {
  const page = await open(dshSession(home))
  const warning = about(page).getByRole('listitem').filter({ hasText: 'dsh would refuse this session' })
  await expect(warning).toContainText('Warning')
  await expect(about(page).getByText(/The last turn was left open/)).toBeVisible()
  await warning.getByText(/dsh would refuse/).focus()
  await page.keyboard.press('Enter')
  await expect(warning.locator('pre')).toHaveText('x-shop/price-list')
  for (const look of looks) {
    await page.emulateMedia(look)
    await expectAccessible(page, look.contrast === 'more' ? 'AAA' : 'AA')
  }
  await app(page).tab('Transcript').press('Enter')
  await expect(warning).toBeVisible()
})

test('the title line of the shell agent opens by the keyboard', async ({ home, open }) => {
  const folder = '.bash-agent/projects/-home-me-shop/20260301-100000-aa01'
  home.write(`${folder}/conversation.jsonl`, '{"role":"user","content":"Count the till"}\n')
  home.write(
    `${folder}/events.jsonl`,
    [
      '{"type":"session_start","session_id":"20260301-100000-aa01"}',
      '{"type":"user_input","content":"Count the till"}',
      '{"type":"usage","input_tokens":1000,"output_tokens":50,"cache_read_input_tokens":3000,"cache_creation_input_tokens":0,"kind":"agent"}',
      ''
    ].join('\n')
  )
  home.write(
    `${folder}/stats.json`,
    '{"current_turn_count":1,"agent_request_count":1,"total_input_tokens":1000,"total_output_tokens":50,"total_cache_read_tokens":3000,"total_cache_creation_tokens":0,"current_context_tokens":4050}'
  )
  const page = await open(`${home.path}/${folder}`)
  const line = about(page).getByText(/^Context 4,050 tokens/)
  await expect(line).toContainText('cache hit 75 % as the agent counts it')
  await line.focus()
  await page.keyboard.press('Enter')
  await expect(about(page).locator('pre')).toContainText('T:1 R:1 I:4,000(75%) O:50 C:4,050')
  await expectAccessible(page)
})

test('marks are read whole in a narrow window and leave room for what the row says', async ({ home, open }) => {
  const page = await open(dshSession(home))
  await page.setViewportSize({ width: 1000, height: 700 })
  const { entry } = app(page)
  await app(page).entries.press('Home')
  await expect(entry(/Add a checkout page/).getByTitle(/^Event 9 took its place/)).toHaveText('shadowed by 9')
  await expect(entry(/price-list/).getByTitle(/^dsh does not know its type/)).toHaveText('required')
  await app(page).entries.press('End')
  const closer = entry(/^read/).last()
  await expect(closer).toHaveAccessibleName(/not written, live/)
  await expect(closer.getByTitle(/^live: /)).toHaveText('+1')
  for (const row of [closer, entry(/End of turn 1/)]) {
    const mark = row.getByTitle(/^dsh writes this event/).first()
    await expect(mark).toHaveText('not written')
    expect(await mark.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    const [summary] = (await row.locator('[dir="auto"]').all()).slice(-1)
    expect((await summary!.boundingBox())!.width).toBeGreaterThan(60)
    expect((await row.boundingBox())!.height).toBe(26)
  }
  for (const look of looks) {
    await page.emulateMedia(look)
    await expectAccessible(page, look.contrast === 'more' ? 'AAA' : 'AA')
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(closer.getByTitle(/^It is part of the conversation/)).toBeVisible()
})

test('the tree shows the conversation alone, without what is only logged', async ({ home, open }) => {
  const page = await open(dshSession(home))
  await expect(app(page).entry(/^Event Step 2/)).toBeVisible()
  await page.getByRole('radio', { name: 'Conversation' }).press('Space')
  await expect(app(page).entries.getByRole('treeitem')).toContainText([
    /You.*Add a checkout page/,
    /Assistant.*I look at the shop first/,
    /bash/,
    /bash/,
    /Compaction/,
    /Assistant.*Now the page itself/,
    /read/,
    /read/
  ])
  await page.getByRole('radio', { name: 'Without tools' }).press('Space')
  await expect(app(page).entry(/^Event/)).toHaveCount(0)
  await expect(app(page).entry(/bash/)).toHaveCount(0)
  await expect(app(page).entry(/Now the page itself/)).toBeVisible()
})

test('the transcript has what was said, and each log in one line that opens', async ({ home, open }) => {
  const page = await open(dshSession(home))
  await app(page).tab('Transcript').press('Enter')
  const { transcript, said } = app(page)
  await transcript.press('Home')
  await expect(said('Add a checkout page')).toContainText('shadowed by 9')
  const look = said('I look at the shop first.')
  await expect(look.getByText('bash', { exact: true })).toHaveCount(1)
  await look.getByText('bash', { exact: true }).click()
  await expect(look).toContainText('shop.ts and nothing else')
  await expect(transcript).not.toContainText('A result for which no call is recorded')

  await transcript.press('Home')
  await expect(said('Add a checkout page')).toBeInViewport()
  const logged = said('2 log entries').first()
  await expect(logged).not.toContainText('Step 1')
  await logged.getByText('2 log entries').click()
  await expect(logged).toContainText('Turn 1')
  await expect(logged).toContainText('Step 1')
  await expectAccessible(page)
  await transcript.press('End')
  await expect(transcript).toContainText('interrupted')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
})

test('a session of runs says how many, and its transcript has each message once', async ({ home, open }) => {
  const page = await open(makeCodeliaSession(home))
  const row = app(page).session(/Add a checkout page/)
  await expect(row).toContainText('codelia')
  await expect(row).toContainText('2 runs')
  await row.click()
  await app(page).tab('Transcript').press('Enter')
  const { transcript, said } = app(page)
  await expect(said('The conversation as it is saved')).toContainText('4 messages')
  await expect(said('Error: APIError: overloaded')).toBeVisible()
  await transcript.press('Home')
  const look = said('I look at the shop first.')
  await expect(look).toHaveCount(1)
  await look.getByText('read', { exact: true }).click()
  await expect(look).toContainText('export const shop = 1')
  await expect(transcript).not.toContainText('no result recorded')
  await expectAccessible(page)
  await transcript.press('End')
  const saved = said('The conversation as it is saved')
  await saved.getByText(/as it is saved/).click()
  await expect(saved.getByRole('paragraph')).toHaveCount(4)
  await expectAccessible(page)
})
