import { EventEmitter } from 'node:events'
import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import type { Engine, ShellPowers } from '#main/engine/types.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import { dropName, messageName } from './ipc-channel.ts'
import { runElectronShell, type ElectronParts } from './run-electron-shell.ts'

function shell({ first = true, refuse = '', minimized = false } = {}) {
  const log: unknown[] = []
  const menus: MenuItemConstructorOptions[][] = []
  const nativeTheme = { themeSource: 'system' }
  const lines: string[] = []
  const ready = Promise.withResolvers<void>()
  const app = Object.assign(new EventEmitter(), {
    isPackaged: true,
    enableSandbox: () => log.push('sandbox'),
    setPath: (name: string, path: string) => log.push(`${name} ${path}`),
    requestSingleInstanceLock: (data: unknown) => {
      log.push(data)
      return first
    },
    whenReady: () => ready.promise
  })
  const ipcMain = new EventEmitter()
  const mainFrame = { url: 'app://treeline/' }
  const contents = Object.assign(new EventEmitter(), { mainFrame, isDestroyed: () => false, send: () => {} })
  class FakeWindow {
    readonly webContents = contents
    once() {}
    on() {}
    isMinimized() {
      return minimized
    }
    restore() {
      log.push('restore')
    }
    show() {
      log.push('show')
    }
    async loadURL(url: string) {
      log.push(url)
      contents.emit('did-navigate')
    }
  }
  const electron = {
    app,
    BrowserWindow: FakeWindow,
    dialog: { showMessageBox: async (_window: unknown, { message }: { message: string }) => void log.push(message) },
    ipcMain,
    protocol: {
      registerSchemesAsPrivileged: () => log.push('schemes'),
      handle: (scheme: string) => log.push(`handle ${scheme}`)
    },
    session: () => ({
      setPermissionRequestHandler() {},
      setPermissionCheckHandler() {},
      setDevicePermissionHandler() {}
    }),
    Menu: {
      buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
      setApplicationMenu: (template: MenuItemConstructorOptions[]) => menus.push(template)
    },
    nativeTheme,
    screen: { getAllDisplays: () => [] },
    shell: {}
  } as unknown as ElectronParts
  const asked: string[] = []
  const listeners = new EventEmitter()
  let folders = ['/home/me/one']
  let theme = 'dark'
  const answers: Readonly<Record<string, (input: { readonly folder?: string }) => unknown>> = {
    'settings.get': () => ({ settings: { theme } }),
    'folder.list': () => ({ offered: folders.map((path) => ({ key: path, path, recent: true })) }),
    'folder.open': ({ folder }) => log.push(`opened ${folder}`)
  }
  const attached: [Channel, ShellPowers][] = []
  const engine = {
    client: () => ({
      call: async (name: string, input: object) => answers[name]!(input),
      on: (name: string, listener: () => void) => listeners.on(name, listener)
    }),
    askFor: (dialog: string) => asked.push(dialog),
    attach: (...both: [Channel, ShellPowers]) => attached.push(both),
    close: async () => void log.push('engine closed')
  } as unknown as Engine
  const end = new AbortController()
  const ran = runElectronShell({
    electron,
    createEngine: () => engine,
    request: { json: true, why: 'because' },
    version: '1.2.3',
    dataFolder: '/data',
    icon: '/icon.png',
    platform: 'linux',
    preload: '/preload.cjs',
    renderer: '/renderer',
    openNamed: async (_engine, _powers, named) => {
      log.push(named)
      const { path = '' } = named as { readonly path?: string }
      if (refuse !== '' && path === refuse) throw new Refusal('not-found', `There is no ${path}.`)
      return path === '' ? '?session=s' : ''
    },
    print: (line) => lines.push(line),
    ended: end.signal
  })
  const change = (next: { readonly theme: string; readonly folders: string[] }) => {
    ;({ theme, folders } = next)
    listeners.emit('settings.changed')
    listeners.emit('folder.changed')
  }
  return { menus, nativeTheme, asked, change, app, ipcMain, contents, mainFrame, ready, log, lines, attached, end, ran }
}

