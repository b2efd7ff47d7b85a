import type { BranchResult } from '#shared/contract/branch.ts'
import { countOf, countText } from './amounts.ts'
import { plainText } from './plain-text.ts'
import { table } from './table.ts'

/** What was written, or would be, for people. */
export function branchLines(result: BranchResult, dry: boolean): Iterable<string> {
  const { mode, file, entry, entries, tokens, resume, source, written, addedLineFeeds, openElsewhere, unverified } =
    result
  const sees = `about ${countText(tokens)} tokens for the model`
  const holds = {
    'new-file': () => `${countOf(entries, 'entry', 'entries')} up to ${plainText(entry)}, ${sees}`,
    fork: () => `${countOf(entries, 'entry', 'entries')}, ${sees}`,
    'in-place': () => `one entry below ${plainText(entry)}, ${sees}`,
    label: () => `one entry that labels ${plainText(entry)}`
  }[mode]
  const isNew = mode === 'new-file' || mode === 'fork'
  return table([
    [dry ? 'would write' : 'wrote', isNew ? plainText(file) : `to the end of ${plainText(file)}`],
    [isNew ? 'holds' : 'adds', holds()],
    ...(written.length > 1 ? [['with it', countOf(written.length - 1, 'file')]] : []),
    ...(addedLineFeeds > 0 ? [['line feed', 'one first, as the last line had none']] : []),
    ...(openElsewhere === null
      ? [['note', 'whether another program has the file open cannot be known here: close the agent first']]
      : []),
    ...(unverified === undefined ? [] : [['unverified', plainText(unverified)]]),
    [
      isNew ? 'source' : 'old bytes',
      `${isNew ? `${plainText(source.file)} ` : ''}${source.sha256Before === source.sha256After ? '(unchanged)' : '(changed meanwhile)'}`
    ],
    ['resume', plainText(resume)]
  ])
}
