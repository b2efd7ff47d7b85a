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
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

test('the inspector shows the chosen entry: texts, thinking, calls, id and line', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/I look at the shop first/)
    .click()
  const { inspector } = app(page)
  await expect(inspector).toContainText('I look at the shop first.')
  await expect(inspector).toContainText('shop.ts')
  await expect(inspector).toContainText('look · line 3')
  await expectAccessible(page)
})

test('the inspector leads to the raw line of the entry', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/They are blue/)
    .click()
  await app(page).inspector.getByRole('button', { name: 'Raw' }).press('Enter')
  await expect(app(page).line('blue-done').first()).toBeVisible()
})

test('thinking is folded until it is wanted', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page)
    .entry(/I look at the shop first/)
    .click()
  const { inspector } = app(page)
  const thinking = inspector.getByText('Where are the pages?')
  await expect(inspector.getByText('Thinking · 20 characters')).toBeVisible()
  await expect(thinking).toBeHidden()
  await inspector.locator('summary').press('Enter')
  await expect(thinking).toBeVisible()
})

test('an image is read and shown when it is wanted', async ({ home, open }) => {
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const content = [
    { type: 'text', text: 'Look at this' },
    { type: 'image', data, mimeType: 'image/png' }
  ]
  const picture = { type: 'message', id: 'picture', message: { role: 'user', content } }
  const page = await open(home.session('picture', sessionFile([header(), picture])))
  const { inspector } = app(page)
  await expect(inspector).toContainText(`Image · image/png · ${Buffer.from(data, 'base64').length} B`)
  await expect(inspector.getByRole('img')).toHaveCount(0)
  await inspector.getByRole('button', { name: 'Show' }).press('Enter')
  await expect(inspector.getByRole('img')).toHaveAccessibleName('image/png in entry picture')
  await expect
    .poll(() => inspector.getByRole('img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(1)
  await expectAccessible(page)
})

test('a long output comes part by part, to its end', async ({ home, open }) => {
  const output = `${'0123456789\n'.repeat(15_000)}the end`
  const file = sessionFile([
    header(),
    user('Count'),
    assistant('', { calls: [{ id: 'count', name: 'bash', arguments: { command: 'count' } }] }),
    toolResult('count', 'bash', output)
  ])
  const page = await open(home.session('counted', file))
  const text = app(page).inspector.getByRole('group', { name: 'Result' })
  await expect(text).toContainText('0123456789')
  await expect(app(page).inspector).toContainText(`of ${output.length.toLocaleString('en')} characters`)
  const more = app(page).inspector.getByRole('button', { name: 'Show more' })
  while (await more.isVisible()) {
    const length = (await text.textContent())?.length ?? 0
    await more.press('Enter')
    await expect.poll(async () => (await text.textContent())?.length ?? 0).toBeGreaterThan(length)
  }
  expect(await text.textContent()).toBe(output)
})

test('the lineage leads from entry to entry', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  const lineage = page.getByRole('region', { name: 'Lineage' })
  await lineage.getByRole('button', { name: /buttons green/ }).press('Enter')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/buttons green/)
  await expect(lineage.getByRole('heading')).toHaveText(['Parent', 'Siblings', 'Children'])
  await lineage.getByRole('button', { name: /buttons blue/ }).press('Enter')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/buttons blue/)
  await lineage.getByRole('button', { name: /The page is there/ }).press('Enter')
  await expect(lineage.getByRole('heading')).toHaveText(['Parent', 'Children, a branch point'])
  await expect(lineage.getByRole('button')).toHaveCount(3)
})

test('tokens and costs are told as recorded, and what is not recorded is unknown', async ({ home, open }) => {
  const [head = '', ask = '', answer = ''] = sessionFile([header(), user('Hello'), assistant('Hi')]).split('\n')
  const bare = JSON.parse(answer) as { id: string; message: { usage?: object } }
  delete bare.message.usage
  const file = [head, ask, answer, JSON.stringify({ ...bare, id: 'bare', parentId: bare.id })].join('\n')
  const page = await open(home.session('counted', `${file}\n`))
  const fact = (name: string) =>
    app(page)
      .inspector.locator('dl > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .getByRole('definition')
  await expect(fact('Output')).toHaveText('unknown')
  await expect(fact('Cost')).toHaveText('unknown')
  await app(page).entries.focus()
  await page.keyboard.press('ArrowUp')
  await expect(fact('Input, not cached')).toHaveText('1,200')
  await expect(fact('Cache read')).toHaveText('900')
  await expect(fact('Cache write')).toHaveText('100')
  await expect(fact('Output')).toHaveText('80')
  await expect(fact('Cost')).toHaveText('$0.0130')
})

test('compactions, summaries and changes of the model are entries like others', async ({ home, open }) => {
  const file = sessionFile([
    header(),
    user('First'),
    assistant('Done'),
    modelChange('acme', 'small-2', { id: 'model' }),
    compaction('What was done so far', 'model', { id: 'compacted' }),
    branchSummary('What the other branch did', 'compacted', { id: 'summed' })
  ])
  const page = await open(home.session('kinds', file))
  const { inspector } = app(page)
  await expect(inspector).toContainText('What the other branch did')
  await app(page)
    .entry(/^Compaction/)
    .click()
  await expect(inspector).toContainText('What was done so far')
  await expect(inspector).toContainText('50,000')
  await app(page)
    .entry(/^Model/)
    .click()
  await expect(inspector).toContainText('small-2')
  await expectAccessible(page)
})
