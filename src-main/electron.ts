import { join, resolve } from 'node:path'
import { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, protocol, screen, session, shell } from 'electron'
import * as v from 'valibot'
import { createEngine } from '#main/engine/create-engine.ts'
import { endSignal } from '#main/platform/end-signal.ts'
import { appEngine } from '#main/shell-cli/open/app-engine.ts'
import { OpenTarget, openRequestOf } from '#main/shell-cli/open/open-request.ts'
import { openRequested } from '#main/shell-cli/open/open-requested.ts'
import { reportFailure } from '#main/shell-cli/open/report-failure.ts'
import { runElectronShell } from '#main/shell-electron/run-electron-shell.ts'

const request = openRequestOf(process)
const options = appEngine(app.getAppPath(), join(import.meta.dirname, 'worker.js'), request.index)
const end = endSignal()
const parts = { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, protocol, screen, shell }

// Not awaited: Electron is ready only once this file has been read to its end.
void runElectronShell({
  electron: { ...parts, session: () => session.defaultSession },
  createEngine: () => createEngine(options),
  request,
  version: app.getVersion(),
  dataFolder: options.dataFolder,
  icon: join(app.getAppPath(), 'resources', 'icons', '512x512.png'),
  platform: process.platform,
  preload: resolve(import.meta.dirname, '../preload/preload.cjs'),
  renderer: resolve(import.meta.dirname, '../renderer'),
  openNamed: (engine, powers, named) => openRequested(engine, powers, v.parse(OpenTarget, named)),
  print: console.log,
  ended: end.signal
}).then(
  () => app.exit(end.exitCode()),
  (error: unknown) => app.exit(reportFailure(error, request.path, request.json))
)
