import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfStale } from './build-if-stale.ts'
import { root } from './run.ts'

await buildIfStale()
await import(pathToFileURL(join(root, 'out', 'main', 'cli.js')).href)
