import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing, Names } from './format.ts'

/** A directory as a scan sees it. */
export function listFolder(path: string): Listing {
  return {
    path,
    ...namesIn(path),
    below: (folder) => namesIn(join(path, folder)),
    head: (name) => readFileSync(join(path, name)).subarray(0, 65_536)
  }
}

function namesIn(path: string): Names {
  const rows = readdirSync(path, { withFileTypes: true })
  const names = (of: (row: Dirent) => boolean) => rows.filter(of).map((row) => row.name)
  return { files: names((row) => row.isFile()), folders: names((row) => row.isDirectory()) }
}
