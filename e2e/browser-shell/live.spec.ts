import { renameSync, writeFileSync } from 'node:fs'
import { header, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, test } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

const more = (id: string, text: string) =>
  `${JSON.stringify({ type: 'message', id, parentId: 'green-done', timestamp: '2026-03-01T11:00:00.000Z', message: { role: 'user', content: text } })}\n`

test('an entry that an agent appends appears, and half a line does not', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(home.sessions)
  await app(page)
    .session(/Add a checkout page/)
    .click()
  await expect(app(page).entry(/They are green/)).toBeVisible()

  home.append(file, more('next', 'Now the footer'))
  await expect(app(page).entry(/Now the footer/)).toBeVisible()

  const line = more('half', 'Now the header')
  home.append(file, line.slice(0, 60))
  home.session('other', sessionFile([header({ id: 'other' }), user('Something else')]))
  await expect(app(page).session(/Something else/)).toBeVisible()
  await expect(app(page).entry(/Now the header/)).toHaveCount(0)

  home.append(file, line.slice(60))
  await expect(app(page).entry(/Now the header/)).toBeVisible()
})

test('a file that is replaced is read again', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(home.sessions)
  await app(page)
    .session(/Add a checkout page/)
    .click()
  await expect(app(page).entry(/They are green/)).toBeVisible()
  const fresh = home.write('fresh.tmp', sessionFile([header(), user('All new')]))
  renameSync(fresh, file)
  await expect(app(page).entry(/All new/)).toBeVisible()
  await expect(app(page).entry(/They are green/)).toHaveCount(0)
})

test('a file that is cut short is read again', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(home.sessions)
  await app(page)
    .session(/Add a checkout page/)
    .click()
  await expect(app(page).entry(/They are green/)).toBeVisible()
  writeFileSync(file, shopSession.split('\n').slice(0, 5).join('\n').concat('\n'))
  await expect(app(page).entry(/They are green/)).toHaveCount(0)
  await expect(app(page).entry(/The page is there/)).toBeVisible()
})
