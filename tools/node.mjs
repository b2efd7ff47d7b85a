// Runs a tool of this folder. Plain JavaScript, so that a Node that is too old for the rest can say so.
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 15)) {
  console.error(
    `Treeline needs Node 22.15 or later and found ${process.versions.node}: run \`npm ci\` again (it brings its own Node where it can), or install a newer one from nodejs.org.`
  )
  process.exit(1)
}

// Node 22.15 to 22.17 run TypeScript only when told to.
if (!process.features.typescript) {
  nodeModule.registerHooks({
    load: (url, context, next) =>
      url.endsWith('.ts')
        ? {
            format: 'module',
            shortCircuit: true,
            source: nodeModule.stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
          }
        : next(url, context)
  })
}

const [tool] = process.argv.splice(2, 1)
await import(`./${tool}.ts`)
