import type { Engine, ShellPowers } from '#main/engine/types.ts'
import { aborted } from '#main/platform/aborted.ts'
import type { Shell } from '#shared/contract/app.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { AppWindow } from './app-window.ts'
import { createBrowserServer, type BrowserServer, type BrowserServerOptions, type ServePage } from './browser-server.ts'
import { endAfterLastWindow } from './last-window.ts'
import { addressOnly, showWindow, type Machine } from './show-window.ts'

/** How long the app waits for a page to come back, for example from a reload. */
const grace = 10_000

export interface BrowserShellOptions {
  readonly engine: Engine
  readonly request: {
    readonly shell: Shell | null
    readonly port: number
    readonly window: boolean
    readonly json: boolean
    readonly why: string
  }
  readonly version: string
  readonly servePage: ServePage
  readonly dataFolder: string
  readonly machine: Machine
  /** Opens what the person named; returns the page's query. */
  readonly openRequested: (powers: ShellPowers) => Promise<string>
  readonly print: (line: string) => void
  /** Aborted when the person or the system ends the app. */
  readonly ended: AbortSignal
}

/** Runs until the last window has closed, or until `ended` where the person opens the address by hand. Rejects with a `Refusal` where nothing could be opened. */
export async function runBrowserShell(options: BrowserShellOptions): Promise<void> {
  try {
    await run(options)
  } finally {
    await options.engine.close()
  }
}

async function run(options: BrowserShellOptions): Promise<void> {
  const { engine, request, print } = options
  const shell = request.shell === 'none' ? 'none' : 'browser'
  const { promise: lastWindowClosed, resolve: end } = Promise.withResolvers<void>()
  const byWindows = endAfterLastWindow(grace, end)
  let connected = false
  let waitsForGood = !request.window

  const server = await listen(options, {
    onChannel: (channel) => engine.attach(channel, powers),
    onWindows(windows) {
      connected = true
      if (!waitsForGood) byWindows(windows)
    }
  })
  const powers: ShellPowers = {
    info: { version: options.version, shell, why: request.why, nativeDialog: false, reveal: false },
    offerDownload: server.offerDownload
  }
  let window: AppWindow | undefined
  try {
    const search = await options.openRequested(powers)
    const url = server.url(search)
    const shown = request.window
      ? await showWindow(server.windowUrl(search), options.dataFolder, options.machine)
      : addressOnly('open the address in a browser')
    window = shown.window
    waitsForGood ||= !shown.open

    // A browser that ends at once gave the page to another one of the same profile; or there never was a window.
    const missing = () => {
      if (connected) return
      waitsForGood = true
      console.error(`The window did not open. Open the address in a browser: ${url}`)
    }
    void window?.ended.then(() => setTimeout(missing, grace).unref())

    const line = `Treeline runs in the browser shell (${request.why}), ${shown.how}${shown.open ? '.' : `: ${url}`}`
    print(request.json ? JSON.stringify({ shell, why: `${request.why}; ${shown.how}`, url }) : line)
    await Promise.race([lastWindowClosed, aborted(options.ended)])
  } finally {
    await Promise.all([window?.close(), server.close()])
  }
}

type Listeners = Pick<BrowserServerOptions, 'onChannel' | 'onWindows'>

async function listen({ request, servePage }: BrowserShellOptions, listeners: Listeners): Promise<BrowserServer> {
  try {
    return await createBrowserServer({ port: request.port, servePage, ...listeners })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    const reason = code === 'EACCES' ? 'is not for everybody to use' : 'is taken'
    throw new Refusal('exists', `Port ${request.port} ${reason}. Name another with --port, or none.`)
  }
}
