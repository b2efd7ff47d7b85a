import { branchLines } from './branch-lines.ts'
import { defineCommand } from './command.ts'
import { openSession } from './open-session.ts'
import { UsageError } from './usage-error.ts'

export const label = defineCommand({
  name: 'label',
  operand: 'FILE',
  secondOperand: 'TEXT',
  synopsis: 'label FILE --entry ID [TEXT] [--dry-run]',
  about: 'labels an entry in the session’s own file; without TEXT clears its label',
  options: { entry: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  prepare: ({ entry, 'dry-run': dry }, operand = '', text = '') => {
    if (entry === undefined) throw new UsageError('--entry ID is missing: which entry is labelled?')
    return async (desk) => {
      const { client, about } = await openSession(desk, operand)
      const request = { ...about, entry, label: text, dryRun: dry === true }
      const { result } = await client.call('entry.label', request, desk.signal)
      return { value: result, lines: () => branchLines(result, dry === true) }
    }
  }
})
