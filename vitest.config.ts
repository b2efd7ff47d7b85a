import { globSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { corpus } from './e2e/support/corpus.ts'

const corpusTests = 'src-main/**/*.corpus.test.ts'

if (corpus === null) {
  for (const file of globSync(corpusTests)) console.log(`left out, no corpus: ${file}`)
}

export default defineConfig({
  test: {
    include: ['src-*/**/*.test.{ts,tsx}', 'e2e/support/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(corpus === null ? [corpusTests] : [])],
    // Processes, not threads: better-sqlite3 and the engine's own worker threads run as they do in the app.
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for may need another process, and the machine may be busy: a second, the default, is no bound.
    expect: { poll: { timeout: 30_000 } }
  }
})
