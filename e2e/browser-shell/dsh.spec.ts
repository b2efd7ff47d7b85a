import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import {
  dshAnswer,
  dshCheckpoint,
  dshEvent,
  dshFrames,
  dshLog,
  dshPrompt,
  dshPruned,
  dshResult
} from '#e2e/support/dsh-log.ts'
import type { Home } from '#e2e/support/home.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'

const call = { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"command":"ls"}' }

/** Two turns: a prompt gives way to a summary, a result loses its second line. */
const log = dshLog(
  { id: 'checkout' },
  dshEvent('turn/start', { turn: 1 }),
  dshEvent('step/start', { turn: 1, step: 1 }),
  dshEvent('request/header', {
    header: { config: { provider: 'acme', model: 'large-1' }, system: 'You keep a shop.' },
    reason: 'initial'
  }),
  dshPrompt('u1', 'Add a checkout page'),
  dshAnswer('a1', { type: 'text', text: 'I look at the shop first.' }, call),
  dshEvent('tool/call', { turn: 1, step: 1, callId: 'c1', name: 'bash', arguments: '{"command":"ls"}' }),
  dshResult('r1', 'c1', 'shop.ts\ntill.ts\n', 5),
  dshEvent('step/end', { turn: 1, step: 1 }),
  dshEvent('turn/end', { turn: 1, reason: { kind: 'completed' } }),
  dshEvent('turn/start', { turn: 2 }),
  dshEvent('compaction/start', { compactionId: 'k', turn: 2 }),
  dshEvent('compaction/summary', {
    compactionId: 'k',
    summary: [{ type: 'text', text: 'A page was asked for.' }],
    shadowedTokenCount: 5
  }),
  dshCheckpoint('u2', 'A page was asked for.', 3, 3),
  dshEvent('compaction/end', { compactionId: 'k', turn: 2 }),
  dshEvent('compaction/prune', { shadowedSeqs: [6], shadowedTokenCount: 4 }),
  dshPruned('r1', 'c1', 'shop.ts\n[left out]\n', 6),
  dshPrompt('u3', 'And a footer'),
  dshAnswer('a2', { type: 'text', text: 'Both are there.' }),
  dshEvent('turn/end', { turn: 2, reason: { kind: 'completed' } })
)
const frames = dshFrames(log, 9)
const place = '.dsh/sessions/--home-me-shop--'

const write = (home: Home, bytes: Buffer = Buffer.concat(frames)): string =>
  home.write(`${place}/checkout/session.jsonl.zstd`, bytes)

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

async function choose(page: Page, text: RegExp): Promise<void> {
  await app(page).entry(text).click()
  await expect(app(page).inspector).toContainText(text)
  await app(page).entries.focus()
}

test('a folder lists each session once, its forks below it, and names its older generations', async ({
  home,
  open
}) => {
  write(home)
  home.write(`${place}/checkout/session.v2.jsonl`, log.replace('"version":0', '"version":2,"isSeeded":false'))
  home.write(
    `${place}/fork/session.jsonl.zstd`,
    Buffer.concat(dshFrames(log.replace('"id":"checkout"', '"id":"fork","parentSession":"checkout","seedLength":9'), 9))
  )
  const page = await open(join(home.path, '.dsh/sessions'))
  await expect(app(page).session(/Add a checkout page/)).toContainText('1 fork')
  await app(page)
    .session(/Add a checkout page/)
    .click()
  await expect(page.getByText('Older generations of this session lie beside it')).toBeVisible()
  await app(page).sessions.focus()
  await page.keyboard.press('ArrowRight')
  await expect(app(page).sessions.getByRole('treeitem', { name: /Add a checkout page/ })).toHaveCount(2)
})

test('a compressed log has its tree, its context and its compactions', async ({ home, open }) => {
  const page = await open(write(home))
  const { entry, tab, context } = app(page)
  await expect(entry(/Both are there/)).toBeVisible()
  await expect(entry(/Add a checkout page/).getByTitle(/^Event 12 took its place/)).toHaveText('shadowed by 12')
  await choose(page, /And a footer/)
  await tab('Context').press('Enter')
  await expect(context.getByRole('article')).toContainText([
    /You keep a shop/,
    /A page was asked for/,
    /I look at the shop first|bash/,
    /left out/,
    /And a footer/
  ])
  await expectAccessible(page)

  await tab('Compactions').press('Enter')
  await page.getByRole('radio', { name: /^1 · / }).press('Space')
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText(/Lost from message 2 on \(entry 3\)\. \d+ tokens in front of it stay\./)
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('A page was asked for.')
  await page.getByRole('radio', { name: /^2 · / }).press('Space')
  const rewritten = page.getByRole('region', { name: 'Rewritten' })
  await expect(rewritten.getByRole('group', { name: 'Difference' })).toHaveText(
    / {2}shop\.ts\s+- till\.ts\s+\+ \[left out\]/
  )
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
})

test('a fork ends where a turn does, in frames like its source, which stays as it was', async ({ home, open }) => {
  const file = write(home)
  const before = sha256(file)
  const page = await open(file)
  await choose(page, /I look at the shop first/)
  await page.keyboard.press('b')
  await expect(app(page).dialog).toContainText('A session is forked where a turn ends.')
  await expectAccessible(page)
  await expect(app(page).dialog.getByRole('button', { name: /^8/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app(page).dialog.getByRole('button', { name: 'Write the branch' })).toBeEnabled()
  await expect(app(page).dialogAtHand).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(app(page).dialog).toContainText('The branch is written')
  await expect(app(page).dialog).toContainText(/dsh --profile tui --resume/)
  const project = dirname(dirname(file))
  const fork = readdirSync(project).find((name) => name !== 'checkout')
  expect(readdirSync(join(project, fork!))).toEqual(['session.jsonl.zstd'])
  expect(sha256(file)).toBe(before)
  await page.keyboard.press('Escape')
  await expect(app(page).entry(/End of turn 1/)).toBeVisible()
  await expect(app(page).entry(/And a footer/)).toHaveCount(0)
})

test('its lines are exported as they are decoded', async ({ home, open }) => {
  const page = await open(write(home))
  await app(page)
    .entry(/Both are there/)
    .waitFor()
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  const arriving = page.waitForEvent('download')
  await pressInDialog(page, 'Download')
  expect(readFileSync(await (await arriving).path(), 'utf8')).toBe(log)
})

test('a frame that is appended while the log is open appears once it is whole', async ({ home, open }) => {
  const file = write(home, Buffer.concat(frames.slice(0, 2)))
  const page = await open(file)
  await expect(app(page).entry(/End of turn 1/)).toBeVisible()
  const last = frames[2]!
  appendFileSync(file, last.subarray(0, 40))
  await expect(page.getByRole('button', { name: /1 fault/ })).toBeVisible()
  await expect(app(page).entry(/Both are there/)).toHaveCount(0)
  appendFileSync(file, last.subarray(40))
  await expect(app(page).entry(/Both are there/)).toBeVisible()
  await expect(page.getByRole('button', { name: /1 fault/ })).toHaveCount(0)
})
