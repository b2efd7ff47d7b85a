import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface AppWindow {
  /** Resolves when the browser's process has ended. */
  readonly ended: Promise<void>
  readonly close: () => Promise<void>
}

/** The arguments that make a Chromium a quiet window for one page, with a profile of its own. */
export function appWindowArguments(url: string, profile: string, sandbox: boolean): string[] {
  return [
    `--app=${url}`,
    `--user-data-dir=${profile}`,
    '--window-size=1440,900',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-quic',
    '--disable-sync',
    '--metrics-recording-only',
    '--password-store=basic',
    '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication',
    ...(sandbox ? [] : ['--no-sandbox', '--test-type'])
  ]
}

/** Opens the page in a window of its own; undefined where the browser cannot be started. */
export async function openAppWindow(browser: string, args: readonly string[]): Promise<AppWindow | undefined> {
  const child = spawn(browser, args, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  try {
    await once(child, 'spawn')
  } catch {
    return undefined
  }
  return {
    ended,
    close() {
      child.kill()
      return ended
    }
  }
}
