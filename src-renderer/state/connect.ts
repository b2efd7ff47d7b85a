import { agentIds, type AgentId } from '#shared/model/agent.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { Channel } from '#shared/rpc/channel.ts'

/** What Electron's preload puts on the window; absent in a browser. */
interface Bridge {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

declare global {
  interface Window {
    readonly bridge?: Bridge
  }
}

/** The way to the engine: Electron's bridge where there is one, else a WebSocket to where the page came from. Rejects where the browser has no access. */
export async function connect(): Promise<Channel> {
  if (window.bridge !== undefined) return bridgeChannel(window.bridge)
  await exchangeToken()
  return openSocket(`ws://${location.host}/channel`)
}

/** A window of Electron lives as long as its main process, so this channel never closes. */
function bridgeChannel(bridge: Bridge): Channel {
  return { post: bridge.post, onMessage: bridge.onMessage, onClose: () => {} }
}

/** The address carries the token in its fragment, which no server or log sees; the cookie that it buys outlives a reload. */
async function exchangeToken(): Promise<void> {
  const token = location.hash.slice(1)
  if (token === '') return
  history.replaceState(null, '', location.pathname + location.search)
  const response = await fetch('/token', { method: 'POST', body: token })
  if (!response.ok) throw new Error('This address is of a Treeline that has ended. Start Treeline again.')
}

function openSocket(url: string): Promise<Channel> {
  const socket = new WebSocket(url)
  const channel: Channel = {
    post: (message) => socket.send(JSON.stringify(message)),
    onMessage: (listener) => socket.addEventListener('message', ({ data }) => listener(JSON.parse(String(data)))),
    onClose: (listener) => {
      if (socket.readyState === WebSocket.CLOSED) listener()
      else socket.addEventListener('close', listener)
    }
  }
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(channel), { once: true })
    socket.addEventListener(
      'close',
      () => reject(new Error('Treeline did not let this browser in. Open the address that it printed.')),
      { once: true }
    )
  })
}

export interface NamedAtStart {
  readonly session: SessionKey
  readonly entry: string | null
  readonly agent: AgentId | null
}

/** What the person named on the command line: the address says it, so that a reload shows it again. */
export function namedAtStart(): NamedAtStart | null {
  const query = new URLSearchParams(location.search)
  const session = query.get('session')
  if (session === null) return null
  const agent = agentIds.find((id) => id === query.get('agent')) ?? null
  return { session: session as SessionKey, entry: query.get('entry'), agent }
}
