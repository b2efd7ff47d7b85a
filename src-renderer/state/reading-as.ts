import type { AgentId } from '#shared/model/agent.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { EngineClient } from './client.ts'

/** The same client, save that it reads one session as the agent that the person named. */
export function readingAs(client: EngineClient, session: SessionKey, agent: AgentId): EngineClient {
  return {
    ...client,
    call: (name, input, signal) => {
      const isAboutIt = 'session' in input && input.session === session
      return client.call(name, isAboutIt ? { ...input, agent } : input, signal)
    }
  }
}
