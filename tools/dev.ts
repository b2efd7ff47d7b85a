import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { createEngine } from '#main/engine/create-engine.ts'
import { appVersion } from '#main/platform/app-version.ts'
import { endSignal } from '#main/platform/end-signal.ts'
import { contentSecurityPolicy, pageHeaders } from '#main/platform/page-headers.ts'
import { runBrowserShell } from '#main/shell-browser/run-browser-shell.ts'
import { appEngine } from '#main/shell-cli/open/app-engine.ts'
import { parseOpenRequest } from '#main/shell-cli/open/open-request.ts'
import { openRequested } from '#main/shell-cli/open/open-requested.ts'
import { root } from './run.ts'

const request = parseOpenRequest(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd())
const options = appEngine(root, join(root, 'src-main', 'worker.ts'), request.index)
const end = endSignal()
const engine = await createEngine(options)
const vite = await createServer({
  configFile: false,
  root: join(root, 'src-renderer'),
  plugins: [react()],
  server: { middlewareMode: true, hmr: { host: '127.0.0.1' } }
})

// Vite's page has scripts and styles of its own in the text, and a socket for changed modules.
const headers = {
  ...pageHeaders,
  'content-security-policy': contentSecurityPolicy
    .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", "connect-src 'self' ws://127.0.0.1:*")
    .replace(/; require-trusted-types-for.*/, '')
}

await runBrowserShell({
  engine,
  request: { ...request, why: 'for development, with modules replaced as they change' },
  version: appVersion(root),
  servePage(incoming, response) {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    vite.middlewares(incoming, response, () => response.writeHead(404).end())
  },
  dataFolder: options.dataFolder,
  machine: { env: process.env, platform: process.platform, root: process.getuid?.() === 0 },
  openRequested: (powers) => openRequested(engine, powers, request),
  print: console.log,
  ended: end.signal
})
await vite.close()
process.exit(end.exitCode())
