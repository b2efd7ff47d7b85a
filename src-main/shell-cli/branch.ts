import type { BranchResult } from '#shared/contract/branch.ts'
import { countOf, countText } from './amounts.ts'
import { defineCommand } from './command.ts'
import { openSession } from './open-session.ts'
import { plainText } from './plain-text.ts'
import { table } from './table.ts'
import { UsageError } from './usage-error.ts'

export const branch = defineCommand({
  name: 'branch',
  operand: 'FILE',
  synopsis: 'branch FILE --entry ID [--new-file] [--out DIR] [--dry-run]',
  about: 'a new session file that ends at an entry, for the agent to resume',
  options: {
    entry: { type: 'string' },
    'new-file': { type: 'boolean' },
    out: { type: 'string' },
    'dry-run': { type: 'boolean' }
  },
  later: ['in-place', 'fork', 'summary'],
  prepare: (values, operand = '') => {
    const { entry, out, 'dry-run': dry } = values
    if (entry === undefined) throw new UsageError('--entry ID is missing: where does the branch begin?')
    return async (desk) => {
      const { client, about } = await openSession(desk, operand)
      const { engine } = await desk.ask()
      const request = { ...about, entry, position: 'after' as const }
      const target = out === undefined ? request : { ...request, into: await engine.folderKey(desk.resolve(out)) }
      const { result } = await client.call(dry === true ? 'branch.preview' : 'branch.write', target, desk.signal)
      return { value: result, lines: () => branchLines(result, dry === true) }
    }
  }
})

function branchLines({ file, entry, entries, tokens, resume, source }: BranchResult, dry: boolean): Iterable<string> {
  return table([
    [dry ? 'would write' : 'wrote', plainText(file)],
    [
      'holds',
      `${countOf(entries, 'entry', 'entries')} up to ${plainText(entry)}, about ${countText(tokens)} tokens for the model`
    ],
    [
      'source',
      `${plainText(source.file)} (${source.sha256Before === source.sha256After ? 'unchanged' : 'changed meanwhile'})`
    ],
    ['resume', plainText(resume)]
  ])
}
