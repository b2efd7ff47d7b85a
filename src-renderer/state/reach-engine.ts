import type { Calls, Events } from '#shared/contract/contract.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import { createClient } from '#shared/rpc/client.ts'
import type { EngineClient, Output } from './client.ts'
import { connect } from './connect.ts'

export interface ReachedEngine {
  readonly channel: Channel
  readonly client: EngineClient
  readonly kept: Output<'settings.get'>
}

/** Reaches the engine and asks how the window is to look: so it does from the first picture on. Rejects where there is no engine. */
export async function reachEngine(): Promise<ReachedEngine> {
  const channel = await connect()
  const client = createClient<Calls, Events>(channel)
  return { channel, client, kept: await client.call('settings.get', {}) }
}
