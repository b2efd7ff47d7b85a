import type { BrowserWindow, BrowserWindowConstructorOptions, WebPreferences } from 'electron'
import { appUrl } from './app-url.ts'

/** What the page may do: what any page in a browser may, and less. */
export const pagePreferences = (preload: string, devTools: boolean) =>
  Object.freeze({
    preload,
    devTools,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false
  } as const satisfies WebPreferences)

export interface MainWindowDeps<W extends PageWindow> {
  readonly BrowserWindow: new (options: BrowserWindowConstructorOptions) => W
  readonly preload: string
  readonly devTools: boolean
}

type PageWindow = Pick<BrowserWindow, 'loadURL' | 'show'> & {
  once(event: 'ready-to-show', listener: () => void): unknown
}

export interface MainWindow<W> {
  readonly window: W
  /** Loads the page with this query, which says what to select first. */
  readonly load: (search: string) => Promise<void>
}

/** Makes the window, which shows itself once its page is painted. */
export function createMainWindow<W extends PageWindow>(deps: MainWindowDeps<W>): MainWindow<W> {
  const window = new deps.BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 800,
    minHeight: 560,
    show: false,
    title: 'Treeline',
    webPreferences: pagePreferences(deps.preload, deps.devTools)
  })
  window.once('ready-to-show', () => window.show())
  return { window, load: (search) => window.loadURL(appUrl + search) }
}
