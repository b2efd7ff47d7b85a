import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app, pressInDialog } from '#e2e/support/pages.ts'
import { makeProject } from '#e2e/support/shell-agent-project.ts'

const compacted = '20260203-120000-bb02'
const tools = '20260203-101500-aa01'

const marked = (page: Page, mark: string) => app(page).entries.getByRole('treeitem', { name: new RegExp(mark) })

test('a project lists its sessions, forks and sub-agents below where they come from', async ({ home, open }) => {
  makeProject(home)
  const page = await open()
  await page.getByRole('button', { name: join(home.path, '.bash-agent/projects') }).press('Enter')
  await expect(app(page).session(/List the notes/)).toBeVisible()
  await expect(app(page).session(/ first .*1 fork 1 subagent/)).toBeVisible()
  await expect(app(page).session(/ count /)).toHaveCount(0)
  await app(page)
    .session(/ first /)
    .click()
  await app(page).sessions.press('ArrowRight')
  await expect(app(page).session(/ count /)).toBeVisible()
  await expectAccessible(page)
})

test('both logs stand side by side, and say where they differ', async ({ home, open }) => {
  const project = makeProject(home)
  const page = await open(join(project, compacted))
  await expect(
    app(page)
      .entry(/You.*third/)
      .first()
  ).toBeVisible()
  await expect(app(page).entry(/You.*first/)).toBeVisible()
  await expect(marked(page, 'compacted first answer')).toBeVisible()
  await expect(marked(page, 'discarded half an')).toBeVisible()
  await expect(marked(page, 'injected \\[sub-agent')).toBeVisible()
  await expect(page.getByText('summary.txt: the summary of what was compacted, in the prompt.')).toBeVisible()
  await expectAccessible(page)
  await app(page)
    .entry(/half an/)
    .click()
  await expect(app(page).inspector).toContainText('half an')
  await app(page).entries.focus()
  await page.keyboard.press('End')
  await expect(marked(page, 'failed it')).toBeVisible()
})

