import { readFileSync } from 'node:fs'
import { _electron as electron, type ElectronApplication, type Page, expect, test as base } from '@playwright/test'
import { type Home, makeHome } from '#e2e/support/home.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

interface Fixtures {
  readonly home: Home
  readonly running: ElectronApplication
  readonly page: Page
}

const test = base.extend<Fixtures>({
  // Playwright reads the first parameter's pattern: it must be one, even an empty one.
  // oxlint-disable-next-line no-empty-pattern
  home: async ({}, provide) => {
    using home = makeHome()
    home.session('shop', shopSession)
    await provide(home)
  },
  running: async ({ home }, provide) => {
    const running = await electron.launch({
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '.', home.sessions],
      env: { ...(process.env as Record<string, string>), HOME: home.path }
    })
    await provide(running)
    await running.close()
  },
  page: async ({ running }, provide) => {
    await provide(await running.firstWindow())
  }
})

test('the window shows the sessions of the folder, from its own scheme', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.reload()
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
  expect(page.url()).toMatch(/^app:/)
  expect(requests.filter((url) => !url.startsWith('app:'))).toEqual([])
})

test('the page has no Node and a bridge of two functions', async ({ page }) => {
  const found = await page.evaluate(() => ({
    require: typeof Reflect.get(globalThis, 'require'),
    process: typeof Reflect.get(globalThis, 'process'),
    bridge: Object.keys(Reflect.get(globalThis, 'bridge') as object)
  }))
  expect(found).toEqual({ require: 'undefined', process: 'undefined', bridge: ['post', 'onMessage'] })
})

test('the page goes nowhere and opens nothing', async ({ page, running }) => {
  await page.evaluate(() => {
    location.href = 'https://example.com/'
    open('https://example.com/', '_blank')
  })
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
  expect(page.url()).toMatch(/^app:/)
  expect(running.windows()).toHaveLength(1)
})

test('permissions are refused', async ({ page }) => {
  const asked = await page.evaluate(async () => ({
    geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
    camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(
      () => 'granted',
      () => 'denied'
    )
  }))
  expect(asked).toEqual({ geolocation: 'denied', camera: 'denied' })
})

test('the window has the preferences that its sources say', async ({ page, running }) => {
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
  const preferences = await running.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    // Electron's types leave it out.
    return contents && (Reflect.get(contents, 'getLastWebPreferences') as () => object).call(contents)
  })
  expect(preferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false
  })
})

test('a frame gets no bridge, and a webview stays an element that does nothing', async ({ page, running }) => {
  const found = await page.evaluate(async () => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const webview = document.createElement('webview')
    document.body.append(webview)
    return {
      bridge: frame.contentWindow === null ? undefined : typeof Reflect.get(frame.contentWindow, 'bridge'),
      load: typeof Reflect.get(webview, 'loadURL')
    }
  })
  expect(found).toEqual({ bridge: 'undefined', load: 'undefined' })
  expect(await running.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
})

test('a secure link asks first and then leaves by the person’s browser; others never do', async ({ page, running }) => {
  await running.evaluate(({ dialog, shell }) => {
    const opened: string[] = []
    Reflect.set(globalThis, 'opened', opened)
    dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false })
    shell.openExternal = (url) => Promise.resolve(void opened.push(url))
  })
  await page.evaluate(() => {
    for (const url of ['file:///etc/passwd', 'https://me:secret@example.com/', 'https://example.com/']) open(url)
  })
  await expect
    .poll(() => running.evaluate(() => Reflect.get(globalThis, 'opened') as string[]))
    .toEqual(['https://example.com/'])
})

test('no policy is violated while the views are looked at', async ({ page }) => {
  await page.evaluate(() => {
    Reflect.set(globalThis, 'violated', [])
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      ;(Reflect.get(globalThis, 'violated') as string[]).push(`${violatedDirective} ${blockedURI}`)
    })
  })
  await app(page)
    .session(/Add a checkout page/)
    .click()
  for (const tab of ['Transcript', 'Context', 'Compactions', 'Tokens and cache', 'Raw', 'Tree'] as const)
    await app(page).tab(tab).click()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'violated') as string[])).toEqual([])
})

test('Electron is the one that is pinned', async ({ running }) => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly devDependencies: { readonly electron: string }
  }
  expect(await running.evaluate(() => process.versions['electron'])).toBe(devDependencies.electron)
})

test('settings of the menu open the dialog of the page', async ({ page, running }) => {
  // A page that is not drawn yet hears nothing.
  await expect(app(page).session(/Add a checkout page/)).toBeVisible()
  await running.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? []
    items.find(({ label }) => label === 'Settings…')?.click()
  })
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
})
