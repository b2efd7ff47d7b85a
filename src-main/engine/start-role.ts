import { MessageChannel, Worker } from 'node:worker_threads'
import type { Format } from '#main/formats/format.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import { channelPair, handedOver } from '#shared/rpc/pair.ts'
import { portChannel } from './port-channel.ts'
import { serveRole, type RoleOptions } from './serve-role.ts'

export interface StartedRole {
  /** Closes when the role's thread dies, so that what was asked of it is refused as `disconnected`. */
  readonly channel: Channel
  end(): Promise<void>
}

/** Below 2 GB V8 lets a heap double before it is collected, above it grow fourfold; and young objects are many here. */
const resourceLimits = { maxOldGenerationSizeMb: 2000, maxYoungGenerationSizeMb: 16 }

/** Starts a role of the engine, in a thread of its own or, with `worker` null, in this one. `onDeath` is told why a thread ended by itself. */
export function startRole(
  worker: string | null,
  options: RoleOptions,
  formats: readonly Format[],
  onDeath: (error: Error) => void
): StartedRole {
  if (worker === null) {
    const pair = channelPair(handedOver)
    serveRole(options, pair.right, formats)
    return { channel: pair.left, end: () => Promise.resolve(pair.close()) }
  }
  const { port1, port2 } = new MessageChannel()
  const thread = new Worker(worker, { workerData: { options, port: port2 }, transferList: [port2], resourceLimits })
  let isOver = false
  const die = (error: Error) => {
    if (isOver) return
    isOver = true
    onDeath(error)
  }
  thread.on('error', die)
  thread.on('exit', (code) => die(new Error(`It ended with code ${code}`)))
  return {
    channel: portChannel(port1),
    async end() {
      isOver = true
      await thread.terminate()
      port1.close()
    }
  }
}
