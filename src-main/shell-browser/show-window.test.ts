import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { appWindowArguments } from './app-window.ts'
import { openCommand } from './default-browser.ts'
import { showWindow } from './show-window.ts'

const before = process.env['CHROME_PATH']
afterEach(() => {
  if (before === undefined) delete process.env['CHROME_PATH']
  else process.env['CHROME_PATH'] = before
})

/** A program that notes its arguments and stays until it is told to end. */
function fakeBrowser(): { readonly path: string; readonly seen: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-browser-'))
  const path = join(folder, 'chromium')
  writeFileSync(path, `#!/bin/sh\necho "$@" > ${folder}/new && mv ${folder}/new ${folder}/seen\nexec sleep 60\n`)
  chmodSync(path, 0o755)
  return { path, seen: () => readFileSync(join(folder, 'seen'), 'utf8') }
}

test('without a display there is no window, and the person is told', async () => {
  const shown = await showWindow('http://127.0.0.1:1/#t', '/data', { env: {}, platform: 'linux', root: false })
  expect(shown).toEqual({ how: expect.stringMatching(/no display/), window: undefined, open: false })
})

test('an installed browser shows the page in a window of its own, which can be closed', async () => {
  const browser = fakeBrowser()
  process.env['CHROME_PATH'] = browser.path
  const machine = { env: { DISPLAY: ':0' }, platform: 'linux', root: false } as const
  const shown = await showWindow('http://127.0.0.1:1/#t', '/data', machine)
  expect(shown).toMatchObject({ open: true, how: `in a window of ${browser.path}` })
  await expect.poll(browser.seen).toMatch(/^--app=http:\/\/127\.0\.0\.1:1\/#t --user-data-dir=\/data\/browser-profile /)
  expect(browser.seen()).not.toContain('--no-sandbox')
  await shown.window?.close()
})

test('for root the browser has no sandbox, and the person is told', async () => {
  const browser = fakeBrowser()
  process.env['CHROME_PATH'] = browser.path
  const machine = { env: { WAYLAND_DISPLAY: 'w' }, platform: 'linux', root: true } as const
  const shown = await showWindow('http://127.0.0.1:1/#t', '/data', machine)
  expect(shown.how).toMatch(/without its sandbox because you are root/)
  await expect.poll(browser.seen).toContain('--no-sandbox')
  await shown.window?.close()
})

test('the window opens no port for debuggers and calls nobody', () => {
  const args = appWindowArguments('http://127.0.0.1:1/', '/profile', true)
  expect(args.filter((argument) => argument.includes('remote-debugging'))).toEqual([])
  for (const quiet of [
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync'
  ]) {
    expect(args).toContain(quiet)
  }
})

test('each system has its way to the default browser, and none reads the address as a command', () => {
  const url = 'http://127.0.0.1:1/?a=1&b=2#t'
  expect(openCommand(url, 'linux')).toEqual(['xdg-open', url])
  expect(openCommand(url, 'darwin')).toEqual(['open', url])
  expect(openCommand(url, 'win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', url])
})
