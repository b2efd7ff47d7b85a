import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PickerPage } from '#shared/contract/folder.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { FolderKeys } from './folder-keys.ts'

const byName = new Intl.Collator('en', { numeric: true })
const isHidden = (name: string) => name.startsWith('.')

/** The folders in a folder, hidden ones last; links to folders under the key of where they lead. Names of folders and nothing else. */
export async function listFolders(path: string, keys: FolderKeys): Promise<PickerPage> {
  const found = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (found === undefined) {
    throw new Refusal('not-found', `${path} is gone or may not be read by you. Choose another folder.`, { file: path })
  }
  const folders: { name: string; path: string }[] = []
  for (const item of found) {
    const below = join(path, item.name)
    if (item.isDirectory()) folders.push({ name: item.name, path: below })
    else if (item.isSymbolicLink()) {
      const target = await linkedFolder(below)
      if (target !== undefined) folders.push({ name: item.name, path: target })
    }
  }
  const parent = dirname(path)
  return {
    key: keys.add(path),
    path,
    parent: parent === path ? null : keys.add(parent),
    folders: folders
      .toSorted(
        (one, other) =>
          Number(isHidden(one.name)) - Number(isHidden(other.name)) || byName.compare(one.name, other.name)
      )
      .map((folder) => ({ key: keys.add(folder.path), name: folder.name }))
  }
}

async function linkedFolder(link: string): Promise<string | undefined> {
  const target = await realpath(link).catch(() => undefined)
  const found = target === undefined ? undefined : await stat(target).catch(() => undefined)
  return found?.isDirectory() === true ? target : undefined
}
