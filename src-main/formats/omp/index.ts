import type { Format } from '../format.ts'
import { ompAppendRefusal, planOmpAppend } from './append.ts'
import { assembleOmp } from './assemble.ts'
import { ompBlocks, ompImage } from './blocks.ts'
import { ompBranchPoint } from './branch.ts'
import { ompCompaction } from './compaction.ts'
import { ompContext } from './context.ts'
import { planOmpFork } from './fork.ts'
import { claimOmp, forceOmp, locateOmp } from './locate.ts'
import { ompReader } from './read.ts'
import { ompRequests } from './usage.ts'
import { planOmpBranch } from './write.ts'

/** pi and omp: one JSONL file a session, its entries a tree by `id` and `parentId`. */
export const omp: Format = {
  id: 'omp',
  label: 'pi and omp',
  agents: ['pi', 'omp'],
  can: { branch: true },
  lookedFor: 'pi and omp sessions (*.jsonl that begin with a session header)',
  locate: locateOmp,
  claim: claimOmp,
  force: forceOmp,
  reader: ompReader,
  assemble: assembleOmp,
  context: ompContext,
  compaction: ompCompaction,
  requests: ompRequests,
  blocks: ompBlocks,
  image: ompImage,
  branchPoint: ompBranchPoint,
  planBranch: planOmpBranch,
  planFork: planOmpFork,
  appendRefusal: ompAppendRefusal,
  planAppend: planOmpAppend
}
