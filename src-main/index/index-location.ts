import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { indexName, requireOwnIndex } from './own-index.ts'

export interface IndexLocation extends Disposable {
  readonly path: string
}

const prefix = 'treeline-index-'

/**
 * Where the index lies: at the path given, or for `:memory:` in a private temporary folder, which is removed when the
 * process ends or, after a kill, by the next one that starts. Refused as `requireOwnIndex` does.
 */
export function locateIndex(index: string): IndexLocation {
  if (index !== ':memory:') {
    requireOwnIndex(index)
    return { path: index, [Symbol.dispose]: () => undefined }
  }
  sweep(tmpdir())
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    path: join(folder, indexName),
    [Symbol.dispose]() {
      process.off('exit', remove)
      remove()
    }
  }
}

/** Removes what processes that were killed have left behind. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    const path = join(folder, name)
    if (pid !== undefined && !isAlive(Number(pid)) && isOurs(path)) rmSync(path, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isOurs(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && (process.getuid === undefined || stat.uid === process.getuid())
}
