import { basename, dirname } from 'node:path'
import type { FaultKind } from '#shared/model/fault.ts'
import type { EntryRecord, SessionRecords } from '#shared/model/records.ts'
import { oneLine } from '../cut.ts'
import type { Assembled, Position, SessionFault, TreeNode } from '../format.ts'
import { type Logs, logsOf } from './logs.ts'
import { sessionNotes } from './notes.ts'
import { sessionFile } from './read.ts'
import { rowText } from './row-text.ts'
import { eventsName } from './schema.ts'
import { factsOf } from './timeline.ts'
import { fileNamed, stateOf, statsDrift, totalUsage } from './totals.ts'

const titleLength = 60
const subAgentName = /^sub_/

/**
 * Puts a session together: two chains, each entry below the line before it in its own log. The conversation's last line
 * is the one leaf; the events stand beside it.
 */
export function assembleShellAgent(records: SessionRecords): Assembled {
  const { entries, files } = records
  const logs = logsOf(records)
  const nodes = entries.map(({ file, line, part }, at): TreeNode => ({
    id: `${files[file]?.role === 'events' ? 'e' : 'c'}${line}${part === 1 ? '' : `.${part}`}`,
    parent: entries[at - 1]?.file === file ? at - 1 : -1,
    label: null
  }))
  const last = logs.lines - 1
  const id = nodes[last]?.id ?? null
  return {
    agent: 'shell-agent',
    session: {
      id: sessionName(records),
      agent: 'shell-agent',
      title: titleOf(entries),
      cwd: null,
      createdAt: isoTime(createdAt(sessionName(records))),
      updatedAt: isoTime(Math.max(...files.map(({ modified }) => modified))),
      compactions: logs.timeline.compactions.length,
      models: [],
      usage: totalUsage(records),
      ...lineageOf(records)
    },
    nodes,
    leaves: last === -1 ? [] : [last],
    defaultLeaf: id === null ? { id, reason: 'empty' } : { id, reason: 'only-leaf' },
    faults: faultsOf(records, logs, nodes),
    subagentFiles: subagentFiles(records),
    preamble: [],
    alongside: (at) => eventsUpTo(logs, at),
    row: (at) => rowText(records, logs, at),
    position: positions(logs),
    notes: sessionNotes(records)
  }
}

/** The directory's name is the session's: the agent resumes it by that. */
const sessionName = ({ files }: SessionRecords): string => basename(dirname(files[0].path))

/** The first line of the first prompt, by the events, which lose none, else by the conversation. */
function titleOf(entries: readonly EntryRecord[]): string | null {
  const isPrompt = (entry: EntryRecord): boolean =>
    entry.kind === 'message' && entry.role === 'user' && entry.preview.trim() !== ''
  const own = (entry: EntryRecord): boolean => isPrompt(entry) && factsOf(entry).injected === undefined
  const first = entries.find((entry) => isPrompt(entry) && factsOf(entry).type !== undefined) ?? entries.find(own)
  return first === undefined ? null : oneLine(first.preview.trim().split('\n', 1)[0] ?? '', titleLength)
}

/** A session's name begins with the local time at which it was made. */
function createdAt(name: string): number | null {
  const match = /^(?:sub_)?(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(name)
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
  return new Date(year, month - 1, day, hour, minute, second).valueOf()
}

function isoTime(time: number | null): string | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.valueOf()) ? null : date.toISOString()
}

function lineageOf(records: SessionRecords): Pick<Assembled['session'], 'parent' | 'origin'> {
  const { source } = stateOf(records, eventsName)
  if (source !== null) return { parent: { id: source.id, file: source.file }, origin: 'fork' }
  return { parent: null, origin: subAgentName.test(sessionName(records)) ? 'subagent' : 'user' }
}

/** Main files of the sessions that this one's sub-agents have. */
function subagentFiles({ files, entries }: SessionRecords): readonly string[] {
  const project = dirname(dirname(files[0].path))
  const names = entries.flatMap((entry) => {
    const { type, sub } = factsOf(entry)
    return sub !== undefined && type?.startsWith('sub_agent_') === true ? [sub] : []
  })
  return [...new Set(names)].flatMap((name) => sessionFile(project, name) ?? [])
}

function faultsOf(records: SessionRecords, logs: Logs, nodes: readonly TreeNode[]): readonly SessionFault[] {
  const { entries } = records
  const faults: SessionFault[] = [...statsDrift(records)]
  const report = (kind: FaultKind, at: number, message: string) => {
    const entry = entries[at]
    if (entry === undefined) return
    const [offset, length] = entry.bytes
    faults.push({ kind, file: entry.file, line: entry.line, offset, length, entry: nodes[at]?.id ?? null, message })
  }
  const { source } = stateOf(records, eventsName)
  if (source !== null && source.file === null) {
    const file = fileNamed(records, eventsName)
    const place = { file, line: null, offset: null, length: null, entry: null }
    const message = `The session that this one was forked from was not found: ${oneLine(source.id, 200)}`
    faults.push({ kind: 'missing-parent-session', ...place, message })
  }
  const answered = new Set<string>()
  const called = new Set<string>()
  for (const entry of entries.slice(0, logs.lines)) {
    const { results, calls } = factsOf(entry)
    for (const call of results ?? []) answered.add(call)
    for (const [call] of calls ?? []) called.add(call)
  }
  for (let at = 0; at < logs.lines; at++) {
    const { calls, results } = factsOf(entries[at])
    const open = calls?.find(([call]) => !answered.has(call))
    if (open !== undefined && at < logs.lines - 1)
      report('unpaired-tool-call', at, `A call of ${open[1] || 'a tool'} has no result recorded.`)
    if (results?.some((call) => !called.has(call)) === true)
      report('unpaired-tool-result', at, 'No answer in the conversation made the call that this result belongs to.')
  }
  return faults
}

/** The events that had happened when a line was written; all for the last one. What ends a call belongs to it. */
function eventsUpTo({ entries, lines, alignment }: Logs, line: number): readonly number[] {
  if (line >= lines) return []
  let last = line === lines - 1 ? entries.length - 1 : (alignment.behind[line] ?? -1)
  const ends = (at: number): boolean => entries[at]?.kind === 'usage' || factsOf(entries[at]).type === 'stop'
  while (ends(last + 1)) last++
  return Array.from({ length: Math.max(0, last + 1 - lines) }, (_, index) => lines + index)
}

/** Turns count from 1 with the first prompt, in each log for itself. */
function positions({ entries, lines }: Logs): (at: number) => Position {
  const turns = new Int32Array(entries.length)
  let turn = 0
  for (const [at, { kind, role }] of entries.entries()) {
    if (at === lines) turn = 0
    if (kind === 'message' && role === 'user') turn++
    turns[at] = turn
  }
  return (at) => ({ turn: turns[at] === 0 ? null : (turns[at] ?? null), step: null, run: null, invocation: null })
}
