import { homedir } from 'node:os'
import { join } from 'node:path'
import type { EngineOptions } from '#main/engine/types.ts'
import { ownFolders } from '#main/platform/own-folders.ts'

/** The engine's options for a window of this person on this machine; `root` holds `resources`. */
export function appEngine(root: string, worker: string, index: string | null): EngineOptions {
  const folders = ownFolders(process.env, homedir(), process.platform)
  return {
    index: index ?? folders.index,
    dataFolder: folders.data,
    settings: join(folders.data, 'settings.json'),
    samples: join(root, 'resources', 'samples'),
    env: process.env,
    home: homedir(),
    worker,
    watch: true,
    log: (line) => console.error(line)
  }
}
