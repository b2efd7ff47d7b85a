import type { AgentId } from '#shared/model/agent.ts'

/** Agents as their makers write them. */
export const agentNames: Readonly<Record<AgentId, string>> = {
  omp: 'omp',
  pi: 'pi',
  codelia: 'codelia',
  dsh: 'dsh',
  'shell-agent': 'shell agent',
  'claude-code': 'Claude Code',
  codex: 'Codex'
}
