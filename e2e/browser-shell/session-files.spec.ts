import { expectAccessible } from '#e2e/support/axe.ts'
import type { Home } from '#e2e/support/home.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'

const lines = (...objects: readonly object[]) => objects.map((object) => `${JSON.stringify(object)}\n`).join('')

const requests = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: 30,
  cache_creation_input_tokens: 0
})

/** A session of the shell agent: a folder with the conversation, a log of events, and figures. */
function shellSession(home: Home): string {
  const folder = '.bash-agent/projects/-home-me-shop/20260301-100000-ab12'
  home.write(
    `${folder}/events.jsonl`,
    lines(
      { type: 'session_start', session_id: '20260301-100000-ab12' },
      { type: 'context_update', kind: 'compact', trigger: 'auto' },
      { type: 'user_input', content: 'count the walruses' },
      { type: 'usage', ...requests(10, 5), kind: 'agent' },
      { type: 'stop', reason: 'end_turn' }
    ).concat('{"broken\n')
  )
  home.write(`${folder}/summary.txt`, 'Seals were counted before.')
  home.write(
    `${folder}/stats.json`,
    JSON.stringify({ current_turn_count: 1, agent_request_count: 1, total_input_tokens: 10, total_output_tokens: 5 })
  )
  return home.write(
    `${folder}/conversation.jsonl`,
    lines(
      { role: 'user', content: 'count the walruses' },
      { role: 'assistant', content: [{ type: 'text', text: 'There are four.' }] }
    )
  )
}

test('each file of a session shows its lines, and an entry and a fault lead to the right one', async ({
  home,
  open
}) => {
  const page = await open(shellSession(home))
  await app(page).tab('Raw').press('Enter')
  await expect(app(page).line('There are four.')).toBeVisible()
  const file = page.getByLabel('File', { exact: true })
  await expect(file.locator('option')).toHaveText([
    /^conversation\.jsonl · /,
    /^events\.jsonl · /,
    /^summary\.txt · /,
    /^stats\.json · /
  ])
  await expectAccessible(page)
  await file.focus()
  await page.keyboard.press('ArrowDown')
  await expect(app(page).line('end_turn')).toBeVisible()
  await app(page).line('end_turn').click()
  await expect(app(page).inspector).toContainText('events.jsonl line 5')
  await expect(app(page).inspector).not.toContainText('Faults of this entry')
  await expect(app(page).line('end_turn')).toBeVisible()

  await app(page).tab('Tree').press('Enter')
  await app(page)
    .entry(/There are four/)
    .click()
  await app(page).inspector.getByRole('button', { name: 'Raw' }).press('Enter')
  await expect(app(page).line('There are four.')).toBeVisible()
  await page.getByRole('button', { name: /fault/ }).press('Enter')
  await page.getByRole('button', { name: /malformed-line.*events\.jsonl, line 6/ }).press('Enter')
  await expect(app(page).line('{"broken')).toBeVisible()
  await expect(file).toHaveValue('1')
})

test('requests and compactions that are written beside the conversation are those of its path', async ({
  home,
  open
}) => {
  const page = await open(shellSession(home))
  await app(page).tab('Tokens and cache').press('Enter')
  await expect(page.getByText('1 request on the current path')).toBeVisible()
  await expect(page.getByRole('rowheader')).toHaveText(['This path: 1 request', 'Whole session: 1 request'])
  await expectAccessible(page)
  await app(page).tab('Compactions').press('Enter')
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Seals were counted before.')
  await expect(page.getByRole('radio', { name: '1', exact: true })).toBeChecked()
  await expectAccessible(page)
})

test('a fault leads nowhere until it is known which file is its', async ({ context, home, open }) => {
  const letGo = await holdBack(context, 'session.files')
  const page = await open(shellSession(home))
  await page.getByRole('button', { name: '1 fault' }).press('Enter')
  await expect(page.getByText('Reading the faults')).toBeVisible()
  letGo()
  await page.getByRole('button', { name: /malformed-line.*events\.jsonl, line 6/ }).press('Enter')
  await expect(app(page).line('{"broken')).toBeVisible()
})
