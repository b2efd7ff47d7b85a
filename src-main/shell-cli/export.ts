import { basename, dirname } from 'node:path'
import { exportForms, type ExportResult } from '#shared/contract/export.ts'
import { countOf, countText } from './amounts.ts'
import { defineCommand } from './command.ts'
import { openSession } from './open-session.ts'
import { plainText } from './plain-text.ts'
import { table } from './table.ts'
import { UsageError } from './usage-error.ts'

const forms = exportForms.join(', ')

export const exportCommand = defineCommand({
  name: 'export',
  operand: 'FILE',
  synopsis: 'export FILE [--entry ID] --as jsonl|normalized|markdown|html [--redact] --out OUT',
  about: 'a session or the path to an entry: its bytes, its entries, or something to read',
  options: {
    entry: { type: 'string' },
    as: { type: 'string' },
    redact: { type: 'boolean' },
    out: { type: 'string' }
  },
  prepare: ({ entry, as: typed, redact = false, out }, operand = '') => {
    if (typed === undefined) throw new UsageError(`--as is missing; there is: ${forms}.`)
    const as = exportForms.find((form) => form === typed)
    if (as === undefined) throw new UsageError(`--as ${typed} is unknown; there is: ${forms}.`)
    if (out === undefined || out === '') throw new UsageError('--out OUT is missing: which file shall be written?')
    return async (desk) => {
      const { client, about } = await openSession(desk, operand)
      const { engine } = await desk.ask()
      const target = desk.resolve(out)
      const into = await engine.folderKey(dirname(target))
      const what = { ...about, ...(entry === undefined ? {} : { entry }), as, redact }
      const { secrets } = await client.call('export.preview', what, desk.signal)
      if (secrets.length > 0) await desk.tell(secretsText(secrets, redact))
      const { result } = await client.call('export.write', { ...what, into, name: basename(target) }, desk.signal)
      return { value: result, lines: () => exportLines(result) }
    }
  }
})

type Secrets = NonNullable<ExportResult['redacted']>

const sumOf = (secrets: Secrets) => secrets.reduce((sum, { count }) => sum + count, 0)

const kindsText = (secrets: Secrets) => secrets.map(({ kind, count }) => `${kind}: ${countText(count)}`).join(', ')

function secretsText(secrets: Secrets, redact: boolean): string {
  const found = `${countOf(sumOf(secrets), 'likely secret')} in what is exported (${kindsText(secrets)})`
  return `${found}. ${redact ? 'Each is replaced.' : 'They stay as they are; --redact replaces them.'}`
}

function exportLines(result: ExportResult): Iterable<string> {
  const { out, bytes, sha256, entries, addedLineFeeds, redacted, source } = result
  const rows = [
    ['wrote', plainText(out)],
    ['holds', `${countText(bytes)} bytes, ${countOf(entries, 'entry', 'entries')}`],
    ['sha256', sha256],
    ['source', plainText(source.file)]
  ]
  if (addedLineFeeds > 0) rows.push(['added', countOf(addedLineFeeds, 'line feed')])
  if (redacted !== null) {
    const kinds = redacted.length === 0 ? '' : ` (${kindsText(redacted)})`
    rows.push(['redacted', `${countOf(sumOf(redacted), 'likely secret')}${kinds}`])
    rows.push(['note', 'a redacted copy: not a session to resume; what does not look like a secret is still in it'])
  }
  return table(rows)
}
