import { basename } from 'node:path'
import type { FaultKind } from '#shared/model/fault.ts'
import type { ByteRange, Note } from '#shared/model/entry.ts'
import type { EntryRecord, JsonObject, ReadFile, SessionRecords } from '#shared/model/records.ts'
import { inheritedUsage, sumUsage, unknownUsage } from '#shared/model/usage.ts'
import { oneLine } from '../cut.ts'
import type { Assembled, SessionFault, TreeNode } from '../format.ts'
import { asNumber, asString } from '../json.ts'
import { timeOf } from './entry.ts'
import { type Invocation, keepLinks, type Links, type RunSpan } from './links.ts'
import { messageTimes } from './message-times.ts'
import { positions } from './positions.ts'
import { rowText } from './row-text.ts'
import { type Change, changesBetween } from './run-changes.ts'
import { type Facts, knownVersion, type Setup, type State, stateFromJson } from './schema.ts'
import { isUnread, metaOf, rowIn, wholeIn } from './session-rows.ts'
import { requestsOf } from './usage.ts'

const titleLength = 120

/** A run with what its file says of it. */
export interface Run extends RunSpan {
  readonly path: string
  readonly id: string
  readonly state: State
  /** 1 for the first file of a run, 2 for the next. */
  readonly copy: number
  /** What is different from the run before it. */
  readonly changes: readonly Change[]
}

/** Runs by their start, then what is resumed from. */
export function codeliaOrder(files: SessionRecords['files']): readonly number[] {
  const states = files.map(({ state }) => stateFromJson(state))
  const startOf = (file: number): number => startTime(states[file]) ?? Infinity
  const isRun = (file: number): boolean => files[file]?.role === 'log'
  return [...files.keys()].toSorted(
    (one, other) =>
      Number(isRun(other)) - Number(isRun(one)) ||
      compare(startOf(one), startOf(other)) ||
      compare(files[one]?.path ?? '', files[other]?.path ?? '')
  )
}

function compare<T extends number | string>(one: T, other: T): number {
  return one < other ? -1 : Number(one > other)
}

const startTime = (state: State | undefined): number | null => state?.header?.startedAt ?? state?.firstTime ?? null

/** Puts a session together from its records: one line of entries, its runs and then what it is resumed from. */
export function assembleCodelia(records: SessionRecords): Assembled {
  const { entries, files } = records
  const runs = runsOf(records)
  const messages = entries.findIndex(({ file }) => files[file]?.role !== 'log')
  const invocations = invocationsOf(entries, runs)
  const links: Links = {
    runs,
    messages: messages === -1 ? entries.length : messages,
    invocations,
    invocationOf: new Map(
      invocations.flatMap((one) =>
        [one.request, one.response].flatMap((at) => (at === null ? [] : [[at, one] as const]))
      )
    )
  }
  const nodes = nodesOf(entries, files, runs)
  const last = entries.length - 1
  // Only where a message is looked at: summing a session up needs none.
  let times: ReadonlyMap<number, number> | undefined
  const tree: Assembled = {
    agent: 'codelia',
    session: sessionOf(records, runs, links),
    nodes,
    leaves: last === -1 ? [] : [last],
    defaultLeaf: last === -1 ? { id: null, reason: 'empty' } : { id: nodes[last]?.id ?? null, reason: 'only-leaf' },
    defaultEntry: nodes[defaultAt(entries, links)]?.id ?? null,
    faults: faultsOf(records, nodes, runs, links),
    preamble: preambleOf(files[0]),
    preambleOf: (file) => preambleOf(files[file]),
    row: (at) => rowText(entries, runs, links, at),
    time: (at) => (at < links.messages ? null : ((times ??= messageTimes(entries, links.messages)).get(at) ?? null)),
    position: positions(entries, runs, links),
    notes: notesOf(records, runs)
  }
  keepLinks(tree, links)
  return tree
}

