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
    constructor({ show, webPreferences, width, x, icon }: BrowserWindowConstructorOptions) {
      log.push(`new ${x} ${width} ${icon} ${show} ${webPreferences?.preload} ${webPreferences?.devTools}`)
    }
    async loadURL(url: string) {
      log.push(url)
    }
    once(_event: 'ready-to-show', listener: () => void) {
      painted = listener
    }
    maximize() {
      log.push('maximize')
    }
    show() {
      log.push('show')
    }
  }
  const place = { bounds: { x: 5, y: 5, width: 1000, height: 700 }, isMaximized: true }
  const { load } = createMainWindow({
    BrowserWindow: FakeWindow,
    preload: '/p.cjs',
    devTools: true,
    icon: '/i.png',
    place
  })
  await load('?session=s')
  painted!()
  expect(log).toEqual(['new 5 1000 /i.png false /p.cjs true', 'maximize', 'app://treeline/?session=s', 'show'])
})
