import { workingFolder } from '#main/platform/working-folder.ts'
import { openApp } from '#main/shell-cli/open/open-app.ts'
import { buildIfStale } from './build-if-stale.ts'
import { root } from './run.ts'

await buildIfStale()
process.exitCode = await openApp(process.argv.slice(2), workingFolder(process.env), root)
