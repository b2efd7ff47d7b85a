import type { AppInfo } from '#shared/contract/app.ts'
import type { Calls, Events } from '#shared/contract/contract.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import type { EventOf } from '#shared/rpc/types.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import type { Client } from '#shared/rpc/client.ts'

export type AskedDialog = EventOf<Events, 'dialog.asked'>['dialog']

/** What a shell can do that the engine cannot; a call that needs what is absent is refused as `unsupported`. */
export interface ShellPowers {
  readonly info: AppInfo
  /** The system's folder dialog; undefined when cancelled. */
  readonly chooseFolder?: () => Promise<string | undefined>
  /** The system's save dialog. */
  readonly chooseTarget?: (name: string) => Promise<string | undefined>
  readonly reveal?: (path: string) => void
  /** Makes a file in our own data folder downloadable once; returns its path below the page's origin. */
  readonly offerDownload?: (file: string, name: string) => string
}

export interface EngineOptions {
  /** Path of the index, or `:memory:` for a private temporary file. */
  readonly index: string
  /** Our own folder, for downloads on their way; made when needed. */
  readonly dataFolder: string
  /** File of the person's settings and folders; null keeps them in memory. */
  readonly settings: string | null
  /** Folder of the samples that ship with the app, null where there is none. */
  readonly samples: string | null
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Path of the built `worker.js`; null runs both roles in this thread (the command line, tests). */
  readonly worker: string | null
  /** Watch what is opened for changes. */
  readonly watch: boolean
  readonly log: (line: string) => void
}

/** The store engine, owned by the main process. Paths enter here, and only from a command line, a dialog or a drop. */
export interface Engine {
  /** Serves the contract on a channel until it closes. */
  attach(channel: Channel, powers: ShellPowers): void
  /** A client of our own on a channel in memory, with the same handlers. */
  client(powers: ShellPowers): Client<Calls, Events>
  openFolder(path: string): Promise<FolderKey>
  /** Opens the folders that were open when Treeline last ended; one that is gone is listed as gone. */
  reopenFolders(): Promise<void>
  /** Registers an existing folder, named on the command line, as a target to write into; reads nothing. Refused as `not-found`. */
  folderKey(path: string): Promise<FolderKey>
  /**
   * Indexes the session that a file belongs to, and its lineage only; `until` it can be shown, a long one is still being
   * read. Refused as `not-found`, `unsupported` where no format reads it.
   */
  openFile(path: string, agent: AgentId | null, until?: 'read' | 'shown'): Promise<SessionKey>
  /** Asks every window to show a dialog. */
  askFor(dialog: AskedDialog): void
  /** Resolves when the writer's queue is drained: nothing is being read into the index or announced. */
  idle(): Promise<void>
  close(): Promise<void>
}
