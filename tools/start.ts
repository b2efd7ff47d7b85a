import { openApp } from '#main/shell-cli/open/open-app.ts'
import { buildIfStale } from './build-if-stale.ts'
import { root } from './run.ts'

await buildIfStale()
process.exitCode = await openApp(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd(), root)
