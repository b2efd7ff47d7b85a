import { join, resolve } from 'node:path'
import { createEngine } from '#main/engine/create-engine.ts'
import { appVersion } from '#main/platform/app-version.ts'
import { endSignal } from '#main/platform/end-signal.ts'
import { servePageFrom } from '#main/shell-browser/browser-server.ts'
import { runBrowserShell } from '#main/shell-browser/run-browser-shell.ts'
import { appEngine } from '#main/shell-cli/open/app-engine.ts'
import { parseOpenRequest } from '#main/shell-cli/open/open-request.ts'
import { openRequested } from '#main/shell-cli/open/open-requested.ts'
import { reportFailure } from '#main/shell-cli/open/report-failure.ts'

const root = resolve(import.meta.dirname, '../..')
const request = parseOpenRequest(process.argv.slice(2), process.cwd())
const options = appEngine(root, join(import.meta.dirname, 'worker.js'), request.index)
const end = endSignal()

try {
  const engine = await createEngine(options)
  await runBrowserShell({
    engine,
    request,
    version: appVersion(root),
    servePage: servePageFrom(resolve(import.meta.dirname, '../renderer')),
    dataFolder: options.dataFolder,
    machine: { env: process.env, platform: process.platform, root: process.getuid?.() === 0 },
    openRequested: (powers) => openRequested(engine, powers, request),
    print: console.log,
    ended: end.signal
  })
  process.exit(end.exitCode())
} catch (error) {
  process.exit(reportFailure(error, request.path, request.json))
}
