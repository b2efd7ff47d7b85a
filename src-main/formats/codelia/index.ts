import type { Format } from '../format.ts'
import { assembleCodelia, codeliaOrder } from './assemble.ts'
import { codeliaBlocks, codeliaImage } from './blocks.ts'
import { codeliaBranchPoint, planCodeliaBranch } from './branch.ts'
import { codeliaCompaction } from './compaction.ts'
import { codeliaContext } from './context.ts'
import { claimCodelia, codeliaFolderFaults, forceCodelia, gatheredCodelia, locateCodelia } from './locate.ts'
import { codeliaReader } from './read.ts'
import { codeliaReplay } from './replay.ts'
import { codeliaRequests } from './usage.ts'

/** codelia: a file for each run, a file of messages that the session is resumed from, and a row in a database. */
export const codelia: Format = {
  id: 'codelia',
  label: 'codelia',
  agents: ['codelia'],
  can: { branch: true },
  lookedFor: 'codelia sessions (runs that begin with a header, messages/*.jsonl, state/*.json)',
  locate: locateCodelia,
  claim: claimCodelia,
  folderFaults: codeliaFolderFaults,
  gathered: gatheredCodelia,
  force: forceCodelia,
  reader: codeliaReader,
  order: codeliaOrder,
  assemble: assembleCodelia,
  context: codeliaContext,
  compaction: codeliaCompaction,
  requests: codeliaRequests,
  blocks: codeliaBlocks,
  image: codeliaImage,
  replay: codeliaReplay,
  branchPoint: codeliaBranchPoint,
  planBranch: planCodeliaBranch
}
