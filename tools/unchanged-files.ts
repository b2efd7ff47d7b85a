import { createHash } from 'node:crypto'
import { createReadStream, globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { corpus } from '#e2e/support/corpus.ts'
import { root } from './run.ts'

/** Session files that tests read: ours, and those of the corpus where there is one. */
const folders = ['resources/samples', 'src-main/formats/omp/fixtures', ...(corpus === null ? [] : [corpus])]

/** Notes the sha256 of every session file that the tests read; the result says which of them are other ones now. */
export async function watchFiles(): Promise<() => Promise<readonly string[]>> {
  const before = await hashes()
  return async () => {
    const after = await hashes()
    return [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file))
  }
}

async function hashes(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const folder of folders) {
    for (const entry of globSync('**/*', { cwd: resolve(root, folder), withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = join(entry.parentPath, entry.name)
      const hash = createHash('sha256')
      await pipeline(createReadStream(file), hash)
      found.set(file, hash.digest('hex'))
    }
  }
  return found
}
