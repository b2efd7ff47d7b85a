import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { expectAccessible } from '#e2e/support/axe.ts'
import { assistant, compaction, header, idAt, sessionFile, user } from '#e2e/support/build-session.ts'
import { expect, startShell, test } from '#e2e/support/launch.ts'
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

test('what another process writes appears, though it never closes the file', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(file)
  await expect(app(page).chosenEntry).toHaveAccessibleName(/They are green/)
  const program = `
    const fd = require('node:fs').openSync(process.argv[1], 'a')
    process.stdin.on('data', (chunk) => require('node:fs').writeSync(fd, chunk))`
  const writer = spawn(process.execPath, ['--eval', program, file], { stdio: ['pipe', 'ignore', 'inherit'] })
  try {
    writer.stdin.write(more('next', 'Now the footer'))
    await expect(app(page).entry(/Now the footer/)).toBeVisible()
    writer.stdin.write(more('later', 'Now the header'))
    await expect(app(page).entry(/Now the header/)).toBeVisible()
    await expect(app(page).chosenEntry).toHaveAccessibleName(/Now the header/)
  } finally {
    writer.stdin.end()
    await once(writer, 'close')
  }
})

test('what the person looks at stays where it is while the file grows', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  const page = await open(file)
  await expect(app(page).chosenEntry).toHaveAccessibleName(/They are green/)
  await app(page).entries.focus()
  await page.keyboard.press('Home')
  await expect(app(page).chosenEntry).toHaveAccessibleName(/Add a checkout page/)
  home.append(file, more('next', 'Now the footer'))
  await expect(app(page).entry(/Now the footer/)).toBeVisible()
  await expect(app(page).chosenEntry).toHaveAccessibleName(/Add a checkout page/)
  await expect(app(page).entries).toBeFocused()
})

test('what is said of the current path stays until its end is told anew', async ({ home, open }) => {
  const used = { input: 100, output: 10, cacheRead: 300, cacheWrite: 0 }
  const told = [header(), user('Count'), compaction('They counted.', idAt(1)), assistant('One.', { usage: used })]
  const file = home.session('count', sessionFile(told))
  const page = await open(file)
  const strip = page.getByRole('region', { name: 'Prompt per request' })
  await expect(strip).toContainText('75 % read from cache')
  const compactions = page.getByRole('tab', { name: 'Compactions' })
  await expect(compactions).toHaveText('Compactions 1')
  await page.evaluate(() => {
    const gone: string[] = []
    Object.assign(window, { gone })
    const kept = () => ({
      strip: document.querySelector('[aria-label="Prompt per request"]') !== null,
      count: document.querySelector('[role="tablist"]')?.textContent?.includes('Compactions 1') === true,
      detail: document.querySelector('[aria-label="Selected entry"]') !== null
    })
    const look = () => gone.push(...Object.entries(kept()).flatMap(([name, isThere]) => (isThere ? [] : [name])))
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  const drafts = [...told]
  for (const [cacheRead, share] of [
    [900, '86 %'],
    [1800, '91 %']
  ] as const) {
    const before = sessionFile(drafts)
    drafts.push(assistant(`Read ${cacheRead}.`, { usage: { ...used, cacheRead } }))
    home.append(file, sessionFile(drafts).slice(before.length))
    await expect(strip).toContainText(`${share} read from cache`)
    await expect(page.getByRole('article', { name: 'Selected entry' })).toContainText(`Read ${cacheRead}.`)
  }
  expect(await page.evaluate(() => (window as unknown as { readonly gone: readonly string[] }).gone)).toEqual([])
})

test('a folder that is moved away is told to be gone, and comes back', async ({ home, open }) => {
  home.session('shop', shopSession)
  home.session('till', sessionFile([header({ id: 'second' }), user('Count the till')]))
  const page = await open(home.sessions)
  await expect(app(page).session(/Count the till/)).toBeVisible()
  const away = `${home.sessions}-away`
  renameSync(home.sessions, away)
  await expect(page.getByText('The folder is gone')).toBeVisible()
  renameSync(away, home.sessions)
  await expect(app(page).session(/Count the till/)).toBeVisible()
  await expect(page.getByText('The folder is gone')).toHaveCount(0)
  home.session('later', sessionFile([header({ id: 'third' }), user('Close the shop')]))
  await expect(app(page).session(/Close the shop/)).toBeVisible()
})

test('a file that is deleted is told to be gone, and comes back', async ({ home, open }) => {
  const file = home.session('shop', shopSession)
  home.session('till', sessionFile([header({ id: 'second' }), user('Count the till')]))
  const page = await open(home.sessions)
  await app(page)
    .session(/Add a checkout page/)
    .click()
  await expect(app(page).entry(/They are green/)).toBeVisible()
  rmSync(file)
  await expect(page.getByRole('alert')).toContainText('The file is gone')
  await expect(page.getByRole('alert')).toContainText(file)
  await expect(app(page).session(/Add a checkout page/)).toHaveCount(0)
  await expect(app(page).session(/Count the till/)).toBeVisible()
  await expectAccessible(page)
  home.session('shop', shopSession)
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
})

test('an engine that has ended is told, and what was read stays', async ({ home, page }) => {
  const file = home.session('shop', shopSession)
  const shell = await startShell(home, [file])
  try {
    await page.goto(shell.url)
    await expect(app(page).entry(/They are green/)).toBeVisible()
    await expect(page.getByRole('article', { name: 'Selected entry' })).toContainText('They are green')
  } finally {
    await shell[Symbol.asyncDispose]()
  }
  await expect(page.getByRole('alert')).toContainText('Not connected.')
  await expect(app(page).entry(/They are green/)).toBeVisible()
  await expectAccessible(page)
})

test('a part of the engine that has ended is told, and started again by its button', async ({ home, page }) => {
  await using shell = await startShell(home, [home.session('shop', shopSession)])
  let ended: object | null = null
  let say = () => {}
  // No session file ends a thread, so the engine's words are put in between.
  await page.routeWebSocket(/channel/, (socket) => {
    const engine = socket.connectToServer()
    say = () => socket.send(JSON.stringify({ kind: 'event', name: 'engine.changed', payload: {} }))
    socket.onMessage((text) => {
      const { kind, id, name } = JSON.parse(String(text)) as { kind: string; id: number; name: string }
      if (kind === 'call' && name === 'engine.state')
        socket.send(JSON.stringify({ kind: 'result', id, output: { ended } }))
      else {
        if (name === 'engine.restart') ended = null
        engine.send(text)
      }
    })
  })
  await page.goto(shell.url)
  await expect(app(page).entry(/They are green/)).toBeVisible()
  ended = { role: 'reader', why: { kind: 'memory' } }
  say()
  await expect(page.getByRole('alert')).toContainText('answers this window ran out of memory')
  await expect(app(page).entry(/They are green/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start it again' }).press('Enter')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(app(page).entries).toBeFocused()
  await app(page).tab('Context').press('Enter')
  await expect(app(page).context).toContainText('They are green')
})
