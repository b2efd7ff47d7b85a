import { basename, dirname } from 'node:path'
import type { ExportResult } from '#shared/contract/export.ts'
import { countOf, countText } from './amounts.ts'
import { defineCommand } from './command.ts'
import { openSession } from './open-session.ts'
import { plainText } from './plain-text.ts'
import { table } from './table.ts'
import { UsageError } from './usage-error.ts'

const laterForms = ['normalized', 'markdown', 'html']

export const exportCommand = defineCommand({
  name: 'export',
  operand: 'FILE',
  synopsis: 'export FILE [--entry ID] --as jsonl --out OUT',
  about: 'the bytes of a session, or of the path to an entry',
  options: { entry: { type: 'string' }, as: { type: 'string' }, out: { type: 'string' } },
  later: ['redact'],
  prepare: (values, operand = '') => {
    const { entry, as, out } = values
    if (as === undefined) throw new UsageError('--as is missing; there is: jsonl.')
    if (laterForms.includes(as)) throw new UsageError(`--as ${as} is not available yet; there is: jsonl.`)
    if (as !== 'jsonl') throw new UsageError(`--as ${as} is unknown; there is: jsonl.`)
    if (out === undefined || out === '') throw new UsageError('--out OUT is missing: which file shall be written?')
    return async (desk) => {
      const { client, about } = await openSession(desk, operand)
      const { engine } = await desk.ask()
      const target = desk.resolve(out)
      const into = await engine.folderKey(dirname(target))
      const what = entry === undefined ? about : { ...about, entry }
      const { result } = await client.call('export.write', { ...what, into, name: basename(target) }, desk.signal)
      return { value: result, lines: () => exportLines(result) }
    }
  }
})

function exportLines({ out, bytes, sha256, entries, addedLineFeeds, source }: ExportResult): Iterable<string> {
  const rows = [
    ['wrote', plainText(out)],
    ['holds', `${countText(bytes)} bytes, ${countOf(entries, 'entry', 'entries')}`],
    ['sha256', sha256],
    ['source', plainText(source.file)]
  ]
  if (addedLineFeeds > 0) rows.push(['added', countOf(addedLineFeeds, 'line feed')])
  return table(rows)
}
