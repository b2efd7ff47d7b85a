import type { SessionRecords } from '#shared/model/records.ts'
import type { Format, SessionView } from './format.ts'

/** A session put together of what was read of it, with the entries that lie in no file behind the others. */
export function putTogether(format: Format, read: SessionRecords): Pick<SessionView, 'records' | 'tree'> {
  const records = inOrder(format, read)
  const tree = format.assemble(records)
  const { synthetic = [] } = tree
  return {
    records: synthetic.length === 0 ? records : { ...records, entries: [...records.entries, ...synthetic] },
    tree
  }
}

function inOrder({ order }: Format, records: SessionRecords): SessionRecords {
  if (order === undefined || records.files.length === 1) return records
  const byFile = Map.groupBy(records.entries, ({ file }) => file)
  return { ...records, entries: order(records.files).flatMap((file) => byFile.get(file) ?? []) }
}
