import { expectAccessible } from '#e2e/support/axe.ts'
import { assistant, header, sessionFile, user } from '#e2e/support/build-session.ts'
import { holdBack } from '#e2e/support/hold-back.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

test('every line of the file is there with its place', async ({ home, open }) => {
  const page = await open(home.session('shop', shopSession))
  await app(page).tab('Raw').press('Enter')
  await expect(app(page).line('"type":"session"')).toContainText('header')
  await expect(app(page).line('Make the buttons green')).toContainText('9')
  await expectAccessible(page)
})

test('a fault leads to its line', async ({ home, open }) => {
  const [first = '', second = ''] = sessionFile([header(), user('Hello there')]).split('\n')
  const page = await open(home.session('broken', `${first}\n${second}\n{"type":"message","id":\n`))
  await page.getByRole('button', { name: '1 fault' }).press('Enter')
  await page.getByRole('button', { name: /line 3/ }).press('Enter')
  await expect(app(page).line('{"type":"message","id":').last()).toBeVisible()
  await app(page).tab('Tree').press('Enter')
  await expect(app(page).entry(/Hello there/)).toBeVisible()
})

test('the faults are listed with their place, and each leads to its line by the keyboard', async ({ home, open }) => {
  const [first = '', second = '', third = ''] = sessionFile([header(), user('Hello'), assistant('Hi')]).split('\n')
  const file = `${first}\n${second}\n[]\n${'x'.repeat(30)}\n${third}\n{"type":"mess`
  const page = await open(home.session('broken', file))
  await expect(app(page).entry(/Hi/)).toBeVisible()
  await page.getByRole('button', { name: '3 faults' }).press('Enter')
  const faults = page.getByRole('list').filter({ hasText: 'line 3' }).getByRole('button')
  await expect(faults).toHaveCount(3)
  await expect(faults.nth(0)).toContainText('not-an-object')
  await expect(faults.nth(1)).toContainText('malformed-line')
  await expect(faults.nth(2)).toContainText('torn-tail')
  await expectAccessible(page)
  await faults.nth(1).press('Enter')
  const offset = Buffer.byteLength(`${first}\n${second}\n[]\n`).toLocaleString('en')
  const line = app(page).line('xxxxxxxx')
  await expect(line).toContainText(`4${offset}31fault`)
})

test('thousands of lines are paged, from the first to the last', async ({ home, open }) => {
  const turns = Array.from({ length: 3000 }, (_, turn) => user(`Question ${turn}`))
  const page = await open(home.session('long', sessionFile([header(), ...turns])))
  await expect(app(page).entry(/Question 2999/)).toBeVisible()
  await page.keyboard.press('6')
  await expect(app(page).lines).toBeFocused()
  await page.keyboard.press('End')
  await expect(app(page).line('Question 2999')).toContainText('3,001')
  await page.keyboard.press('Home')
  await expect(app(page).line('"type":"session"')).toBeVisible()
  await page.keyboard.press('PageDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('1')
  await expect(app(page).chosenEntry).not.toHaveAccessibleName(/Question 2999/)
  await expect(app(page).chosenEntry).toBeVisible()
})

test('a long line is shown part by part, to its end', async ({ home, open }) => {
  const page = await open(home.session('wide', sessionFile([header(), user(`${'wide '.repeat(120_000)}to the end`)])))
  await expect(app(page).entry(/wide/)).toBeVisible()
  await page.keyboard.press('6')
  await expect(app(page).lines).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  const whole = page.getByRole('region', { name: 'Text of the line' })
  await expect(whole).toContainText('"role":"user"')
  await expect(whole).not.toContainText('to the end')
  await expectAccessible(page)
  const shown = async () => (await whole.textContent()) ?? ''
  for (let text = await shown(); !text.includes('to the end'); text = await shown()) {
    // It is there again once the part before has come.
    await whole.getByRole('button', { name: 'Show more' }).press('Enter')
    await expect.poll(async () => (await shown()).length).toBeGreaterThan(text.length)
  }
  await app(page).lines.focus()
  await page.keyboard.press('Space')
  await expect(whole).toHaveCount(0)
})

const stock = sessionFile([
  header(),
  ...Array.from({ length: 40 }, (_, turn) => [user(`Question ${turn}`), assistant(`Answer ${turn}`)]).flat()
])
const activeLine = (line: number) => ['aria-activedescendant', `raw-line-${line}`] as const

test('a key that is pressed before the line of the entry is known holds', async ({ context, home, open }) => {
  const letGo = await holdBack(context, 'entry.detail')
  const page = await open(home.session('stock', stock))
  await expect(app(page).entry(/Answer 39/)).toBeVisible()
  await page.keyboard.press('6')
  await expect(app(page).lines).toBeFocused()
  await expect(app(page).line('"type":"session"')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(app(page).lines).toHaveAttribute(...activeLine(2))
  letGo()
  await expect(app(page).inspector).toContainText('Answer 39')
  await page.keyboard.press('ArrowDown')
  await expect(app(page).lines).toHaveAttribute(...activeLine(3))
})

test('a key that is pressed before there are lines holds', async ({ context, home, open }) => {
  const letGo = await holdBack(context, 'line.page')
  const page = await open(home.session('stock', stock))
  await expect(app(page).entries).toBeFocused()
  await page.keyboard.press('Home')
  await expect(app(page).inspector).toContainText('Question 0')
  await page.keyboard.press('6')
  await expect(app(page).lines).toBeFocused()
  await page.keyboard.press('End')
  letGo()
  await expect(app(page).line('Answer 39')).toBeInViewport()
  await expect(app(page).lines).toHaveAttribute(...activeLine(81))
})

test('a key that is pressed while a chosen line’s entry is read holds', async ({ context, home, open }) => {
  const letGo = await holdBack(context, 'entry.detail', 1)
  const page = await open(home.session('stock', stock))
  await expect(app(page).inspector).toContainText('Answer 39')
  await page.keyboard.press('6')
  await expect(app(page).line('Answer 39')).toBeInViewport()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await expect(app(page).lines).toHaveAttribute(...activeLine(3))
  letGo()
  await expect(app(page).inspector).toContainText('Question 0')
  await page.keyboard.press('ArrowDown')
  await expect(app(page).lines).toHaveAttribute(...activeLine(4))
})
