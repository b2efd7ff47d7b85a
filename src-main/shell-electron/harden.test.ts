import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Session } from 'electron'
import { expect, test } from 'vitest'
import { harden, type HardenDeps } from './harden.ts'

type RequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>
type CheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>
type Permission = Parameters<CheckHandler>[1]
type WindowOpen = (details: { readonly url: string }) => { readonly action: string }

function hardened() {
  const app = new EventEmitter()
  const opened: string[] = []
  let request: RequestHandler | undefined
  let check: CheckHandler | undefined
  let device: (() => boolean) | undefined
  let windowOpen: WindowOpen | undefined
  const session = {
    setPermissionRequestHandler: (handler: RequestHandler) => (request = handler),
    setPermissionCheckHandler: (handler: CheckHandler) => (check = handler),
    setDevicePermissionHandler: (handler: () => boolean) => (device = handler)
  }
  harden({
    app,
    session: session as unknown as HardenDeps['session'],
    openOutside: (url) => opened.push(url)
  })
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: WindowOpen) => (windowOpen = handler)
  })
  app.emit('web-contents-created', {}, contents)

  const prevented = (event: string, url: string) => {
    let stopped = false
    contents.emit(event, { url, preventDefault: () => (stopped = true) })
    return stopped
  }
  const granted = (permission: Permission, url: string) => {
    let answer: boolean | undefined
    request!({} as never, permission, (value) => (answer = value), { requestingUrl: url } as never)
    expect(check!(null, permission, url, {} as never)).toBe(answer)
    return answer
  }
  return { opened, prevented, granted, device: () => device!(), windowOpen: (url: string) => windowOpen!({ url }) }
}

/** Every permission that Electron's own types name. */
function allPermissions(): Permission[] {
  const types = join(createRequire(import.meta.url).resolve('electron/package.json'), '..', 'electron.d.ts')
  const union = /setPermissionCheckHandler\(handler: .*?permission: (.+?), requestingOrigin/.exec(
    readFileSync(types, 'utf8')
  )![1]!
  return [...union.matchAll(/'([^']+)'/g)].map((match) => match[1] as Permission)
}

test('no permission is granted but copying, and that to our page only', () => {
  const { granted, device } = hardened()
  const permissions = allPermissions()
  expect(permissions.length).toBeGreaterThan(30)
  for (const permission of permissions) {
    expect(granted(permission, 'app://treeline/')).toBe(permission === 'clipboard-sanitized-write')
    for (const url of ['https://evil.example/', 'app://treeline.evil/', 'file:///', '']) {
      expect(granted(permission, url)).toBe(false)
    }
  }
  expect(device()).toBe(false)
})

test.each(['will-navigate', 'will-redirect', 'will-frame-navigate'])('%s stays on our own page', (event) => {
  const { prevented } = hardened()
  for (const url of ['app://treeline/', 'app://treeline/?session=s']) expect(prevented(event, url)).toBe(false)
  for (const url of [
    'https://evil.example/?next=app://treeline/',
    'app://treeline.evil/',
    'http://127.0.0.1/',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:0',
    'about:blank',
    ''
  ])
    expect(prevented(event, url)).toBe(true)
})

test('no webview is ever attached', () => {
  const { prevented } = hardened()
  expect(prevented('will-attach-webview', 'app://treeline/')).toBe(true)
})

test('no window is ever opened; a secure page may be offered to the browser, nothing else', () => {
  const { opened, windowOpen } = hardened()
  for (const url of [
    'file:///etc/passwd',
    'smb://host/share',
    'ms-msdt:/id',
    'http://example.com/',
    'https://user:password@example.com/',
    'https://user@example.com/',
    'javascript:0',
    'app://treeline/',
    ''
  ])
    expect(windowOpen(url)).toEqual({ action: 'deny' })
  expect(opened).toEqual([])
  expect(windowOpen('https://example.com/page')).toEqual({ action: 'deny' })
  expect(opened).toEqual(['https://example.com/page'])
})
