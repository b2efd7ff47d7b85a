import type { Format } from '#main/formats/format.ts'
import { formats as allFormats } from '#main/formats/registry.ts'
import { openReadDb, openWriteDb } from '#main/index/open-index.ts'
import { createQueries } from '#main/index/queries.ts'
import { fileWatch } from '#main/watch/file-watch.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import { serve } from '#shared/rpc/server.ts'
import type { InputOf } from '#shared/rpc/types.ts'
import type { WireMessage } from '#shared/rpc/wire.ts'
import { bugLog } from './bug-log.ts'
import { Ingest } from './ingest/ingest.ts'
import { readerCalls } from './reader/contract.ts'
import { createReader } from './reader/create-reader.ts'
import { roleEvents } from './role-contract.ts'
import type { EngineOptions } from './types.ts'
import { writerCalls, writerEvents, type WriterCalls } from './writer-contract.ts'

export interface RoleOptions extends Pick<EngineOptions, 'index' | 'watch' | 'env' | 'home'> {
  readonly role: 'writer' | 'reader'
}

/** Plays a role of the engine on a channel until it is asked to close. The writer makes the index, so it comes first. */
export function serveRole(options: RoleOptions, channel: Channel, formats: readonly Format[] = allFormats): void {
  const log = (line: string) =>
    channel.post({ kind: 'event', name: 'log.written', payload: line } satisfies WireMessage)
  if (options.role === 'writer') serveWriter(options, channel, formats, log)
  else serveReader(options, channel, formats, log)
}

type Log = (line: string) => void

function serveReader({ index }: RoleOptions, channel: Channel, formats: readonly Format[], log: Log): void {
  const db = openReadDb(index)
  const handlers = {
    ...createReader(createQueries(db), formats),
    'role.close'() {
      db.close()
      return null
    }
  }
  serve(channel, { calls: readerCalls, events: roleEvents }, handlers, bugLog(log))
}

function serveWriter(options: RoleOptions, channel: Channel, formats: readonly Format[], log: Log): void {
  const { index, watch, env, home } = options
  const db = openWriteDb(index, log)
  const ingest = new Ingest({
    db,
    formats,
    watch: watch ? fileWatch({ log }) : null,
    env,
    home,
    log,
    say: {
      folderChanged: (path) => server.emit('folder.changed', { path }),
      sessionChanged: (session, revision) => server.emit('session.changed', { session, revision }),
      sessionGone: (session) => server.emit('session.gone', { session })
    }
  })
  const handlers = {
    'folder.follow'({ path }: { readonly path: string }) {
      ingest.follow(path)
      return null
    },
    'folder.drop'({ path }: { readonly path: string }) {
      ingest.drop(path)
      return null
    },
    'folder.states': () => ingest.states(),
    'file.follow': ({ path, agent, until }: InputOf<WriterCalls, 'file.follow'>) =>
      ingest.followFile(path, agent, until),
    async idle() {
      await ingest.idle()
      return null
    },
    async 'role.close'() {
      await ingest.close()
      db.close()
      return null
    }
  }
  const server = serve(channel, { calls: writerCalls, events: writerEvents }, handlers, bugLog(log))
}
