import { join } from 'node:path'

export interface OwnFolders {
  readonly data: string
  readonly cache: string
}

/** Where the platform wants a program's data and what it can make again (XDG, Apple's and Windows' conventions). */
export function ownFolders(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  platform: NodeJS.Platform
): OwnFolders {
  if (platform === 'darwin') {
    const library = join(home, 'Library')
    return { data: join(library, 'Application Support', 'Treeline'), cache: join(library, 'Caches', 'Treeline') }
  }
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local')
    return { data: join(local, 'Treeline', 'Data'), cache: join(local, 'Treeline', 'Cache') }
  }
  return {
    data: join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'treeline'),
    cache: join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'treeline')
  }
}
