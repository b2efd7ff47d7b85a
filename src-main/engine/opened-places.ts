import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import type { Folder, Offer } from '#shared/contract/folder.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import type { EngineRoles } from './engine-roles.ts'
import { realFolder, type FolderKeys } from './folder-keys.ts'

/** What the person has opened, in that order, and what is offered. */
export class OpenedPlaces {
  readonly #writer: EngineRoles['writer']
  readonly #keys: FolderKeys
  readonly #offers: () => Promise<Offer[]>
  readonly #changed: (folder: FolderKey, latest: string | null) => void
  readonly #folders = new Map<FolderKey, string>()
  readonly #files = new Map<SessionKey, { readonly path: string; readonly agent: AgentId | null }>()

  /** `changed` is told of folders that were opened or closed, with the real path of one that was opened. */
  constructor(
    writer: EngineRoles['writer'],
    keys: FolderKeys,
    offers: () => Promise<Offer[]>,
    changed: (folder: FolderKey, latest: string | null) => void
  ) {
    this.#writer = writer
    this.#keys = keys
    this.#offers = offers
    this.#changed = changed
  }

  /** Refused as `not-found`. */
  async openFolder(path: string): Promise<FolderKey> {
    return this.#follow(await realFolder(path))
  }

  /** Opens a folder that was open before, also where it is gone meanwhile. */
  async reopenFolder(path: string): Promise<FolderKey> {
    return this.#follow(await realFolder(path).catch(() => path))
  }

  async #follow(real: string): Promise<FolderKey> {
    const key = this.#keys.add(real)
    await this.#writer.call('folder.follow', { path: real })
    this.#folders.set(key, real)
    this.#changed(key, real)
    return key
  }

  /** Resolves when the file is read or, `until` it can be shown, the first of it. Refused as `not-found`, `unsupported`. */
  async openFile(path: string, agent: AgentId | null, until: 'read' | 'shown' = 'read'): Promise<SessionKey> {
    const real = await realpath(path).catch(() => {
      throw new Refusal('not-found', `${path} is not there or cannot be read. Check the path.`, { file: path })
    })
    const session = await this.#writer.call('file.follow', { path: real, agent, until })
    this.#files.set(session, { path: real, agent })
    return session
  }

  /** Tells a writer that has just been started what to read and to follow. */
  async followAgain(): Promise<void> {
    for (const path of this.#folders.values()) await this.#writer.call('folder.follow', { path })
    for (const file of this.#files.values()) {
      // One that is gone meanwhile is said where it is shown.
      await this.#writer.call('file.follow', { ...file, until: 'shown' }).catch(() => undefined)
    }
  }

  async closeFolder(folder: FolderKey): Promise<void> {
    const path = this.#keys.path(folder)
    if (!this.#folders.delete(folder)) return
    this.#changed(folder, null)
    await this.#writer.call('folder.drop', { path })
  }

  async list(): Promise<{ opened: Folder[]; offered: Offer[] }> {
    const states = new Map((await this.#writer.call('folder.states', {})).map((state) => [state.path, state]))
    const opened = [...this.#folders].flatMap(([key, path]): Folder[] => {
      const state = states.get(path)
      return state === undefined ? [] : [{ ...state, key }]
    })
    return { opened, offered: await this.#offers() }
  }

  /** Refused as `not-found` where it was closed meanwhile. */
  async folder(key: FolderKey): Promise<Folder> {
    const { opened } = await this.list()
    const folder = opened.find((one) => one.key === key)
    if (folder !== undefined) return folder
    throw new Refusal('not-found', 'This folder is not open any more. Open it again.')
  }

  places(): { folders: string[]; sessions: SessionKey[] } {
    return { folders: [...this.#folders.values()], sessions: [...this.#files.keys()] }
  }

  isOpen(file: string, session: SessionKey): boolean {
    return this.folderOf(file) !== null || this.#files.has(session)
  }

  /** The innermost open folder in which a file lies. */
  folderOf(file: string): FolderKey | null {
    const around = [...this.#folders].filter(([, path]) => liesBelow(path, file))
    return around.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null
  }
}

function liesBelow(folder: string, file: string): boolean {
  const way = relative(folder, file)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
