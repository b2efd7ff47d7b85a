import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Refusal } from '#shared/contract/refusal.ts'
import { temporaryName } from './temporary-name.ts'

/**
 * Writes a new file whole or not at all, its folder too where there is none: a temporary file, on disk, published
 * without ever replacing another. Refused as `exists` where the name is taken.
 */
export function createFileSync(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = join(dirname(path), temporaryName())
  const file = openSync(temporary, 'wx', 0o600)
  try {
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    linkSync(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Refusal('exists', `${path} exists already. Nothing was written.`, { file: path })
  } finally {
    unlinkSync(temporary)
  }
}
