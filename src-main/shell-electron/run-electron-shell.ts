import { join } from 'node:path'
import type {
  App,
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Dialog,
  IpcMain,
  Menu,
  NativeTheme,
  Protocol,
  Screen,
  Session,
  Shell
} from 'electron'
import type { Engine, ShellPowers } from '#main/engine/types.ts'
import { appProtocol, appSchemes } from './app-protocol.ts'
import { appScheme } from './app-url.ts'
import { aborted } from '#main/platform/aborted.ts'
import { nativePowers, openOutside } from './dialogs.ts'
import { harden } from './harden.ts'
import { connectIpc } from './ipc-channel.ts'
import { createMainWindow } from './main-window.ts'
import { followMenu } from './follow-menu.ts'
import { followTheme } from './follow-theme.ts'
import { windowPlaces } from './window-place.ts'

/** The parts of Electron that the shell is made of. */
export interface ElectronParts {
  readonly app: Pick<App, 'enableSandbox' | 'setPath' | 'requestSingleInstanceLock' | 'whenReady' | 'isPackaged' | 'on'>
  readonly BrowserWindow: new (options: BrowserWindowConstructorOptions) => BrowserWindow
  readonly dialog: Dialog
  readonly ipcMain: Pick<IpcMain, 'on'>
  readonly Menu: Pick<typeof Menu, 'buildFromTemplate' | 'setApplicationMenu'>
  readonly nativeTheme: Pick<NativeTheme, 'themeSource'>
  readonly protocol: Pick<Protocol, 'registerSchemesAsPrivileged' | 'handle'>
  readonly screen: Pick<Screen, 'getAllDisplays'>
  readonly session: () => Session
  readonly shell: Pick<Shell, 'showItemInFolder' | 'openExternal'>
}

export interface ElectronShellOptions {
  readonly electron: ElectronParts
  readonly createEngine: () => Promise<Engine> | Engine
  /** What the person named; a second Treeline hands its own to the first. */
  readonly request: { readonly json: boolean; readonly why: string }
  readonly version: string
  readonly dataFolder: string
  readonly icon: string
  readonly platform: NodeJS.Platform
  readonly preload: string
  readonly renderer: string
  /** Opens what was named and returns the page's query. Throws a `Refusal`. */
  readonly openNamed: (engine: Engine, powers: ShellPowers, named: unknown) => Promise<string>
  readonly print: (line: string) => void
  readonly ended: AbortSignal
}

/** Runs until the last window has closed. What has to happen before Electron is ready happens before the first await. */
export async function runElectronShell(options: ElectronShellOptions): Promise<void> {
  const { request, electron } = options
  const { app, dialog, shell } = electron
  app.enableSandbox()
  app.setPath('userData', join(options.dataFolder, 'electron-profile'))
  electron.protocol.registerSchemesAsPrivileged([...appSchemes])
  if (!app.requestSingleInstanceLock({ ...request })) return announce(options, 'in the window that was already open')
  const lastWindowClosed = new Promise<void>((resolve) => app.on('window-all-closed', resolve))
  await app.whenReady()
  electron.protocol.handle(appScheme, appProtocol(options.renderer))
  harden({ app, session: electron.session(), openOutside: (url) => void openOutside({ dialog, shell }, url) })

  const engine = await options.createEngine()
  try {
    const { BrowserWindow, ipcMain } = electron
    const places = windowPlaces(join(options.dataFolder, 'window.json'), electron.screen)
    const { window, load } = createMainWindow({
      BrowserWindow,
      preload: options.preload,
      devTools: !app.isPackaged,
      icon: options.icon,
      place: await places.last()
    })
    const place = places.follow(window)
    const powers: ShellPowers = {
      info: { version: options.version, shell: 'electron', why: request.why, nativeDialog: true, reveal: true },
      ...nativePowers({ dialog, shell, window })
    }
    const search = await options.openNamed(engine, powers, request)
    const openMore = async (named: unknown) => {
      try {
        const more = await options.openNamed(engine, powers, named)
        if (more !== '') await load(more)
      } catch (error) {
        await dialog.showMessageBox(window, { type: 'error', message: messageOf(error) })
      }
    }
    app.on('second-instance', (_event, _argv, _cwd, named) => {
      if (window.isMinimized()) window.restore()
      window.show()
      void openMore(named)
    })
    connectIpc({
      ipcMain,
      contents: window.webContents,
      onChannel: (channel) => engine.attach(channel, powers),
      onDrop: (paths) => paths.forEach((path) => void openMore({ path, entry: null, agent: null }))
    })
    await followTheme(engine.client(powers), electron.nativeTheme)
    await followMenu(engine, powers, electron.Menu, options.platform, (error) =>
      dialog.showMessageBox(window, { type: 'error', message: messageOf(error) })
    )
    await load(search)
    announce(options, 'in a window of its own')
    await Promise.race([lastWindowClosed, aborted(options.ended)])
    await place.save()
  } finally {
    await engine.close()
  }
}

function announce({ request, print }: ElectronShellOptions, how: string): void {
  const { json, why } = request
  const value = { shell: 'electron', why: `${why}; ${how}`, url: null }
  print(json ? JSON.stringify(value) : `Treeline runs in Electron (${why}), ${how}.`)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