/** A run's header. */
function preambleOf(file: ReadFile | undefined): readonly ByteRange[] {
  const header = file === undefined ? null : stateFromJson(file.state).header
  return header === null ? [] : [header.range]
}

/** Where the session stands: its last message, or without these its last answer, else its last request. */
function defaultAt(entries: readonly EntryRecord[], { messages, runs }: Links): number {
  if (messages < entries.length) return entries.length - 1
  const { from = 0 } = runs.at(-1) ?? {}
  const lastOf = (kind: string): number => entries.findLastIndex((entry, at) => at >= from && entry.kind === kind)
  const [answer, request] = [lastOf('response'), lastOf('request')]
  if (answer !== -1) return answer
  return request === -1 ? entries.length - 1 : request
}

function runsOf({ entries, files }: SessionRecords): readonly Run[] {
  const spans = new Map<number, { from: number; to: number }>()
  entries.forEach(({ file }, at) => {
    const span = spans.get(file)
    if (span === undefined) spans.set(file, { from: at, to: at + 1 })
    else span.to = at + 1
  })
  const copies = new Map<string, number>()
  const runs: Run[] = []
  let end = 0
  let before: Setup | null = null
  for (const file of codeliaOrder(files)) {
    const source = files[file]
    if (source?.role !== 'log') continue
    const state = stateFromJson(source.state)
    const id = state.runId ?? basename(source.path, '.jsonl')
    const copy = (copies.get(id) ?? 0) + 1
    copies.set(id, copy)
    const { from, to } = spans.get(file) ?? { from: end, to: end }
    end = to
    const setup = state.header?.setup ?? null
    const changes = copy > 1 || before === null || setup === null ? [] : changesBetween(before, setup)
    if (copy === 1 && setup !== null) before = setup
    runs.push({ file, from, to, path: source.path, id, state, copy, changes })
  }
  return runs
}

/** `<run>:<line>`, `m<line>` for a message; further objects of a line and further files of a run are told by a number. */
function nodesOf(
  entries: readonly EntryRecord[],
  files: SessionRecords['files'],
  runs: readonly Run[]
): readonly TreeNode[] {
  const runOf = new Map(runs.map((run) => [run.file, run]))
  return entries.map(({ file, line, part }, at) => {
    const run = runOf.get(file)
    const isSnapshot = files[file]?.role === 'snapshot'
    const place = part === 1 ? `${line}` : `${line}.${part}`
    const id =
      run === undefined ? `m${isSnapshot ? part : place}` : `${run.id}:${place}${run.copy === 1 ? '' : `@${run.copy}`}`
    return { id, parent: at - 1, label: null }
  })
}

/**
 * Requests with their answers, by number within a run; the copy that knows more of one counts. What repeats a number
 * that has its answer is a copy in the same file: as a line that was written twice.
 */
function invocationsOf(entries: readonly EntryRecord[], runs: readonly Run[]): readonly Invocation[] {
  const found: (Invocation & { readonly key: string })[] = []
  for (const run of runs) {
    const times = new Map<string, number>()
    const open = new Map<number | null, number>()
    const answered = new Set<number>()
    for (let at = run.from; at < run.to; at++) {
      const entry = entries[at]
      if (entry?.kind !== 'request' && entry?.kind !== 'response') continue
      const seq = (entry.facts as Facts).seq ?? null
      const asked = open.get(seq)
      const isRepeated = seq !== null && answered.has(seq)
      if (entry.kind === 'response' && seq !== null) answered.add(seq)
      if (entry.kind === 'response' && asked !== undefined) {
        open.delete(seq)
        const invocation = found[asked]
        if (invocation !== undefined) found[asked] = { ...invocation, response: at }
        continue
      }
      const name = JSON.stringify([run.id, seq])
      const time = (times.get(name) ?? 0) + (isRepeated ? 0 : 1)
      times.set(name, time)
      const isRequest = entry.kind === 'request'
      if (isRequest) open.set(seq, found.length)
      const parts = isRequest ? { request: at, response: null } : { request: null, response: at }
      found.push({ ...parts, seq, isCopy: false, key: `${name} ${time}` })
    }
  }
  const counted = new Map<string, number>()
  const knows = (at: number): boolean => {
    const response = found[at]?.response ?? null
    return response !== null && entries[response]?.usage?.unknown === 0
  }
  found.forEach(({ key }, at) => {
    const first = counted.get(key)
    if (first === undefined || (!knows(first) && knows(at))) counted.set(key, at)
  })
  return found.map(({ key, ...invocation }, at) => ({ ...invocation, isCopy: counted.get(key) !== at }))
}

