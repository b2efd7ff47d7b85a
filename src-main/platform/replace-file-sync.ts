import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryName } from './temporary-name.ts'

/**
 * Writes a file whole in place of the one that is there: whoever looks finds the old or the new one, and the new one is
 * on disk when this returns. Makes its folder where there is none. Throws the system's error, and then nothing has changed.
 */
export function replaceFileSync(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = join(dirname(path), temporaryName())
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolderSync(dirname(path))
}

/** Makes the new name durable; Windows cannot open a folder and does not need it. */
function syncFolderSync(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    return
  }
}
