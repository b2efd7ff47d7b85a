import type { SessionView } from '../format.ts'
import { fileNamed } from './totals.ts'

/** More of a plan or summary is not shown. */
const longest = 2 ** 24

/** The text of a file beside the logs; "" where there is none. */
export async function documentText({ records, open }: SessionView, name: string): Promise<string> {
  const file = fileNamed(records, name)
  const length = records.files[file]?.length ?? 0
  if (length === 0) return ''
  await using source = await open(file)
  const bytes = Buffer.allocUnsafe(Math.min(length, longest))
  return bytes.toString('utf8', 0, await source.read(bytes, 0))
}
