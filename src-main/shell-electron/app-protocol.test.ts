import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentSecurityPolicy } from '#main/platform/page-headers.ts'
import { appProtocol, appSchemes } from './app-protocol.ts'
import { isAppUrl } from './app-url.ts'

const folder = mkdtempSync(join(tmpdir(), 'treeline-protocol-'))
const renderer = join(folder, 'renderer')
mkdirSync(join(renderer, 'assets'), { recursive: true })
writeFileSync(join(renderer, 'index.html'), '<!doctype html>')
writeFileSync(join(renderer, 'assets', 'page-1a2b.js'), 'export {}')
writeFileSync(join(folder, 'secret.js'), 'secret')
symlinkSync(join(folder, 'secret.js'), join(renderer, 'link.js'))
const respond = appProtocol(renderer)

test('the page and its files are served with the policy of the other shell', async () => {
  for (const [path, type] of [
    ['', 'text/html'],
    ['?session=s', 'text/html'],
    ['assets/page-1a2b.js', 'text/javascript']
  ]) {
    const response = await respond(new Request(`app://treeline/${path}`))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(type)
    expect(response.headers.get('content-security-policy')).toBe(contentSecurityPolicy)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test.each([
  'app://treeline/../secret.js',
  'app://treeline/%2e%2e/secret.js',
  'app://treeline/..%2fsecret.js',
  'app://treeline/..\\secret.js',
  'app://treeline/%00',
  'app://treeline/link.js',
  'app://other/index.html',
  'app://treeline.evil/index.html',
  'https://treeline/index.html',
  'file:///etc/passwd'
])('%s is not found', async (url) => {
  const response = await respond(new Request(url))
  expect(response.status).toBe(404)
  expect(await response.text()).toBe('')
})

test('only GET is answered', async () => {
  for (const method of ['POST', 'PUT', 'HEAD']) {
    expect((await respond(new Request('app://treeline/', { method }))).status).toBe(405)
  }
})

test('the scheme has the privileges that a page needs, and none that gets round its policy', () => {
  expect(appSchemes).toEqual([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }])
})

test('only addresses of our own scheme and host are ours', () => {
  for (const ours of ['app://treeline/', 'app://treeline/?session=s#x']) expect(isAppUrl(ours)).toBe(true)
  for (const other of [
    'app://x.treeline/',
    'app://treeline.evil/',
    'app:treeline',
    'https://evil/?next=app://treeline/',
    'file:///',
    'data:text/html,x',
    'javascript:0',
    '',
    'treeline'
  ])
    expect(isAppUrl(other)).toBe(false)
})
