import { expectAccessible } from '#e2e/support/axe.ts'
import { assistant, compaction, header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

const compacted = sessionFile([
  header(),
  user('The first question', { id: 'one' }),
  assistant('The first answer', { id: 'two' }),
  user('The second question', { id: 'three' }),
  compaction('It was about questions.', 'three', { id: 'cut' }),
  assistant('The second answer', { id: 'four' })
])

test('the request at an entry: messages with tokens and sources, and what is not in it', async ({ home, open }) => {
  const page = await open(home.session('compacted', compacted))
  await app(page).tab('Context').press('Enter')
  const { context } = app(page)
  await expect(context.getByRole('article')).toHaveCount(3)
  await expect(context).toContainText('It was about questions.')
  await expect(context).not.toContainText('The first question')
  const counts = await context
    .getByRole('article')
    .locator('[title$="recorded"], [title$="estimated"]')
    .allTextContents()
  const sum = counts.reduce((total, text) => total + Number(text.replace(/[~,]/g, '')), 0)
  await expect(page.getByText(`about ${sum.toLocaleString('en-US')} tokens`)).toBeVisible()
  await expect(page.getByText('80 of them recorded')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '2 not in it' }).press('Enter')
  await expect(page.getByText('the compaction summarises it').first()).toBeVisible()
  await expectAccessible(page)
})

test('by the keyboard a message opens, and its source is selected while the context stays', async ({ home, open }) => {
  const page = await open(home.session('compacted', compacted))
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('3')
  const { context, inspector } = app(page)
  await expect(context).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(context.getByRole('article').nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await context.getByRole('button', { name: 'three', exact: true }).press('Enter')
  await expect(inspector).toContainText('three · line 4')
  await expect(context.getByRole('article')).toHaveCount(3)
  await page.getByRole('button', { name: 'Follow the selection' }).press('Enter')
  await expect(context).toContainText('The first question')
})

test('two leaves are compared from their common ancestor', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await page.getByRole('button', { name: '2 leaves' }).press('Enter')
  await page.getByRole('button', { name: 'Compare', exact: true }).first().press('Enter')
  const { comparison } = app(page)
  await expect(page.getByText('Common ancestor done')).toBeVisible()
  await expect(page.getByText('first difference at message 5')).toBeVisible()
  await expect(comparison).toContainText('4 messages in common')
  await expect(comparison).toContainText('Make the buttons green')
  await expect(comparison).toContainText('Make the buttons blue')
  await expect(comparison).not.toContainText('Add a checkout page')
  await expectAccessible(page)
  await comparison.focus()
  await page.keyboard.press('Enter')
  await expect(comparison).toContainText('Add a checkout page')
  await page.getByRole('button', { name: 'Swap sides' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Left side' })).toContainText('mark')
  await page.getByRole('button', { name: 'End comparison' }).press('Enter')
  await expect(app(page).context).toBeVisible()
})

test('an entry that is kept is compared with the one that is chosen next', async ({ home, open }) => {
  const page = await open(home.session('compacted', compacted))
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('d')
  await expect(page.getByText('Both sides are the same entry')).toBeVisible()
  await app(page).tab('Tree').press('Enter')
  await app(page)
    .entry(/The second question/)
    .click()
  await app(page).tab('Context').press('Enter')
  const { comparison } = app(page)
  await expect(comparison).toContainText('only left')
  await expect(comparison).toContainText('only right')
  await expect(page.getByText('Common ancestor three')).toBeVisible()
})

test('a message that an edit changed shows what changed', async ({ home, open }) => {
  const page = await open(
    home.session(
      'edited',
      sessionFile([
        header(),
        user('keep\nlong and boring', { id: 'asked' }),
        { type: 'context_edit', id: 'edit', targetId: 'asked', replacement: { role: 'user', content: 'keep\nshort' } }
      ])
    )
  )
  await app(page).tab('Context').press('Enter')
  await page.getByRole('button', { name: 'Compare with…' }).press('Enter')
  await page.getByRole('textbox', { name: 'Entry' }).fill('asked')
  await page.keyboard.press('Enter')
  const { comparison } = app(page)
  await comparison.getByRole('button').first().click()
  await expect(comparison.getByRole('group', { name: 'Difference' })).toHaveText(
    / {2}keep\s+- short\s+\+ long and boring/
  )
  await expectAccessible(page)
})
