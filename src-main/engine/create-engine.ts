import { realpath } from 'node:fs/promises'
import type { Format } from '#main/formats/format.ts'
import { formats as allFormats } from '#main/formats/registry.ts'
import { locateIndex } from '#main/index/index-location.ts'
import { calls, events, type Calls, type Events } from '#shared/contract/contract.ts'
import type { FolderKey } from '#shared/model/keys.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import { createClient } from '#shared/rpc/client.ts'
import { channelPair, handedOver } from '#shared/rpc/pair.ts'
import { serve, type Server } from '#shared/rpc/server.ts'
import { bugLog } from './bug-log.ts'
import { findOffers } from './find-offers.ts'
import { FolderKeys, realFolder } from './folder-keys.ts'
import { keptSettings } from './kept-settings.ts'
import { mainHandlers } from './main-handlers.ts'
import { OpenedPlaces } from './opened-places.ts'
import { startRoles } from './engine-roles.ts'
import type { Engine, EngineOptions, ShellPowers } from './types.ts'
import { WrittenFiles } from './written-files.ts'

/**
 * Starts the engine. `formats` is for tests that bring a format of their own and run both roles in this thread.
 */
export async function createEngine(options: EngineOptions, formats: readonly Format[] = allFormats): Promise<Engine> {
  const { worker, watch, env, log } = options
  const index = locateIndex(options.index)
  const home = await realpath(options.home).catch(() => options.home)
  const reportBug = bugLog(log)

  const servers = new Set<Server<Events>>()
  const toAll: Server<Events>['emit'] = (name, payload) => {
    for (const server of servers) server.emit(name, payload)
  }
  const folderChanged = (folder: FolderKey) => toAll('folder.changed', { folder })

  const keys = new FolderKeys()
  const roles = await startRoles({
    worker,
    role: { index: index.path, watch, env: { ...env }, home },
    formats,
    log,
    onWriter(writer) {
      writer.on('folder.changed', ({ path }) => folderChanged(keys.add(path)))
      writer.on('session.changed', (changed) => toAll('session.changed', changed))
      writer.on('session.gone', (gone) => toAll('session.gone', gone))
    },
    onRestart: () => opened.followAgain(),
    onChange: () => toAll('engine.changed', {})
  })
  const settings = keptSettings(options.settings, log, () => toAll('settings.changed', {}))
  const offers = async () => findOffers(options, formats, keys, (await settings.folders()).recent)
  const opened = new OpenedPlaces(roles.writer, keys, offers, (folder, latest) => {
    folderChanged(folder)
    settings.keepFolders(opened.places().folders, latest)
  })
  const parts = { options, roles, keys, opened, settings, written: new WrittenFiles() }

  const attach = (channel: Channel, powers: ShellPowers) => {
    const server = serve<Calls, Events>(channel, { calls, events }, mainHandlers(parts, powers), reportBug)
    servers.add(server)
    channel.onClose(() => servers.delete(server))
  }

  return {
    attach,
    client(powers) {
      const pair = channelPair(handedOver)
      attach(pair.right, powers)
      return createClient<Calls, Events>(pair.left)
    },
    openFolder: (path) => opened.openFolder(path),
    async reopenFolders() {
      const { open } = await settings.folders()
      for (const path of open) await opened.reopenFolder(path)
    },
    folderKey: async (path) => keys.add(await realFolder(path)),
    openFile: (path, agent, until) => opened.openFile(path, agent, until),
    askFor: (dialog) => toAll('dialog.asked', { dialog }),
    async idle() {
      await roles.writer.call('idle', {})
      await settings.idle()
    },
    async close() {
      await settings.idle()
      await roles.close()
      index[Symbol.dispose]()
    }
  }
}
