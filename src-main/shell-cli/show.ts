import { Refusal } from '#shared/contract/refusal.ts'
import type { DefaultLeaf, Entry, EntryRow, Leaf, Outline } from '#shared/model/entry.ts'
import { countOf, timeText } from './amounts.ts'
import { defineCommand } from './command.ts'
import { printed } from './list.ts'
import type { Look } from './look.ts'
import { openSession, type OpenSession } from './open-session.ts'
import { fit, plainText } from './plain-text.ts'
import { faultLines, section, sessionLines } from './session-text.ts'
import { table } from './table.ts'

const rowsAtOnce = 500

export const show = defineCommand({
  name: 'show',
  operand: 'FILE',
  synopsis: 'show FILE',
  about: 'every entry of a session, its leaves and its faults',
  options: {},
  prepare:
    (_values, operand = '') =>
    async (desk) => {
      const opened = await openSession(desk, operand)
      const { client, about } = opened
      const session = printed(await client.call('session.get', about, desk.signal))
      const outline = await client.call('session.outline', about, desk.signal)
      const rows = await allRows(opened, outline, desk.signal)
      const faults = await client.call('session.faults', about, desk.signal)
      const { leaves, defaultLeaf, notes } = outline
      return {
        value: { session, entries: rows.map(entryOf), leaves, defaultLeaf, faults, notes },
        *lines(look) {
          yield* sessionLines(session, look)
          for (const { text } of notes) yield fit(plainText(text), look.columns)
          yield* section('Entries', entryLines(rows, look), look)
          yield* section('Leaves', leafLines(leaves, defaultLeaf), look)
          if (faults.length > 0) yield* section(countOf(faults.length, 'fault'), faultLines(faults, look, null), look)
        }
      }
    }
})

async function allRows({ client, about }: OpenSession, outline: Outline, signal: AbortSignal): Promise<EntryRow[]> {
  const all: EntryRow[] = []
  while (all.length < outline.ids.length) {
    const count = Math.min(rowsAtOnce, outline.ids.length - all.length)
    const at = Array.from({ length: count }, (_, index) => all.length + index)
    const rows = await client.call('entry.rows', { ...about, at }, signal)
    if (rows.length !== count) throw new Refusal('stale', 'The file changed while it was read. Try again.')
    for (const row of rows) all.push(row)
  }
  return all
}

/** An entry without what only a row of the window shows. */
function entryOf({
  at: _at,
  file: _file,
  tool: _tool,
  summary: _summary,
  contextTokens: _tokens,
  failed: _failed,
  marks: _marks,
  ...entry
}: EntryRow): Entry {
  return entry
}

function* entryLines(entries: readonly EntryRow[], { paint, columns }: Look): Generator<string> {
  const rows = entries.map((entry, index) => [
    entry.onDefaultPath ? '*' : ' ',
    plainText(entry.id),
    entry.role ?? entry.kind,
    // Said only where the tree leaves the order of the file.
    entry.parent === (entries[index - 1]?.id ?? null) ? '' : `after ${plainText(entry.parent ?? 'nothing')}`,
    plainText(entry.label === null ? entry.summary : `[${entry.label}] ${entry.summary}`)
  ])
  let at = 0
  for (const line of table(rows)) {
    const shown = fit(line, columns - 2)
    yield entries[at++]?.onDefaultPath === true ? shown : paint('dim', shown)
  }
}

const reasonText = {
  'only-leaf': 'the only leaf',
  'last-entry': 'the last entry of the file',
  empty: 'empty'
} as const satisfies Record<DefaultLeaf['reason'], string>

function leafLines(leaves: readonly Leaf[], defaultLeaf: DefaultLeaf): Generator<string> {
  return table(
    leaves.map(({ id, depth, time }) => [
      id === defaultLeaf.id ? '*' : ' ',
      plainText(id),
      `depth ${depth}`,
      timeText(time),
      id === defaultLeaf.id ? `default: ${reasonText[defaultLeaf.reason]}` : ''
    ]),
    [2]
  )
}
