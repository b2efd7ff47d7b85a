import { mkdir, realpath } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { plainFileName } from '#main/export/file-name.ts'
import type { Calls } from '#shared/contract/contract.ts'
import type { ExportResult } from '#shared/contract/export.ts'
import type { Folder } from '#shared/contract/folder.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { FolderKey, SessionKey, WrittenKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import type { Handlers, InputOf, OutputOf } from '#shared/rpc/types.ts'
import type { EngineRoles } from './engine-roles.ts'
import type { FolderKeys } from './folder-keys.ts'
import type { KeptSettings } from './kept-settings.ts'
import { realFolder } from './folder-keys.ts'
import { listFolders } from './list-folders.ts'
import type { OpenedPlaces } from './opened-places.ts'
import type { ReaderCalls } from './reader/contract.ts'
import type { EngineOptions, ShellPowers } from './types.ts'
import type { WrittenFiles } from './written-files.ts'

export interface MainParts {
  readonly options: EngineOptions
  readonly roles: EngineRoles
  readonly keys: FolderKeys
  readonly opened: OpenedPlaces
  readonly settings: KeptSettings
  readonly written: WrittenFiles
}

type Routed = keyof ReaderCalls & keyof Calls

/** The public contract for one shell: routes to the reader what needs a session, and does the rest itself. */
export function mainHandlers(
  { options, roles, keys, opened, settings, written }: MainParts,
  powers: ShellPowers
): Handlers<Calls> {
  const { reader } = roles
  const routed =
    <K extends Routed>(name: K) =>
    (input: InputOf<ReaderCalls, K>, signal: AbortSignal): Promise<OutputOf<ReaderCalls, K>> =>
      reader.call(name, input, signal)

  const withFolder = (row: SessionRow): SessionRow => ({ ...row, folder: opened.folderOf(row.file) })

  const fileOf = async (session: SessionKey, signal: AbortSignal): Promise<string> =>
    (await reader.call('session.get', { session }, signal)).file

  const write = async (
    what: Omit<InputOf<ReaderCalls, 'export.write'>, 'out'>,
    out: string,
    signal: AbortSignal
  ): Promise<{ result: ExportResult; written: WrittenKey }> => {
    const result = await reader.call('export.write', { ...what, out }, signal)
    return {
      result,
      written: written.add({ path: out, bytes: result.bytes, sha256: result.sha256, beside: [], folder: null })
    }
  }

  const openFolder = async (path: string): Promise<Folder> => opened.folder(await opened.openFolder(path))

  /** Beside the source only where the person opened it; elsewhere a target must be chosen. */
  const branchTarget = async (session: SessionKey, into: FolderKey | undefined, signal: AbortSignal) => {
    if (into !== undefined) return keys.path(into)
    const file = await fileOf(session, signal)
    if (opened.isOpen(file, session)) return null
    throw new Refusal('read-only', `${file} lies in no folder that is open. Open its folder, or choose a target.`, {
      file
    })
  }

  return {
    'app.info': () => powers.info,
    'engine.state': () => ({ ended: roles.ended() }),
    async 'engine.restart'() {
      await roles.restart()
      return null
    },

    'settings.get': () => settings.get(),
    'settings.set': (part) => settings.set(part),

    'folder.list': () => opened.list(),
    'folder.open': ({ folder }) => openFolder(keys.path(folder)),
    async 'folder.dialog'() {
      const path = await required(powers.chooseFolder, 'a dialog for folders')()
      return path === undefined ? null : openFolder(path)
    },
    async 'folder.choose'() {
      const chosen = await required(powers.chooseFolder, 'a dialog for folders')()
      if (chosen === undefined) return null
      const path = await realFolder(chosen)
      return { key: keys.add(path), path }
    },
    async 'folder.close'({ folder }) {
      await opened.closeFolder(folder)
      return null
    },
    'picker.list': async ({ at }) => listFolders(at === null ? await realFolder(options.home) : keys.path(at), keys),

    async 'session.list'(_input, signal) {
      const rows = await reader.call('session.list', opened.places(), signal)
      return rows.map(withFolder)
    },
    'session.get': async (input, signal) => withFolder(await reader.call('session.get', input, signal)),
    'session.outline': routed('session.outline'),
    'session.faults': routed('session.faults'),
    'session.verify': routed('session.verify'),
    'session.replay': routed('session.replay'),
    async 'session.reveal'({ session }, signal) {
      required(powers.reveal, 'a file browser')(await fileOf(session, signal))
      return null
    },
    'session.files': routed('session.files'),
    'line.page': routed('line.page'),
    'line.text': routed('line.text'),

    'entry.rows': routed('entry.rows'),
    'entry.detail': routed('entry.detail'),
    'entry.text': routed('entry.text'),
    'entry.image': routed('entry.image'),
    'entry.context': routed('entry.context'),
    'entry.contents': routed('entry.contents'),

    'context.head': routed('context.head'),
    'context.messages': routed('context.messages'),
    'context.message': routed('context.message'),
    'context.text': routed('context.text'),
    'context.omitted': routed('context.omitted'),
    'context.compare': routed('context.compare'),
    'context.compared': routed('context.compared'),
    'context.difference': routed('context.difference'),

    'compaction.list': routed('compaction.list'),
    'compaction.get': routed('compaction.get'),
    'compaction.fates': routed('compaction.fates'),
    'compaction.summary': routed('compaction.summary'),
    'compaction.difference': routed('compaction.difference'),
    'compaction.find': routed('compaction.find'),

    'usage.requests': routed('usage.requests'),
    'usage.stats': routed('usage.stats'),

    async 'branch.preview'({ into, ...request }, signal) {
      const target = await branchTarget(request.session, request.mode === 'in-place' ? undefined : into, signal)
      return reader.call('branch.preview', { ...request, into: target }, signal)
    },
    async 'branch.write'({ into, ...request }, signal) {
      const target = await branchTarget(request.session, request.mode === 'in-place' ? undefined : into, signal)
      const { result, files, folder, end, agent } = await reader.call(
        'branch.write',
        { ...request, into: target },
        signal
      )
      const [main, ...beside] = files
      const key = main === undefined ? null : written.add({ ...main, beside, folder })
      // In place the session is read on, as it was read before.
      const session = await opened.openFile(result.file, main === undefined ? agent : null)
      return { result, session, end, written: key }
    },
    async 'entry.label'(input, signal) {
      await branchTarget(input.session, undefined, signal)
      const { agent, ...labelled } = await reader.call('entry.label', input, signal)
      if (!input.dryRun) await opened.openFile(labelled.result.file, agent)
      return labelled
    },
    async 'written.trash'(input) {
      await written.trash(input.written)
      return null
    },
    'written.reveal'(input) {
      required(powers.reveal, 'a file browser')(written.path(input.written))
      return null
    },

    'export.preview': routed('export.preview'),
    async 'export.write'({ into, name: asked, ...what }, signal) {
      const name = plainFileName(asked)
      if (into !== null) return { ...(await write(what, join(keys.path(into), name), signal)), download: null }
      const offer = required(powers.offerDownload, 'downloads')
      const folder = join(options.dataFolder, 'downloads')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(await realpath(folder), randomUUID())
      const done = await write(what, file, signal)
      return { ...done, download: offer(file, name) }
    },
    async 'export.dialog'({ name: asked, ...what }, signal) {
      const target = await required(powers.chooseTarget, 'a dialog to save')(plainFileName(asked))
      if (target === undefined) return null
      return write(what, join(await realFolder(dirname(target)), basename(target)), signal)
    }
  }
}

function required<T>(power: T | undefined, what: string): T {
  if (power !== undefined) return power
  throw new Refusal('unsupported', `This window has no ${what.replace(/^an? /, '')} of the system to use.`)
}
