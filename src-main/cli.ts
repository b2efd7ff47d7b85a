import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { createEngine } from '#main/engine/create-engine.ts'
import { appVersion } from '#main/platform/app-version.ts'
import { endSignal } from '#main/platform/end-signal.ts'
import { ownFolders } from '#main/platform/own-folders.ts'
import { workingFolder } from '#main/platform/working-folder.ts'
import { openApp } from '#main/shell-cli/open/open-app.ts'
import { runCommandLine } from '#main/shell-cli/run.ts'

const root = resolve(import.meta.dirname, '../..')
const cwd = workingFolder(process.env)
const folders = ownFolders(process.env, homedir(), process.platform)
const end = endSignal()

const exitCode = await runCommandLine({
  argv: process.argv.slice(2),
  cwd,
  stdout: process.stdout,
  stderr: process.stderr,
  openEngine: (index, log) =>
    createEngine({
      index: index ?? folders.index,
      dataFolder: folders.data,
      settings: null,
      samples: null,
      env: process.env,
      home: homedir(),
      worker: null,
      watch: false,
      log
    }),
  openApp: (argv) => openApp(argv, cwd, root),
  version: appVersion(root),
  signal: end.signal
})
// A pipe may still hold what was written: the process ends by itself once it is read.
process.exitCode = end.exitCode() || exitCode
