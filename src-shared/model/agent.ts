import * as v from 'valibot'

/** The program that wrote a file. omp and pi are two dialects of one format. */
export const agentIds = ['omp', 'pi', 'codelia', 'dsh', 'shell-agent', 'claude-code', 'codex'] as const
export const AgentId = v.picklist(agentIds)
export type AgentId = v.InferOutput<typeof AgentId>

/** One folder under `src-main/formats` each. */
export type FormatId = Exclude<AgentId, 'pi'>
