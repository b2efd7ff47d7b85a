import type { Format } from '../format.ts'
import { assembleShellAgent } from './assemble.ts'
import { shellAgentBlocks, shellAgentImage } from './blocks.ts'
import { planShellAgentBranch, shellAgentBranchPoint } from './branch.ts'
import { shellAgentCompaction } from './compaction.ts'
import { shellAgentContext } from './context.ts'
import { claimShellAgent, forceShellAgent, isShellAgentRunning, locateShellAgent } from './locate.ts'
import { parserOf } from './parse-entry.ts'
import { shellAgentReplay } from './replay.ts'
import { shellAgentReader } from './read.ts'
import { shellAgentRequests } from './totals.ts'

/** The shell agent: a directory a session, with what the model is sent and what happened in two logs. */
export const shellAgent: Format = {
  id: 'shell-agent',
  label: 'shell agent',
  agents: ['shell-agent'],
  can: { branch: true },
  lookedFor: 'shell agent sessions (directories with conversation.jsonl and events.jsonl)',
  locate: locateShellAgent,
  claim: claimShellAgent,
  force: forceShellAgent,
  parser: parserOf,
  isRunning: isShellAgentRunning,
  reader: shellAgentReader,
  assemble: assembleShellAgent,
  context: shellAgentContext,
  compaction: shellAgentCompaction,
  requests: shellAgentRequests,
  blocks: shellAgentBlocks,
  image: shellAgentImage,
  replay: shellAgentReplay,
  branchPoint: shellAgentBranchPoint,
  planBranch: planShellAgentBranch
}
