import { stat } from 'node:fs/promises'
import type { Engine, ShellPowers } from '#main/engine/types.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { OpenTarget } from './open-request.ts'

/** Opens what the person named and returns the page's query, which says what to select first; "" for a folder. Who named nothing gets the folders of the last time. Throws a `Refusal`. */
export async function openRequested(engine: Engine, powers: ShellPowers, target: OpenTarget): Promise<string> {
  const { path, entry, agent } = target
  if (path === null) {
    await engine.reopenFolders()
    return ''
  }
  if (await isFolder(path)) {
    if (entry !== null)
      throw new Refusal('invalid-input', '--entry needs a session file, not a folder.', { file: path })
    await engine.openFolder(path)
    return ''
  }
  const session = await engine.openFile(path, agent, entry === null ? 'shown' : 'read')
  const about = { session, ...(agent === null ? {} : { agent }) }
  const client = engine.client(powers)
  if (entry !== null) await client.call('entry.detail', { ...about, entry })
  // The session is put together while the window starts, which will ask for it, and be told what is wrong with it.
  else client.call('entry.rows', { ...about, at: [] }).catch(() => undefined)
  const query = new URLSearchParams({ session })
  if (entry !== null) query.set('entry', entry)
  if (agent !== null) query.set('agent', agent)
  return `?${query}`
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    throw new Refusal('not-found', 'There is no such file or folder.', { file: path })
  }
}