const request = { json: true, why: 'because' }

test('what must happen before Electron is ready does, and nothing else', () => {
  expect(shell().log).toEqual(['sandbox', 'userData /data/electron-profile', 'schemes', request])
})

test('then the page is loaded with what was named, over a channel of its own, and one line says so', async () => {
  const { log, lines, ready, attached, end, ran } = shell()
  ready.resolve()
  await expect.poll(() => lines).toHaveLength(1)
  expect(log.slice(4)).toEqual(['handle app', request, 'app://treeline/?session=s'])
  expect(JSON.parse(lines[0]!)).toEqual({ shell: 'electron', why: 'because; in a window of its own', url: null })
  expect(attached).toHaveLength(1)
  expect(attached[0]![1].info).toEqual({
    version: '1.2.3',
    shell: 'electron',
    why: 'because',
    nativeDialog: true,
    reveal: true
  })
  end.abort()
  await ran
  expect(log.at(-1)).toBe('engine closed')
})

test('the menu has the folders that were opened last, and the system’s dialogs the theme of the page', async () => {
  const { menus, nativeTheme, asked, change, lines, log, ready, end, ran } = shell()
  ready.resolve()
  await expect.poll(() => lines).toHaveLength(1)
  expect(nativeTheme.themeSource).toBe('dark')
  const items = (menu: MenuItemConstructorOptions[] | undefined): MenuItemConstructorOptions[] =>
    (menu ?? []).flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])])
  const press = (label: string) =>
    items(menus.at(-1))
      .find((item) => item.label === label)
      ?.click?.(undefined as never, undefined, undefined as never)
  press('Settings…')
  expect(asked).toEqual(['settings'])
  change({ theme: 'light', folders: ['/home/me/two'] })
  await expect.poll(() => menus).toHaveLength(2)
  press('/home/me/two')
  expect(log.at(-1)).toBe('opened /home/me/two')
  change({ theme: 'light', folders: ['/home/me/two'] })
  await expect.poll(() => nativeTheme.themeSource).toBe('light')
  expect(menus).toHaveLength(2)
  end.abort()
  await ran
})

test('a minimised window comes back when Treeline is started again', async () => {
  const { app, lines, log, ready, end, ran } = shell({ minimized: true })
  ready.resolve()
  await expect.poll(() => lines).toHaveLength(1)
  app.emit('second-instance', {}, [], '/', {})
  expect(log.slice(-3)).toEqual(['restore', 'show', {}])
  end.abort()
  await ran
})

test('it ends with its last window', async () => {
  const { app, lines, log, ready, ran } = shell()
  ready.resolve()
  await expect.poll(() => lines).toHaveLength(1)
  app.emit('window-all-closed')
  await ran
  expect(log.at(-1)).toBe('engine closed')
})

test('a second Treeline hands over what it was asked for and ends', async () => {
  const { log, lines, ran } = shell({ first: false })
  await ran
  expect(log).toEqual(['sandbox', 'userData /data/electron-profile', 'schemes', request])
  expect(lines).toHaveLength(1)
})

test('the first shows what a second one was asked for, and what was dropped; a refusal is told', async () => {
  const { app, ipcMain, contents, mainFrame, lines, log, ready, end, ran } = shell({ refuse: '/missing' })
  ready.resolve()
  await expect.poll(() => lines).toHaveLength(1)
  log.length = 0
  app.emit('second-instance', {}, [], '/', { path: '/folder' })
  expect(log).toEqual(['show', { path: '/folder' }])
  ipcMain.emit(dropName, { sender: contents, senderFrame: mainFrame }, ['/missing'])
  await expect.poll(() => log.at(-1)).toBe('There is no /missing.')
  ipcMain.emit(messageName, { sender: contents, senderFrame: null }, {})
  end.abort()
  await ran
})
