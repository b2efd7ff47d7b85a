import type { BranchMode } from '#shared/contract/branch.ts'
import { branchLines } from './branch-lines.ts'
import { defineCommand } from './command.ts'
import { openSession } from './open-session.ts'
import { UsageError } from './usage-error.ts'

export const branch = defineCommand({
  name: 'branch',
  operand: 'FILE',
  synopsis: 'branch FILE --entry ID [--new-file|--in-place|--fork] [--summary TEXT] [--out DIR] [--dry-run]',
  about: 'goes on from an entry: in a new session file, in the same one, or in a fork of the whole tree',
  options: {
    entry: { type: 'string' },
    'new-file': { type: 'boolean' },
    'in-place': { type: 'boolean' },
    fork: { type: 'boolean' },
    summary: { type: 'string' },
    out: { type: 'string' },
    'dry-run': { type: 'boolean' }
  },
  prepare: (values, operand = '') => {
    const { entry, summary, out, 'dry-run': dry } = values
    const mode = modeOf(values)
    if (mode === 'fork' && entry !== undefined) throw new UsageError('--fork takes the whole tree, without --entry.')
    if (mode !== 'fork' && entry === undefined)
      throw new UsageError('--entry ID is missing: where does the branch begin?')
    if (summary !== undefined && mode !== 'in-place') throw new UsageError('--summary goes with --in-place only.')
    if (summary === '') throw new UsageError('--summary is empty.')
    if (out !== undefined && mode === 'in-place')
      throw new UsageError('--in-place writes to FILE itself, without --out.')
    return async (desk) => {
      const { client, about } = await openSession(desk, operand)
      const { engine } = await desk.ask()
      const request = {
        ...about,
        mode,
        ...(entry === undefined ? {} : { entry }),
        ...(summary === undefined ? {} : { summary }),
        ...(out === undefined ? {} : { into: await engine.folderKey(desk.resolve(out)) })
      }
      const { result } = await client.call(dry === true ? 'branch.preview' : 'branch.write', request, desk.signal)
      return { value: result, lines: () => branchLines(result, dry === true) }
    }
  }
})

function modeOf(values: { readonly 'new-file'?: boolean; readonly 'in-place'?: boolean; readonly fork?: boolean }) {
  const chosen = (['new-file', 'in-place', 'fork'] as const satisfies readonly BranchMode[]).filter(
    (mode) => values[mode] === true
  )
  if (chosen.length > 1) throw new UsageError(`One of --${chosen.join(' and --')} at a time.`)
  return chosen[0] ?? 'new-file'
}