function sessionOf(records: SessionRecords, runs: readonly Run[], links: Links): Assembled['session'] {
  const { entries, files, beside } = records
  const snapshot = stateFromJson(files[0].state).snapshot
  const row = rowOf(beside)
  const times = [
    entries.findLast(({ time }) => time !== null)?.time ?? null,
    row.updatedAt,
    snapshot?.updatedAt ?? null
  ]
  const known = times.filter((time) => time !== null)
  const newest = runs.findLast(({ copy }) => copy === 1)?.state
  const requests = requestsOf(entries, links)
  return {
    id: idOf(files[0], runs, snapshot?.id ?? null),
    agent: 'codelia',
    title: titleOf(records, links),
    cwd: row.workspace ?? snapshot?.workspace ?? newest?.workspace ?? newest?.header?.setup.cwd ?? null,
    createdAt: isoTime(startTime(runs[0]?.state)),
    updatedAt: isoTime(known.length === 0 ? files[0].modified : Math.max(...known)),
    compactions: entries.filter(({ kind }) => kind === 'compaction').length,
    models: [...new Set(entries.flatMap(({ kind, model }) => (kind === 'response' && model !== null ? [model] : [])))],
    usage: sumUsage(
      requests.map(({ at, inherited, usage }) => {
        const own = usage ?? entries[at]?.usage ?? unknownUsage
        return inherited ? inheritedUsage(own) : own
      })
    ),
    ...lineageOf(row, snapshot),
    runs: runs.map(({ id, path, state }) => ({
      id,
      file: path,
      startedAt: isoTime(startTime(state)),
      outcome: state.outcome
    }))
  }
}

/** What the database says of the session, as far as it says it. */
function rowOf(beside: JsonObject | undefined) {
  const meta = metaOf(beside)
  return {
    updatedAt: timeOf(beside?.['updated_at']),
    workspace: asString(beside?.['workspace_root']) ?? asString(meta?.['codelia_workspace_root']),
    version: rowIn(beside) === undefined ? knownVersion : asNumber(beside?.['schema_version']),
    forkedFrom: asString(meta?.['x.forked_from']),
    forkedFromFile: asString(beside?.['parent_file']),
    lastMessage: asString(beside?.['last_user_message'])
  }
}

function idOf(main: ReadFile, runs: readonly Run[], snapshotId: string | null): string {
  const named = main.role === 'messages' ? basename(main.path, '.jsonl') : snapshotId
  const ofRuns = runs.findLast(({ state }) => state.sessionId !== null)?.state.sessionId
  return (
    (main.role === 'log' ? null : named) ?? ofRuns ?? runs.at(-1)?.id ?? basename(main.path).replace(/\.jsonl?$/, '')
  )
}

function lineageOf(
  row: ReturnType<typeof rowOf>,
  snapshot: State['snapshot']
): Pick<Assembled['session'], 'parent' | 'origin'> {
  const id = row.forkedFrom ?? snapshot?.forkedFrom ?? null
  if (id === null) return { parent: null, origin: 'user' }
  return { parent: { id, file: row.forkedFromFile ?? snapshot?.forkedFromFile ?? null }, origin: 'fork' }
}

