import { mkdtempSync, readFileSync, symlinkSync, writeFileSync, existsSync, mkdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { contentSecurityPolicy } from '#main/platform/page-headers.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import { createBrowserServer, servePageFrom, type BrowserServer } from './browser-server.ts'

let folder: string
let server: BrowserServer
let base: string
let token: string
let channels: Channel[]
let windows: number[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-server-'))
  const renderer = join(folder, 'renderer')
  mkdirSync(join(renderer, 'assets'), { recursive: true })
  writeFileSync(join(renderer, 'index.html'), '<!doctype html><title>Treeline</title>')
  writeFileSync(join(renderer, 'assets', 'page-1a2b.js'), 'export {}')
  writeFileSync(join(folder, 'secret.js'), 'secret')
  symlinkSync(join(folder, 'secret.js'), join(renderer, 'link.js'))
  channels = []
  windows = []
  server = await createBrowserServer({
    port: 0,
    servePage: servePageFrom(renderer),
    onChannel: (channel) => channels.push(channel),
    onWindows: (count) => windows.push(count)
  })
  const url = new URL(server.url('?session=s'))
  base = url.origin
  token = url.hash.slice(1)
})
afterEach(() => server.close())

interface Answer {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

/** Sends exactly this path and these headers, as no browser would. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(base)
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function letIn(): Promise<string> {
  const { headers } = await send('/token', { origin: base }, 'POST', token)
  return String(headers['set-cookie']).split(';')[0]!
}

/** Opens the channel, or rejects with the status that the upgrade was refused with. */
function upgrade(headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/channel`, { headers })
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))))
    socket.on('error', reject)
  })
}

test('listens on this machine only, on a port that the system chose, with a token of 256 bits', () => {
  expect(server.url('?session=s')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?session=s#[\w-]{43}$/)
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
})

test('the page and its files come with every protecting header and no permission for other origins', async () => {
  for (const path of ['/', '/index.html', '/?session=s', '/assets/page-1a2b.js']) {
    const { status, headers } = await send(path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer'
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

test.each([
  '/../secret.js',
  '/assets/../../secret.js',
  '/%2e%2e/secret.js',
  '/..%2fsecret.js',
  '/..\\secret.js',
  '/assets%00.js',
  '//secret.js',
  '/link.js',
  '/.hidden.js',
  '/assets',
  '/package.json',
  'http://127.0.0.1/secret.js'
])('%s is not a file of the page', async (path) => {
  expect(await send(path)).toMatchObject({ status: 404, body: '' })
})

test('only GET is answered, save for the exchange of the token', async () => {
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'HEAD']) expect((await send('/', {}, method)).status).toBe(405)
  expect((await send('/', { origin: base }, 'POST')).status).toBe(405)
})

test('a host of another name is refused, so that a rebound name reaches nothing; a forwarded port is let through', async () => {
  for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil', '[::1]', 'localhost:1:2']) {
    expect((await send('/', { host })).status).toBe(421)
  }
  for (const host of ['localhost:9999', '127.0.0.1:1', 'localhost'])
    expect((await send('/', { host })).status).toBe(200)
})

test('the token buys a cookie that scripts cannot read and other sites do not send, again and again', async () => {
  for (let use = 0; use < 2; use++) {
    const { status, headers } = await send('/token', { origin: base }, 'POST', token)
    expect(status).toBe(204)
    expect(String(headers['set-cookie'])).toMatch(/^treeline-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
    expect(String(headers['set-cookie'])).not.toContain(token)
  }
})

test('the address of a window of our own works once', async () => {
  const once = new URL(server.windowUrl('?session=s'))
  expect(once.origin + once.search).toBe(`${base}?session=s`)
  expect(once.hash.slice(1)).not.toBe(token)
  const use = async () => (await send('/token', { origin: base }, 'POST', once.hash.slice(1))).status
  expect([await use(), await use()]).toEqual([204, 403])
})

test('the token buys nothing from another origin, without one, or when it is wrong', async () => {
  const attempts: [Record<string, string>, string][] = [
    [{ origin: 'http://127.0.0.1:1' }, token],
    [{ origin: 'null' }, token],
    [{}, token],
    [{ origin: base }, ''],
    [{ origin: base }, `${token}x`],
    [{ origin: base }, 'x'.repeat(100_000)]
  ]
  for (const [headers, body] of attempts) {
    const answer = await send('/token', headers, 'POST', body)
    expect(answer.status).toBe(403)
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
})

test('the channel opens for our own page with the cookie, and for nobody else', async () => {
  const cookie = await letIn()
  const name = cookie.split('=')[0]!
  await expect(upgrade({ origin: base })).rejects.toThrow('401')
  await expect(upgrade({ origin: base, cookie: `${name}=${'x'.repeat(43)}` })).rejects.toThrow('401')
  await expect(upgrade({ cookie })).rejects.toThrow('403')
  await expect(upgrade({ origin: 'http://127.0.0.1:1', cookie })).rejects.toThrow('403')
  await expect(upgrade({ origin: 'http://evil', host: 'evil', cookie })).rejects.toThrow('403')
  expect(channels).toEqual([])

  const socket = await upgrade({ origin: base, cookie: `other=1; ${cookie}` })
  expect(channels).toHaveLength(1)
  expect(windows).toEqual([1])
  const gone = new Promise<void>((resolve) => channels[0]!.onClose(resolve))
  socket.close()
  await gone
  await expect.poll(() => windows).toEqual([1, 0])
})

test('through a forwarded port the page is let in under the name and port that its browser knows', async () => {
  const forwarded = { origin: 'http://localhost:9000', host: 'localhost:9000' }
  const { headers } = await send('/token', forwarded, 'POST', token)
  const cookie = String(headers['set-cookie']).split(';')[0]!
  await upgrade({ ...forwarded, cookie })
  expect(channels).toHaveLength(1)
})

test('other upgrades are refused, and so is one whose address is malformed', async () => {
  const raw = (head: string) =>
    new Promise<string>((resolve) => {
      let answer = ''
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(head))
      socket.on('data', (chunk) => (answer += String(chunk))).on('close', () => resolve(answer))
    })
  const tail = 'host: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
  expect(await raw(`GET /other HTTP/1.1\r\n${tail}`)).toMatch(/^HTTP\/1\.1 404/)
  expect(await raw(`GET http://[/channel HTTP/1.1\r\n${tail}`)).toMatch(/^HTTP\/1\.1 404/)
})