test('the nearest point to branch from is chosen together with its path', async ({ home, open }) => {
  const project = makeProject(home)
  const page = await open(join(project, compacted))
  await app(page)
    .entry(/half an/)
    .click()
  await expect(app(page).inspector).toContainText('half an')
  const path = page.getByRole('main').getByRole('status')
  await expect(path).toHaveText(/^Path beside the leaves/)
  await app(page).entries.focus()
  await page.keyboard.press('b')
  await expect(app(page).dialog.getByText('The nearest entries where it could:')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(app(page).dialog.getByRole('button', { name: 'Write the branch' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(path).toHaveText(/^Path of leaf 1/)
})

test('the context has the plan and the summary, and the conversation alone', async ({ home, open }) => {
  const project = makeProject(home)
  const page = await open(join(project, tools, 'events.jsonl'))
  await app(page).tab('Context').press('Enter')
  const messages = app(page).context.getByRole('article')
  await expect(messages).toHaveText([
    /System.*# Plan/,
    /You.*List the notes/,
    /Assistant.*I look/,
    /Tool/,
    /Assistant.*two notes/
  ])
  await expectAccessible(page)
  await expect(page.getByText(/plan\.draft: a draft of a plan, not in the prompt/)).toBeVisible()
})

test('colours of a terminal are left out of what is shown', async ({ home, open }) => {
  const project = makeProject(home)
  const page = await open(join(project, tools))
  await app(page)
    .entry(/Bash.*one\.md/)
    .first()
    .click()
  await expect(app(page).inspector).toContainText('one.md')
  await expect(app(page).inspector).not.toContainText('[34m')
})

test('a compaction has what the events tell before it, and what the conversation kept', async ({ home, open }) => {
  const project = makeProject(home)
  const page = await open(join(project, compacted))
  await app(page).tab('Compactions').press('Enter')
  const before = page.getByRole('grid', { name: 'Messages before' })
  const after = page.getByRole('grid', { name: 'Messages after' })
  await expect(before.getByRole('row')).toHaveText([
    /summarised\s*You\s*again/,
    /summarised\s*Assistant\s*again answered/,
    /summarised\s*You\s*again/,
    /summarised\s*Assistant\s*a different answer/,
    /kept\s*You\s*third/
  ])
  await expect(after.getByRole('row')).toHaveText([/kept\s*You\s*third/])
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Asked twice and thrice.')
  await page.getByRole('radio', { name: '1', exact: true }).press('Space')
  await expect(before.getByRole('row')).toHaveText([
    /summarised\s*You\s*first/,
    /summarised\s*Assistant/,
    /kept\s*You\s*again/
  ])
  await expectAccessible(page)
})

test('every request of the events is counted, what a sub-agent spent too', async ({ home, open }) => {
  const project = makeProject(home)
  const page = await open(join(project, compacted))
  await app(page).tab('Tokens and cache').press('Enter')
  await expect(page.getByText(/10 requests/).first()).toBeVisible()
  const named = (name: string) => page.getByRole('gridcell', { name, exact: true })
  await expect(named('Compaction')).toHaveCount(2)
  await expect(named('Sub-agent')).toHaveCount(1)
  await expect(named('Usage')).toHaveCount(7)
  await expectAccessible(page)
})

test('calls stand with their results in the transcript', async ({ home, open }) => {
  const project = makeProject(home)
  const page = await open(join(project, tools))
  await app(page).tab('Transcript').press('Enter')
  await expect(app(page).said(/I look/)).toBeVisible()
  await expect(app(page).said(/There are two notes/)).toBeVisible()
  await expect(page.getByText('no result recorded')).toHaveCount(0)
})

test('a fork is a new directory, of a running session too, which stays as it was', async ({ home, open }) => {
  const project = makeProject(home)
  const source = join(project, tools)
  execFileSync('mkfifo', [join(source, 'input.fifo')])
  const bytes = () =>
    readdirSync(source)
      .filter((name) => name.endsWith('l') || name.endsWith('d'))
      .map((name) => readFileSync(join(source, name), 'utf8'))
  const before = bytes()
  const known = readdirSync(project)
  const page = await open(project)
  await app(page)
    .session(/List the notes/)
    .click()
  await app(page)
    .entry(/Assistant.*There are two notes/)
    .first()
    .click()
  await expect(app(page).inspector).toContainText('There are two notes')
  await app(page).entries.focus()
  await page.keyboard.press('b')
  await expect(app(page).dialog.getByRole('button', { name: 'Write the branch' })).toBeEnabled()
  await expectAccessible(page)
  expect(readdirSync(project)).toEqual(known)
  await pressInDialog(page, 'Write the branch')
  await expect(app(page).dialog).toContainText('The branch is written')
  await expect(app(page).dialog).toContainText(/bash-agent --session \d{8}-\d{6}-[\da-f]{4}/)
  const [made, ...others] = readdirSync(project).filter((name) => !known.includes(name))
  expect(others).toEqual([])
  expect(readdirSync(join(project, made!))).toHaveLength(6)
  expect(readFileSync(join(project, made!, 'events.jsonl'), 'utf8')).toContain(`"source_session_id":"${tools}"`)
  expect(bytes()).toEqual(before)
})

test('an export is the conversation byte for byte', async ({ home, open }) => {
  const project = makeProject(home)
  const page = await open(join(project, tools))
  await app(page)
    .entry(/There are two notes/)
    .first()
    .waitFor()
  await app(page).entries.focus()
  await page.keyboard.press('Shift+E')
  const arriving = page.waitForEvent('download')
  await pressInDialog(page, 'Download')
  const downloaded = readFileSync(await (await arriving).path(), 'utf8')
  expect(downloaded).toBe(readFileSync(join(project, tools, 'conversation.jsonl'), 'utf8'))
})

test('tokens that the agent streams join the entry that is shown', async ({ home, open }) => {
  const project = makeProject(home)
  const events = join(project, 'sub_20260203-120500-cc03', 'events.jsonl')
  const page = await open(join(project, 'sub_20260203-120500-cc03'))
  await expect(
    app(page)
      .entry(/counted 7/)
      .first()
  ).toBeVisible()
  const token = (content: string) => home.append(events, `${JSON.stringify({ type: 'text', content })}\n`)
  token('So it ')
  await expect(app(page).entry(/So it/)).toBeVisible()
  token('goes, ')
  token('word by word')
  await expect(app(page).entry(/So it goes, word by word/)).toBeVisible()
  await expect(app(page).entry(/So it/)).toHaveCount(1)
  home.append(join(project, 'sub_20260203-120500-cc03', 'conversation.jsonl'), '{"role":"user","content":"And more"}\n')
  await expect(app(page).entry(/And more/)).toBeVisible()
})
