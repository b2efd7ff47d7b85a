import * as v from 'valibot'
import { branchCalls, BranchResult } from '#shared/contract/branch.ts'
import { contextCalls } from '#shared/contract/context.ts'
import { compactionCalls } from '#shared/contract/compaction.ts'
import { entryCalls } from '#shared/contract/entry.ts'
import { exportCalls, ExportResult } from '#shared/contract/export.ts'
import { replayCalls } from '#shared/contract/replay.ts'
import { sessionCalls } from '#shared/contract/session.ts'
import { usageCalls } from '#shared/contract/usage.ts'
import { transcriptCalls } from '#shared/contract/transcript.ts'
import { agentIds } from '#shared/model/agent.ts'
import { SessionKey } from '#shared/model/keys.ts'
import { SessionRow } from '#shared/model/session.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { roleCalls } from '#main/engine/role-contract.ts'

/** A target by its path, which the main thread found behind a key. */
const branchInput = v.object({ ...branchCalls['branch.write'].input.entries, into: v.nullable(v.string()) })

/** What the reader thread answers: the public calls that need the index or a session's bytes, with paths in place of folder keys. */
export const readerCalls = {
  ...roleCalls,
  /** Sessions below these folders, and these sessions; newest `updatedAt` first. */
  'session.list': {
    input: v.object({ folders: v.array(v.string()), sessions: v.array(SessionKey) }),
    output: v.array(SessionRow)
  },
  'session.get': sessionCalls['session.get'],
  'session.outline': sessionCalls['session.outline'],
  'session.faults': sessionCalls['session.faults'],
  'session.verify': sessionCalls['session.verify'],
  'session.files': sessionCalls['session.files'],
  'line.page': sessionCalls['line.page'],
  'line.text': sessionCalls['line.text'],
  ...replayCalls,
  ...entryCalls,
  ...transcriptCalls,
  ...contextCalls,
  ...compactionCalls,
  ...usageCalls,
  'branch.preview': { input: branchInput, output: branchCalls['branch.preview'].output },
  'branch.write': {
    input: branchInput,
    output: v.object({
      result: BranchResult,
      /** New files, the session's own first; none in place. */
      files: v.array(v.object({ path: v.string(), bytes: v.number(), sha256: v.string() })),
      /** The folder that was made for those beside it. */
      folder: v.nullable(v.string()),
      end: v.nullable(v.string()),
      /** As `StoredSession.agent`. */
      agent: v.nullable(v.picklist(agentIds))
    })
  },
  'entry.label': {
    input: branchCalls['entry.label'].input,
    output: v.object({ ...branchCalls['entry.label'].output.entries, agent: v.nullable(v.picklist(agentIds)) })
  },
  'export.preview': exportCalls['export.preview'],
  'export.write': {
    input: v.object({ ...exportCalls['export.preview'].input.entries, out: v.string() }),
    output: ExportResult
  }
} as const satisfies CallMap
export type ReaderCalls = typeof readerCalls