test.each([
  ['more than a mebibyte', 'x'.repeat(1024 * 1024 + 1), 1009],
  ['text that is not JSON', '{', 1007],
  ['bytes', Buffer.from('{}'), 1007]
])('a message of %s closes the connection', async (_what, message, code) => {
  const socket = await upgrade({ origin: base, cookie: await letIn() })
  channels[0]!.onMessage(() => expect.unreachable())
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.send(message)
  expect(await closed).toBe(code)
})

test('a download is sent once, as an attachment, to a page that was let in, and is then gone from disk', async () => {
  const cookie = await letIn()
  const file = join(folder, 'export.tmp')
  writeFileSync(file, '{"a":1}\n')
  const path = server.offerDownload(file, 'träce "1".jsonl')
  expect(path).toMatch(/^\/download\/[\w-]{43}$/)
  expect((await send(path)).status).toBe(401)
  const { status, headers, body } = await send(path, { cookie })
  expect({ status, body }).toEqual({ status: 200, body: '{"a":1}\n' })
  expect(headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '8',
    'content-disposition': `attachment; filename="tr_ce _1_.jsonl"; filename*=UTF-8''tr%C3%A4ce%20%221%22.jsonl`,
    'x-content-type-options': 'nosniff'
  })
  await expect.poll(() => existsSync(file)).toBe(false)
  expect((await send(path, { cookie })).status).toBe(404)
  expect((await send('/download/', { cookie })).status).toBe(404)
})

test('closing ends open connections and removes what was never fetched', async () => {
  const socket = await upgrade({ origin: base, cookie: await letIn() })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  const file = join(folder, 'export.tmp')
  writeFileSync(file, 'x')
  server.offerDownload(file, 'x')
  await server.close()
  await closed
  expect(existsSync(file)).toBe(false)
  await expect(send('/')).rejects.toThrow('ECONNREFUSED')
  expect(readFileSync(join(folder, 'secret.js'), 'utf8')).toBe('secret')
})

test('a port that is taken is refused', async () => {
  const port = Number(new URL(base).port)
  const options = { port, servePage: () => {}, onChannel: () => {}, onWindows: () => {} }
  await expect(createBrowserServer(options)).rejects.toThrow('EADDRINUSE')
})
