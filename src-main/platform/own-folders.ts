import { join } from 'node:path'

export interface OwnFolders {
  readonly data: string
  /** The index, which can be made again. */
  readonly index: string
}

/** Where the platform wants a program's data and its cache (XDG, Apple's and Windows' conventions). */
export function ownFolders(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  platform: NodeJS.Platform
): OwnFolders {
  if (platform === 'darwin') {
    const library = join(home, 'Library')
    return folders(join(library, 'Application Support', 'Treeline'), join(library, 'Caches', 'Treeline'))
  }
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local')
    return folders(join(local, 'Treeline', 'Data'), join(local, 'Treeline', 'Cache'))
  }
  return folders(
    join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'treeline'),
    join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'treeline')
  )
}

const folders = (data: string, cache: string): OwnFolders => ({ data, index: join(cache, 'index.db') })
