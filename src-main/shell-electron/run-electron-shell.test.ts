import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { Engine, ShellPowers } from '#main/engine/types.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import { dropName, messageName } from './ipc-channel.ts'
import { runElectronShell, type ElectronParts } from './run-electron-shell.ts'

function shell({ first = true, refuse = '' } = {}) {
  const log: unknown[] = []
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
    shell: {}
  } as unknown as ElectronParts
  const attached: [Channel, ShellPowers][] = []
  const engine = {
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
  return { app, ipcMain, contents, mainFrame, ready, log, lines, attached, end, ran }
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
