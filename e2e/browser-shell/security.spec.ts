import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { type RunningShell, expect, startShell, test as base } from '#e2e/support/launch.ts'
import { app } from '#e2e/support/pages.ts'
import { shopSession } from '#e2e/support/shop-session.ts'

interface Fixtures {
  readonly shell: RunningShell
  /** A page of someone else, on another port of this machine; in the same browser that has the app open. */
  readonly foreign: Page
}

const test = base.extend<Fixtures>({
  shell: async ({ home }, provide) => {
    home.session('shop', shopSession)
    await using shell = await startShell(home, [home.sessions])
    await provide(shell)
  },
  foreign: async ({ context, shell }, provide) => {
    const first = await context.newPage()
    await first.goto(shell.url)
    await expect(app(first).session(/Add a checkout page/)).toBeVisible()
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>foreign</title>')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await provide(page)
    server.closeAllConnections()
    server.close()
  }
})

/** Status of a request as no browser would send it. */
function status(url: URL, path: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const sent = httpRequest({ host: '127.0.0.1', port: url.port, path, method, headers }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
  sent.on('upgrade', (response, socket) => {
    socket.destroy()
    resolve(response.statusCode)
  })
  sent.on('error', reject)
  sent.end()
  return promise
}

const upgrade = (headers: Record<string, string>) => ({
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  ...headers
})

test('a page on another port reads nothing by fetch', async ({ shell, foreign }) => {
  const read = await foreign.evaluate(
    (url) =>
      fetch(url, { credentials: 'include' }).then(
        () => 'read',
        () => 'refused'
      ),
    new URL('/', shell.url).href
  )
  expect(read).toBe('refused')
})

test('a page on another port loads no script of ours', async ({ shell, foreign, context }) => {
  const script = await context.pages()[0]!.evaluate(() => document.querySelector('script[src]')!.getAttribute('src')!)
  const loaded = await foreign.evaluate(
    (url) =>
      new Promise((resolve) => {
        const element = document.createElement('script')
        element.addEventListener('load', () => resolve('loaded'))
        element.addEventListener('error', () => resolve('refused'))
        element.src = url
        document.head.append(element)
      }),
    new URL(script, shell.url).href
  )
  expect(loaded).toBe('refused')
})

test('a page on another port opens no channel, though the browser would send the cookie', async ({
  shell,
  foreign
}) => {
  const opened = await foreign.evaluate(
    (url) =>
      new Promise((resolve) => {
        const socket = new WebSocket(url)
        socket.addEventListener('open', () => resolve('open'))
        socket.addEventListener('error', () => resolve('refused'))
      }),
    new URL('/channel', shell.url).href.replace('http', 'ws')
  )
  expect(opened).toBe('refused')
})

test('a form on another port is refused even with the right token', async ({ shell, foreign }) => {
  const answered = foreign.waitForResponse((response) => response.url().endsWith('/token'))
  await foreign.evaluate(
    ([url, token]) => {
      const form = document.createElement('form')
      form.method = 'post'
      form.enctype = 'text/plain'
      form.action = url!
      const field = document.createElement('input')
      field.name = token!
      form.append(field)
      document.body.append(form)
      form.submit()
    },
    [new URL('/token', shell.url).href, new URL(shell.url).hash.slice(1)]
  )
  expect((await answered).status()).toBe(403)
})

test('a page on another port cannot frame the app', async ({ shell, foreign }) => {
  await foreign.evaluate((url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
  }, new URL('/', shell.url).href)
  const frame = await (await foreign.waitForSelector('iframe')).contentFrame()
  await expect.poll(() => frame?.url()).toContain('chrome-error:')
})

test('another name for this machine is refused', async ({ shell }) => {
  const url = new URL(shell.url)
  expect(await status(url, '/', { host: `rebound.example:${url.port}` })).toBe(421)
  expect(await status(url, '/', { host: '127.0.0.1.evil.example' })).toBe(421)
  expect(await status(url, '/', { host: 'localhost:8080' })).toBe(200)
})

test('without the cookie there is no channel, and with a foreign origin neither', async ({ shell }) => {
  const { host, origin } = new URL(shell.url)
  const url = new URL(shell.url)
  expect(await status(url, '/channel', upgrade({ host, origin }))).toBe(401)
  expect(await status(url, '/channel', upgrade({ host, origin: 'http://evil.example' }))).toBe(403)
  expect(await status(url, '/channel', upgrade({ host }))).toBe(403)
})

test('nothing outside the page is served', async ({ shell }) => {
  const url = new URL(shell.url)
  for (const path of ['/../package.json', '/..%2fpackage.json', '/%2e%2e/package.json', '/..\\package.json', '/\0']) {
    expect(await status(url, encodeURI(path), { host: url.host }), path).toBe(404)
  }
  expect(await status(url, '/', { host: url.host }, 'PUT')).toBe(405)
})

test('without the token a browser is told what to do', async ({ shell, page }) => {
  await page.goto(new URL('/', shell.url).href)
  await expect(page.getByText(/Open the address that it printed/)).toBeVisible()
})

test('the address works a second time, in another browser, and after a reload', async ({ shell, browser }) => {
  for (const _ of ['first', 'second']) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(shell.url)
    await expect(app(page).session(/Add a checkout page/)).toBeVisible()
    expect(page.url()).not.toContain('#')
    await page.reload()
    await expect(app(page).session(/Add a checkout page/)).toBeVisible()
    await context.close()
  }
})
