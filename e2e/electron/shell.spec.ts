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
