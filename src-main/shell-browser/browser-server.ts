import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { pageFile } from '#main/platform/page-file.ts'
import { pageHeaders } from '#main/platform/page-headers.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import { createDownloads } from './downloads.ts'
import { comesFromOurPage, cookieOf, namesOurHost, sameSecret } from './request-guard.ts'
import { largestIncomingMessage, webSocketChannel } from './web-socket-channel.ts'

export type ServePage = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

export interface BrowserServerOptions {
  /** 0 lets the system choose. */
  readonly port: number
  readonly servePage: ServePage
  /** A page with the right cookie has connected. */
  readonly onChannel: (channel: Channel) => void
  /** How many pages are connected, after each change. */
  readonly onWindows: (windows: number) => void
}

export interface BrowserServer {
  /** Where the page is, for whoever holds this text: it ends in the token. */
  readonly url: (search: string) => string
  /** The same for a window that is about to open: arguments of a program can be read by others, so this one works once. */
  readonly windowUrl: (search: string) => string
  readonly offerDownload: (file: string, name: string) => string
  readonly close: () => Promise<void>
}

/** Serves the page, its channel and downloads on this machine's loopback, to those who know the token. Rejects where the port is taken. */
export async function createBrowserServer(options: BrowserServerOptions): Promise<BrowserServer> {
  const token = secret()
  const session = secret()
  const windowTokens = new Set<string>()
  const downloads = createDownloads()
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestIncomingMessage,
    perMessageDeflate: false
  })
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  // Cookies know no ports: two Treelines in one browser would overwrite each other's.
  const cookie = `treeline-${port}`
  const isLetIn = (request: IncomingMessage) => sameSecret(session, cookieOf(request.headers, cookie))

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request)
    if (!namesOurHost(request.headers)) return refuse(response, 421)
    if (request.method === 'POST' && path === '/token') return exchange(request, response)
    if (request.method !== 'GET') return refuse(response, 405)
    if (!path.startsWith('/download/')) return options.servePage(request, response)
    if (!isLetIn(request)) return refuse(response, 401)
    if (!(await downloads.send(path, response))) refuse(response, 404)
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!comesFromOurPage(request.headers)) return refuse(response, 403)
    const given = await shortBody(request)
    if (!sameSecret(token, given) && !windowTokens.delete(given)) return refuse(response, 403)
    const attributes = 'HttpOnly; SameSite=Strict; Path=/'
    response.writeHead(204, { ...pageHeaders, 'set-cookie': `${cookie}=${session}; ${attributes}` }).end()
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) !== '/channel') return refuseUpgrade(socket, '404 Not Found')
    if (!comesFromOurPage(request.headers)) return refuseUpgrade(socket, '403 Forbidden')
    if (!isLetIn(request)) return refuseUpgrade(socket, '401 Unauthorized')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('close', () => options.onWindows(sockets.clients.size))
      options.onChannel(webSocketChannel(webSocket))
      options.onWindows(sockets.clients.size)
    })
  })

  const urlWith = (search: string, fragment: string) => `http://127.0.0.1:${port}/${search}#${fragment}`
  return {
    url: (search) => urlWith(search, token),
    windowUrl(search) {
      const once = secret()
      windowTokens.add(once)
      return urlWith(search, once)
    },
    offerDownload: downloads.offer,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, downloads.close()])
    }
  }
}

/** Serves the built page from its folder. */
export function servePageFrom(folder: string): ServePage {
  return async (request, response) => {
    const file = await pageFile(folder, pathOf(request))
    if (file === undefined) return refuse(response, 404)
    response.writeHead(200, { ...pageHeaders, 'content-type': file.type }).end(file.bytes)
  }
}

const secret = () => randomBytes(32).toString('base64url')

/** The path as it was sent, without the query: nothing is decoded or resolved before it is judged. */
const pathOf = (request: IncomingMessage) => (request.url ?? '').split('?', 1)[0] ?? ''

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, pageHeaders).end()
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => {})
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

async function shortBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) {
    body += String(chunk)
    if (body.length > 1024) return ''
  }
  return body
}
