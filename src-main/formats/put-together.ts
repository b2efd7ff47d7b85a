import type { SessionRecords } from '#shared/model/records.ts'
import type { Format, SessionView } from './format.ts'

/** A session put together of what was read of it, with the entries that lie in no file behind the others. */
export function putTogether(format: Format, records: SessionRecords): Pick<SessionView, 'records' | 'tree'> {
  const tree = format.assemble(records)
  const { synthetic = [] } = tree
  return {
    records: synthetic.length === 0 ? records : { ...records, entries: [...records.entries, ...synthetic] },
    tree
  }
}
