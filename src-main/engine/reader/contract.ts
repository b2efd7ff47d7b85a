import * as v from 'valibot'
import { branchCalls, BranchResult } from '#shared/contract/branch.ts'
import { entryCalls } from '#shared/contract/entry.ts'
import { exportCalls, ExportResult } from '#shared/contract/export.ts'
import { sessionCalls, sessionInput } from '#shared/contract/session.ts'
import { SessionKey } from '#shared/model/keys.ts'
import { SessionRow } from '#shared/model/session.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { roleCalls } from '#main/engine/role-contract.ts'

/** A target by its path, which the main thread found behind a key. */
const branchInput = v.object({
  ...sessionInput,
  entry: v.string(),
  position: v.picklist(['before', 'after']),
  into: v.nullable(v.string())
})

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
  'line.page': sessionCalls['line.page'],
  'line.text': sessionCalls['line.text'],
  ...entryCalls,
  'branch.preview': { input: branchInput, output: branchCalls['branch.preview'].output },
  'branch.write': { input: branchInput, output: v.object({ result: BranchResult, sha256: v.string() }) },
  'export.preview': exportCalls['export.preview'],
  'export.write': {
    input: v.object({ ...sessionInput, entry: v.optional(v.string()), out: v.string() }),
    output: ExportResult
  }
} as const satisfies CallMap
export type ReaderCalls = typeof readerCalls
