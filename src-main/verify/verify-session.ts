import type { SessionFault } from '#main/formats/format.ts'
import type { ByteLedger } from '#shared/contract/session.ts'
import { placeFault, type Fault } from '#shared/model/fault.ts'
import type { FaultDraft, SessionRecords } from '#shared/model/records.ts'

/**
 * All faults of a session, of single lines and of the whole, by file, line and offset; those without a place come
 * first. `entryOnLine` names the entry that a line holds, which its reader could not know.
 */
export function sessionFaults(
  files: SessionRecords['files'],
  ofLines: readonly (FaultDraft & { readonly file: number })[],
  ofSession: readonly SessionFault[],
  entryOnLine: (line: number, file: number) => string | null
): Fault[] {
  const entryOf = ({ entry, line }: FaultDraft, file: number) =>
    entry !== null || line === null ? entry : entryOnLine(line, file)
  const placed = [
    ...ofSession.map(({ file = 0, ...fault }) => ({ file, fault })),
    ...ofLines.map(({ file, ...fault }) => ({ file, fault: { ...fault, entry: entryOf(fault, file) } }))
  ]
  return placed
    .toSorted(
      (one, other) =>
        one.file - other.file ||
        (one.fault.line ?? 0) - (other.fault.line ?? 0) ||
        (one.fault.offset ?? 0) - (other.fault.offset ?? 0)
    )
    .map(({ file, fault }) => placeFault(fault, (files[file] ?? files[0]).path))
}

export interface Verdict {
  readonly files: number
  readonly findings: Fault[]
  readonly bytes: ByteLedger
}

/** What `verify` says of a session. The ledger adds up to the sizes of the files, or the index is wrong. */
export function verifySession(files: SessionRecords['files'], findings: Fault[], bytes: ByteLedger): Verdict {
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (bytes.total !== size || bytes.entries + bytes.faults + bytes.blank !== size) {
    throw new Error(`the lines of ${files[0].path} do not add up to its ${size} bytes: ${JSON.stringify(bytes)}`)
  }
  return { files: files.length, findings, bytes }
}
