import type { Format } from '../format.ts'
import { assembleDsh } from './assemble.ts'
import { dshBlocks } from './blocks.ts'
import { dshCompaction } from './compaction.ts'
import { dshContext } from './context.ts'
import { dshBranchPoint, planDshBranch } from './fork.ts'
import { decodeFrames, encodeFrames } from './frames.ts'
import { claimDsh, forceDsh, locateDsh } from './locate.ts'
import { dshReader } from './read.ts'
import { dshReplay } from './replay.ts'
import { dshRequests } from './usage.ts'

/** dsh: one log of events a session, raw or in zstd frames, whose surface is the conversation. */
export const dsh: Format = {
  id: 'dsh',
  label: 'dsh',
  agents: ['dsh'],
  can: { branch: true },
  lookedFor: 'dsh sessions (session.jsonl or session.vN.jsonl, also .zstd, in a folder each)',
  locate: locateDsh,
  claim: claimDsh,
  force: forceDsh,
  decode: (source, raw) => (source.framing === 'frames' ? decodeFrames(raw) : raw),
  encode: encodeFrames,
  reader: dshReader,
  assemble: assembleDsh,
  context: dshContext,
  compaction: dshCompaction,
  requests: dshRequests,
  replay: dshReplay,
  blocks: dshBlocks,
  // The bytes of attachments are not in the log.
  image: () => Promise.resolve(undefined),
  branchPoint: dshBranchPoint,
  planBranch: planDshBranch
}
