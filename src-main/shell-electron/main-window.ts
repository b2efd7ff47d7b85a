import type { BrowserWindow, BrowserWindowConstructorOptions, WebPreferences } from 'electron'
import { appUrl } from './app-url.ts'
import { leastSize, type WindowPlace } from './window-place.ts'

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
  /** File of the window's icon, for systems that take it from the window. */
  readonly icon: string
  readonly place: WindowPlace
}

type PageWindow = Pick<BrowserWindow, 'loadURL' | 'show' | 'maximize'> & {
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
    ...deps.place.bounds,
    minWidth: leastSize.width,
    minHeight: leastSize.height,
    show: false,
    title: 'Treeline',
    icon: deps.icon,
    webPreferences: pagePreferences(deps.preload, deps.devTools)
  })
  if (deps.place.isMaximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  return { window, load: (search) => window.loadURL(appUrl + search) }
}
