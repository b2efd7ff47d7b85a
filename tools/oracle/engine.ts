import { join } from 'node:path'
import { createEngine } from '#main/engine/create-engine.ts'
import type { Calls, Events } from '#shared/contract/contract.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { Client } from '#shared/rpc/client.ts'

const mostBranches = 12

/** The app's own engine, in this thread, with all that it keeps in a folder. */
export async function startEngine(folder: string) {
  const engine = await createEngine({
    index: ':memory:',
    dataFolder: join(folder, 'data'),
    settings: null,
    samples: null,
    env: {},
    home: folder,
    worker: null,
    watch: false,
    log: (line) => console.error(line)
  })
  const client = engine.client({
    info: { version: '', shell: 'none', why: '', nativeDialog: false, reveal: false }
  })
  return { engine, client }
}

/** At most twelve entries from which an agent could go on, from all over the file. */
export async function branchPoints(client: Client<Calls, Events>, session: SessionKey): Promise<readonly string[]> {
  const { ids } = await client.call('session.outline', { session })
  const allowed: string[] = []
  for (const entry of ids) {
    if ((await client.call('entry.detail', { session, entry })).branch.kind === 'allowed') allowed.push(entry)
  }
  const step = Math.max(1, allowed.length / mostBranches)
  return allowed.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}
