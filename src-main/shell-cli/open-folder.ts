import { relative, isAbsolute } from 'node:path'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Calls, Events } from '#shared/contract/contract.ts'
import type { Folder } from '#shared/contract/folder.ts'
import type { SessionRow } from '#shared/model/session.ts'
import type { Client } from '#shared/rpc/client.ts'
import { sessionInput } from './open-session.ts'
import type { Desk } from './command.ts'

export interface OpenedFolder {
  readonly client: Client<Calls, Events>
  readonly folder: Folder
  /** Sessions whose file lies in the folder, at any depth, newest first. */
  readonly sessions: readonly SessionRow[]
}

/** Reads a folder through to its end. */
export async function openFolder(desk: Desk, typed: string): Promise<OpenedFolder> {
  const { engine, client } = await desk.ask()
  const key = await engine.openFolder(desk.resolve(typed))
  await engine.idle()
  const { opened } = await client.call('folder.list', {}, desk.signal)
  const folder = opened.find((one) => one.key === key)
  if (folder === undefined) throw new Refusal('not-found', `${typed} went away while it was read.`)
  const rows = await client.call('session.list', {}, desk.signal)
  const sessions: SessionRow[] = []
  for (const row of rows.filter(({ file }) => liesIn(folder.path, file))) {
    sessions.push(
      desk.agent === undefined ? row : await client.call('session.get', sessionInput(desk, row.key), desk.signal)
    )
  }
  return { client, folder, sessions }
}

function liesIn(folder: string, file: string): boolean {
  const way = relative(folder, file)
  return way !== '' && way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way)
}
