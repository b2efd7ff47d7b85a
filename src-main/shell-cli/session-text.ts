import { relative } from 'node:path'
import type { Fault, Severity } from '#shared/model/fault.ts'
import type { Session } from '#shared/model/session.ts'
import type { Usage } from '#shared/model/usage.ts'
import { costText, countOf, countText, timeText } from './amounts.ts'
import type { Look } from './look.ts'
import { plainText } from './plain-text.ts'
import { table } from './table.ts'

/** What a session is, a line a fact. */
export function* sessionLines(session: Session, { paint }: Look): Generator<string> {
  const {
    title,
    agent,
    id,
    file,
    cwd,
    createdAt,
    updatedAt,
    entries,
    leaves,
    compactions,
    models,
    usage,
    parent,
    live
  } = session
  yield paint('bold', plainText(title ?? 'Untitled session'))
  const facts: (readonly [string, string])[] = [
    ['agent', live ? `${agent}, written to within the last minute` : agent],
    ['id', plainText(id)],
    ['file', plainText(file)],
    ['folder', plainText(cwd ?? 'unknown')],
    ['created', timeText(createdAt)],
    ['updated', timeText(updatedAt)],
    [
      'holds',
      `${countOf(entries, 'entry', 'entries')}, ${countOf(leaves, 'leaf', 'leaves')}, ${countOf(compactions, 'compaction')}`
    ],
    ['models', models.length === 0 ? 'none' : plainText(models.join(', '))],
    ['usage', usageText(usage)]
  ]
  if (parent !== null)
    facts.push([
      session.origin === 'user' ? 'parent' : `${session.origin} of`,
      plainText(parent.file ?? parent.id ?? '')
    ])
  for (const { id: run, startedAt, outcome } of session.runs ?? [])
    facts.push(['run', `${timeText(startedAt)}, ${outcome ?? 'no end'}, ${plainText(run)}`])
  for (const line of table(facts)) yield line
}

function usageText({ requests, input, cacheRead, cacheWrite, output, total, cost, inherited, unknown }: Usage): string {
  if (requests === 0 && inherited === 0) return 'no request'
  const parts = [
    countOf(requests, 'request'),
    `${countText(total)} tokens (input ${countText(input)}, cache read ${countText(cacheRead)}, cache write ${countText(cacheWrite)}, output ${countText(output)})`,
    costText(cost)
  ]
  if (inherited > 0) parts.push(`${countText(inherited)} tokens inherited`)
  if (unknown > 0) parts.push(`${countOf(unknown, 'request')} without figures`)
  return parts.join(', ')
}

const severityColour = { info: 'dim', warning: 'yellow', error: 'red' } as const satisfies Record<Severity, string>

/** Faults, a line each; each begins with its file as seen from `folder`, "" for the whole path, null for no file. */
export function* faultLines(faults: readonly Fault[], { paint }: Look, folder: string | null): Generator<string> {
  const rows = faults.map((fault) => [
    ...fileOf(fault, folder),
    placeOf(fault),
    fault.severity,
    fault.kind,
    plainText(fault.message)
  ])
  let at = 0
  for (const line of table(rows)) {
    const fault = faults[at++]
    yield fault === undefined ? line : paint(severityColour[fault.severity], line)
  }
}

function fileOf({ file }: Fault, folder: string | null): string[] {
  if (folder === null) return []
  return [plainText(folder === '' ? file : relative(folder, file))]
}

/** "line 12, byte 3456", or "" where a fault has no place in the file. */
export function placeOf({ line, offset, entry }: Pick<Fault, 'line' | 'offset' | 'entry'>): string {
  const parts = [...(line === null ? [] : [`line ${line}`]), ...(offset === null ? [] : [`byte ${offset}`])]
  return parts.length === 0 && entry !== null ? `entry ${plainText(entry)}` : parts.join(', ')
}

/** A heading with a blank line before it. */
export function* section(title: string, lines: Iterable<string>, { paint }: Look): Generator<string> {
  yield ''
  yield paint('bold', title)
  for (const line of lines) yield `  ${line}`
}
