import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * An optional collection of real session files with expected results, maybe read-only. `TREELINE_CORPUS` names it,
 * else it is looked for beside the project. Tests over it are left out, with one line of print, where there is none.
 */
function findCorpus(): string | null {
  const folder = process.env['TREELINE_CORPUS'] ?? resolve(import.meta.dirname, '../../../shared/fixtures')
  return existsSync(join(folder, 'omp-pi')) ? realpathSync(folder) : null
}

export const corpus = findCorpus()
