import type { AgentId, FormatId } from '#shared/model/agent.ts'
import type { Format } from './format.ts'
import { omp } from './omp/index.ts'

/** Every format that can be read. */
export const formats: readonly Format[] = [omp]

export function formatById(id: FormatId): Format | undefined {
  return formats.find((format) => format.id === id)
}

/** The format that an agent writes; undefined where it cannot be read. */
export function formatOfAgent(agent: AgentId): Format | undefined {
  return formats.find((format) => format.agents.includes(agent))
}
