import type { Format } from '#main/formats/format.ts'
import type { EngineEnd } from '#shared/contract/app.ts'
import { type Client, createClient } from '#shared/rpc/client.ts'
import { bugLog } from './bug-log.ts'
import type { ReaderCalls } from './reader/contract.ts'
import type { RoleEvents } from './role-contract.ts'
import type { RoleOptions } from './serve-role.ts'
import { startRole, type StartedRole } from './start-role.ts'
import type { WriterCalls, WriterEvents } from './writer-contract.ts'

type Writer = Client<WriterCalls, WriterEvents>
type Reader = Client<ReaderCalls, RoleEvents>

/** The writer and the reader; either client asks the thread that runs now. */
export interface EngineRoles {
  readonly writer: Pick<Writer, 'call'>
  readonly reader: Pick<Reader, 'call'>
  /** The thread that ended by itself; null while both run. */
  ended(): EngineEnd | null
  /** Ends what still runs and starts both again. Refused as `disconnected` where one ends at once. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface EngineRolesOptions {
  readonly worker: string | null
  readonly role: Omit<RoleOptions, 'role'>
  readonly formats: readonly Format[]
  readonly log: (line: string) => void
  /** Given the writer's client at each start. */
  readonly onWriter: (writer: Writer) => void
  /** Awaited once both run again. */
  readonly onRestart: () => Promise<void>
  /** Told when `ended` changes. */
  readonly onChange: () => void
}

interface Running {
  readonly writer: Writer
  readonly reader: Reader
  /** Those that were started, the last one first. */
  readonly roles: readonly { readonly role: StartedRole; close(): Promise<unknown> }[]
}

/** Starts the writer first, as it makes the index, then the reader. */
export async function startRoles(options: EngineRolesOptions): Promise<EngineRoles> {
  const { worker, formats, log, onWriter, onRestart, onChange } = options
  const reportBug = bugLog(log)
  let ended: EngineEnd | null = null
  let restarting: Promise<void> | undefined

  const startOne = (name: EngineEnd['role']): StartedRole =>
    startRole(worker, { ...options.role, role: name }, formats, (error) => {
      const id = reportBug(error, `the ${name} thread`)
      ended = { role: name, why: isOutOfMemory(error) ? { kind: 'memory' } : { kind: 'bug', id } }
      onChange()
    })

  const start = async (): Promise<Running> => {
    const writerRole = startOne('writer')
    const writer: Writer = createClient(writerRole.channel)
    writer.on('log.written', log)
    onWriter(writer)
    await writer.call('idle', {})
    const readerRole = startOne('reader')
    const reader: Reader = createClient(readerRole.channel)
    reader.on('log.written', log)
    const roles = [
      { role: readerRole, close: () => reader.call('role.close', {}) },
      { role: writerRole, close: () => writer.call('role.close', {}) }
    ]
    return { writer, reader, roles }
  }

  let running = await start()

  const close = async () => {
    for (const { role, close: ask } of running.roles) {
      await ask().catch(() => undefined)
      await role.end()
    }
  }

  const restart = async () => {
    await close()
    ended = null
    try {
      running = await start()
      await onRestart()
    } finally {
      onChange()
    }
  }

  return {
    writer: { call: (name, input, signal) => running.writer.call(name, input, signal) },
    reader: { call: (name, input, signal) => running.reader.call(name, input, signal) },
    ended: () => ended,
    restart: () => (restarting ??= restart().finally(() => (restarting = undefined))),
    close
  }
}

const isOutOfMemory = (error: NodeJS.ErrnoException): boolean => error.code === 'ERR_WORKER_OUT_OF_MEMORY'