/** The first prompt that is no command; without one the first message that no compaction wrote. */
function titleOf({ entries, beside }: SessionRecords, { messages }: Links): string | null {
  const isOwn = (entry: EntryRecord): boolean => entry.preview.trim() !== '' && (entry.facts as Facts).command !== true
  const own =
    entries.slice(0, messages).find((entry) => entry.kind === 'message' && entry.role === 'user' && isOwn(entry)) ??
    entries
      .slice(messages)
      .find((entry) => entry.role === 'user' && isOwn(entry) && (entry.facts as Facts).mark === undefined)
  const text = own?.preview ?? rowOf(beside).lastMessage ?? ''
  return text.trim() === '' ? null : oneLine(text.trim().split('\n', 1)[0] ?? '', titleLength)
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** Why nothing can be made of a session that a newer codelia wrote; null where all is known. */
export function unknownVersion(records: SessionRecords): string | null {
  const states = records.files.map(({ state }) => stateFromJson(state))
  const versions = states.flatMap(({ header, snapshot }) => [header, snapshot].flatMap((one) => one ?? []))
  const isKnown =
    versions.every(({ version }) => version === knownVersion) && rowOf(records.beside).version === knownVersion
  return isKnown ? null : 'it is of a schema version that is not known here'
}

function faultsOf(
  records: SessionRecords,
  nodes: readonly TreeNode[],
  runs: readonly Run[],
  links: Links
): readonly SessionFault[] {
  const { entries, files } = records
  const faults: SessionFault[] = []
  const whole = (kind: FaultKind, file: number, message: string): void => {
    faults.push({ kind, file, line: null, offset: null, length: null, entry: null, message })
  }
  const report = (kind: FaultKind, at: number, message: string): void => {
    const entry = entries[at]
    if (entry === undefined) return
    const { file, line, bytes } = entry
    faults.push({ kind, file, line, offset: bytes[0], length: bytes[1], entry: nodes[at]?.id ?? null, message })
  }
  const version = rowOf(records.beside).version
  if (version !== knownVersion) {
    const said = version === null ? 'no schema version' : `schema version ${version}`
    whole('unknown-version', 0, `The database has ${said} for this session, which is not known; no branch can be made.`)
  }
  for (const { state, file } of runs) {
    if (state.header === null) whole('missing-header', file, 'The run has no header. Its records are shown.')
  }
  const passed = passedRequests(entries, runs)
  for (const { request, response, seq } of links.invocations) {
    const number = seq === null ? 'without a number' : `of number ${seq}`
    if (response !== null && request === null) {
      report('request-response-mismatch', response, `No request ${number} waits for this answer in its run.`)
    } else if (request !== null && response === null && passed.has(request)) {
      report('request-response-mismatch', request, `This request ${number} has no answer, and the run went on.`)
    }
  }
  for (const run of runs) pairCalls(entries, run, report)
  pairMessages(entries, links.messages, report)
  if (files[0].role === 'snapshot' && stateFromJson(files[0].state).snapshot === null && files[0].length > 0) {
    whole('missing-header', 0, 'The snapshot cannot be read, so nothing is known of its session.')
  }
  return faults
}

/** Requests behind which another follows in their run, and all of a run that ended as if all had gone well. */
function passedRequests(entries: readonly EntryRecord[], runs: readonly Run[]): ReadonlySet<number> {
  const passed = new Set<number>()
  for (const { from, to, state } of runs) {
    let isPassed = state.outcome === 'completed'
    for (let at = to - 1; at >= from; at--) {
      if (entries[at]?.kind !== 'request') continue
      if (isPassed) passed.add(at)
      isPassed = true
    }
  }
  return passed
}

type ReportAt = (kind: FaultKind, at: number, message: string) => void

/** Calls of a run without an output, once the run went on without it, and outputs without a call. */
function pairCalls(entries: readonly EntryRecord[], run: Run, report: ReportAt): void {
  const waiting = new Map<string, readonly [at: number, tool: string]>()
  const made = new Set<string>()
  const lost: (readonly [at: number, tool: string])[] = []
  for (let at = run.from; at < run.to; at++) {
    const entry = entries[at]
    const facts = (entry?.facts ?? {}) as Facts
    if (entry?.kind === 'request') {
      for (const call of waiting.values()) lost.push(call)
      waiting.clear()
    }
    if (entry?.kind === 'response') {
      for (const [id, tool] of facts.calls ?? []) {
        waiting.set(id, [at, tool])
        made.add(id)
      }
    }
    if (entry?.kind !== 'tool-result' || facts.call === undefined) continue
    waiting.delete(facts.call)
    if (!made.has(facts.call)) {
      report('unpaired-tool-result', at, 'No answer of the run made the call that this output belongs to.')
    }
  }
  if (run.state.outcome === 'completed') for (const call of waiting.values()) lost.push(call)
  for (const [at, tool] of lost)
    report('unpaired-tool-call', at, `A call of ${tool || 'a tool'} has no output recorded.`)
}

/** Calls and results of what is resumed from: a provider refuses one without the other. A last call may still run. */
function pairMessages(entries: readonly EntryRecord[], from: number, report: ReportAt): void {
  const made = new Set<string>()
  const answered = new Set<string>()
  for (const { facts } of entries.slice(from)) {
    const { call } = facts as Facts
    for (const [id] of (facts as Facts).calls ?? []) made.add(id)
    if (call !== undefined) answered.add(call)
  }
  const lastSaid = entries.findLastIndex(({ role }, at) => at >= from && role !== 'tool')
  for (let at = from; at < entries.length; at++) {
    const { calls = [], call } = (entries[at]?.facts ?? {}) as Facts
    const open = calls.find(([id]) => !answered.has(id))
    if (open !== undefined && at < lastSaid)
      report('unpaired-tool-call', at, `A call of ${open[1] || 'a tool'} has no result.`)
    if (call !== undefined && !made.has(call)) {
      report('unpaired-tool-result', at, 'No message makes the call that this result belongs to.')
    }
  }
}

function notesOf(records: SessionRecords, runs: readonly Run[]): readonly Note[] {
  const notes: Note[] = []
  if (isUnread(records.beside)) {
    notes.push({ tone: 'warning', text: 'state.db could not be read: shown by its files', detail: null })
  }
  const root = wholeIn(records.beside)
  if (root !== null) {
    notes.push({
      tone: 'info',
      text: `Only what lies in this folder is shown of the session: open ${root} for all of it`,
      detail: null
    })
  }
  const version = unknownVersion(records)
  if (version !== null) {
    notes.push({
      tone: 'warning',
      text: 'Written by a newer codelia: shown as far as it is understood, and read only',
      detail: null
    })
  }
  const open = runs.filter(({ state, copy }) => copy === 1 && state.outcome === null)
  if (open.length > 0) {
    notes.push({
      tone: 'info',
      text: open.length === 1 ? 'A run has no end: it goes on, or was interrupted' : `${open.length} runs have no end`,
      detail: open
        .map(({ id, state }) => `${id}, begun ${isoTime(startTime(state)) ?? 'at an unknown time'}`)
        .join('\n')
    })
  }
  const copies = runs.filter(({ copy }) => copy > 1)
  if (copies.length > 0) {
    notes.push({
      tone: 'info',
      text: `${copies.length} ${copies.length === 1 ? 'file repeats a run' : 'files repeat runs'}: each request is counted once`,
      detail: copies.map(({ path }) => path).join('\n')
    })
  }
  const row = rowIn(records.beside)
  if (row !== undefined) {
    notes.push({
      tone: 'info',
      text: 'state.db has a row of this session',
      detail: Object.entries(row)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join('\n')
    })
  }
  return notes
}
