import { join } from 'node:path'
import { hasDisplay } from '#main/platform/has-display.ts'
import { appWindowArguments, openAppWindow, type AppWindow } from './app-window.ts'
import { openDefaultBrowser } from './default-browser.ts'
import { findBrowser } from './find-browser.ts'

/** How the page was shown, in words, and the window where it is one of our own. */
export interface Shown {
  readonly how: string
  readonly window: AppWindow | undefined
  /** False where the person has to open the address. */
  readonly open: boolean
}

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** A browser's sandbox refuses to work for root. */
  readonly root: boolean
}

export const addressOnly = (how: string): Shown => ({ how, window: undefined, open: false })

/** Shows the page in a window of an installed Chromium, else in the default browser, else not at all. */
export async function showWindow(url: string, dataFolder: string, machine: Machine): Promise<Shown> {
  const { env, platform, root } = machine
  if (!hasDisplay(env, platform)) return addressOnly('there is no display: open the address in a browser')
  const browser = findBrowser(env, platform)
  if (browser !== undefined) {
    const args = appWindowArguments(url, join(dataFolder, 'browser-profile'), !root)
    const window = await openAppWindow(browser, args)
    const sandbox = root ? ', without its sandbox because you are root' : ''
    if (window !== undefined) return { how: `in a window of ${browser}${sandbox}`, window, open: true }
  }
  const opened = await openDefaultBrowser(url, platform)
  if (opened) return { how: 'in the default browser', window: undefined, open: true }
  return addressOnly('no browser could be started: open the address in one')
}
