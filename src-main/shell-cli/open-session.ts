import type { Calls, Events } from '#shared/contract/contract.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { Client } from '#shared/rpc/client.ts'
import type { Desk } from './command.ts'

export interface OpenSession {
  readonly client: Client<Calls, Events>
  /** What every call about the session takes. */
  readonly about: { readonly session: SessionKey; readonly agent?: AgentId }
}

/** Opens a session's file and what it came from, nothing else. */
export async function openSession(desk: Desk, file: string): Promise<OpenSession> {
  const { engine, client } = await desk.ask()
  const session = await engine.openFile(desk.resolve(file), desk.agent ?? null)
  return { client, about: sessionInput(desk, session) }
}

/** A session as the person wants it read. */
export const sessionInput = (desk: Desk, session: SessionKey): OpenSession['about'] =>
  desk.agent === undefined ? { session } : { session, agent: desk.agent }
