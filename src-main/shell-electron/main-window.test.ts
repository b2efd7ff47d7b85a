import type { BrowserWindowConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import { createMainWindow, pagePreferences } from './main-window.ts'

test('the page has no more than a page in a browser has', () => {
  const preferences = pagePreferences('/out/preload.cjs', false)
  expect(preferences).toEqual({
    preload: '/out/preload.cjs',
    devTools: false,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false
  })
  expect(Object.isFrozen(preferences)).toBe(true)
})

test('the window loads our page alone and shows itself once it is painted', async () => {
  const log: string[] = []
  let painted: (() => void) | undefined
  class FakeWindow {
    constructor({ show, webPreferences }: BrowserWindowConstructorOptions) {
      log.push(`new ${show} ${webPreferences?.preload} ${webPreferences?.devTools}`)
    }
    async loadURL(url: string) {
      log.push(url)
    }
    once(_event: 'ready-to-show', listener: () => void) {
      painted = listener
    }
    show() {
      log.push('show')
    }
  }
  const { load } = createMainWindow({ BrowserWindow: FakeWindow, preload: '/p.cjs', devTools: true })
  await load('?session=s')
  painted!()
  expect(log).toEqual(['new false /p.cjs true', 'app://treeline/?session=s', 'show'])
})
