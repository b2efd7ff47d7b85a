import { homedir } from 'node:os'
import { basename, dirname, extname, join } from 'node:path'
import { readHead } from '#main/platform/read-head.ts'
import type { AgentId } from '#shared/model/agent.ts'
import type { FileRole, JsonObject, SourceFile } from '#shared/model/records.ts'
import { oneLine } from '../cut.ts'
import type { FolderFault, KnownPlace, Listing, SessionSet } from '../format.ts'
import { asNumber, asObject, asString } from '../json.ts'
import { isUuid } from './checked.ts'
import { recordTypes } from './records.ts'
import { metaOf, partOf, sessionRows, unreadRow } from './session-rows.ts'
import { sessionsFolder } from './sessions-folder.ts'

/** Where codelia keeps sessions, in either of its layouts. */
export function locateCodelia(env: Readonly<Record<string, string | undefined>>, home: string): readonly KnownPlace[] {
  const layouts = ['home', 'xdg'].map((layout) => sessionsFolder({ ...env, CODELIA_LAYOUT: layout }, home))
  return layouts.map((path) => ({ path, label: 'codelia sessions' }))
}

/** A folder of the root, and how many folders further down its files lie. */
const year = /^\d{4}$/
const part = /^\d{2}$/

/**
 * The sessions root above a day's folder, above those of messages and of snapshots, and above a file in one of the
 * latter two, which stands for its session; null for whatever else.
 */
export function gatheredCodelia(path: string): string | null {
  const folder = dirname(path)
  const name = basename(path)
  if (extname(name) === '.jsonl') return basename(folder) === 'messages' ? dirname(folder) : null
  if (extname(name) === '.json') return basename(folder) === 'state' ? dirname(folder) : null
  if (name === 'messages' || name === 'state') return folder
  const above = dirname(folder)
  const isDay = part.test(name) && part.test(basename(folder)) && year.test(basename(above))
  return isDay ? dirname(above) : null
}

/** The folder in which the sessions of one of its files lie: the root, or for a file elsewhere its own folder. */
export function sessionsRoot(path: string): string {
  const folder = dirname(path)
  return gatheredCodelia(folder) ?? folder
}

interface Run {
  readonly name: string
  readonly session: string | null
  /** As it is stored: times in UTC sort as texts. */
  readonly startedAt: string
}

/**
 * Sessions by their runs, their file of messages or their snapshot. At the root they are gathered from all its folders;
 * any other folder has what lies in it.
 */
export function claimCodelia(listing: Listing): readonly SessionSet[] {
  const { path, files, folders } = listing
  const years = folders.filter((name) => year.test(name))
  const isRoot = isSessionsRoot(listing)
  if (isRoot) listing.below('')
  const messages = sessionFiles(listing, 'messages', '.jsonl', isMessages)
  const snapshots = sessionFiles(listing, 'state', '.json', isSnapshot)
  const inMessages = new Set(messages.values())
  const runNames = [...files, ...years.flatMap((name) => daysOf(listing, name))].filter(
    (name) => name.endsWith('.jsonl') && !name.includes('rollout-') && !inMessages.has(name)
  )
  const runs = runNames.flatMap((name) => runOf(listing, name) ?? [])
  if (runs.length + messages.size + snapshots.size === 0) return []
  const rows = isRoot ? rowsOf(listing) : new Map<string, JsonObject>()
  const root = isRoot ? null : gatheredCodelia(path)
  const besideOf = (id: string): JsonObject | undefined => {
    if (root !== null) return partOf(root)
    return rows === null ? unreadRow : withParent(path, rows.get(id), messages, snapshots)
  }
  const bySession = Map.groupBy(runs, ({ session }) => session)
  const alone = (bySession.get(null) ?? []).map(({ name }) => setOf(path, [fileOf(path, name, 'log')], null, undefined))
  const ids = new Set([...bySession.keys(), ...messages.keys(), ...snapshots.keys()].filter((id) => id !== null))
  const sessions = [...ids].flatMap((id): SessionSet[] => {
    const own = (bySession.get(id) ?? []).toSorted(byStart).map(({ name }) => fileOf(path, name, 'log'))
    const main = mainOf(path, messages.get(id), snapshots.get(id))
    const sorted = main === undefined ? [...own.slice(-1), ...own.slice(0, -1)] : [main, ...own]
    const name = isRoot || sorted.length > 1 ? join(path, 'messages', `${id}.jsonl`) : null
    return [setOf(path, sorted, name, besideOf(id))]
  })
  return [...sessions, ...alone]
}

const isSessionsRoot = ({ files, folders }: Listing): boolean =>
  files.includes('state.db') || folders.some((name) => year.test(name) || name === 'messages' || name === 'state')

/** Sessions of the database of which nothing else is left, said of the folder: there is no file to show. */
export function codeliaFolderFaults(listing: Listing, sets: readonly SessionSet[]): readonly FolderFault[] {
  if (!listing.files.includes('state.db')) return []
  if (sets.length === 0 && listing.head('state.db')?.includes('session_state') !== true) return []
  const known = new Set(sets.map(({ name }) => basename(name ?? '', '.jsonl')))
  const lost = [...(rowsOf(listing) ?? new Map<string, JsonObject>()).values()].filter(
    (row) => !known.has(asString(row['session_id']) ?? '') && row['message_count'] !== 0
  )
  if (lost.length === 0) return []
  const named = lost.slice(0, mostLost).map(lostName).join(', ')
  const more = lost.length > mostLost ? `, and ${lost.length - mostLost} more` : ''
  const what = lost.length === 1 ? 'a session whose files are' : `${lost.length} sessions whose files are`
  const message = `The database has rows of ${what} gone: ${named}${more}.`
  return [{ kind: 'missing-files', path: join(listing.path, 'state.db'), message }]
}

const mostLost = 20

function lostName(row: JsonObject): string {
  const asked = oneLine(asString(row['last_user_message']) ?? '', 60)
  return `${oneLine(asString(row['session_id']) ?? '', 60)}${asked === '' ? '' : ` (${asked})`}`
}

/** A row with the file of the session that it was forked from, where that is here too. */
function withParent(
  path: string,
  row: JsonObject | undefined,
  ...files: readonly ReadonlyMap<string, string>[]
): JsonObject | undefined {
  const from = asString(metaOf(row)?.['x.forked_from']) ?? ''
  const name = files.map((file) => file.get(from)).find((found) => found !== undefined)
  return row === undefined || name === undefined ? row : { ...row, parent_file: join(path, name) }
}

function setOf(
  path: string,
  [first, ...others]: readonly SourceFile[],
  name: string | null,
  row: JsonObject | undefined
): SessionSet {
  if (first === undefined) throw new Error(`a session in ${path} without a file`)
  return {
    files: [first, ...others],
    agent: null,
    ...(name === null ? {} : { name }),
    ...(row === undefined ? {} : { beside: row })
  }
}

const fileOf = (path: string, name: string, role: FileRole): SourceFile => ({
  path: join(path, name),
  role,
  framing: role === 'snapshot' ? 'document' : 'lines'
})

const byStart = (one: Run, other: Run): number =>
  compare(one.startedAt, other.startedAt) || compare(one.name, other.name)

/** The messages are newer than a snapshot, which stays where codelia has taken it over. */
function mainOf(path: string, messages: string | undefined, snapshot: string | undefined): SourceFile | undefined {
  if (messages !== undefined) return fileOf(path, messages, 'messages')
  return snapshot === undefined ? undefined : fileOf(path, snapshot, 'snapshot')
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

/** Names of the files of a year's days. */
function daysOf({ below }: Listing, name: string): string[] {
  return below(name)
    .folders.filter((month) => part.test(month))
    .flatMap((month) =>
      below(`${name}/${month}`)
        .folders.filter((day) => part.test(day))
        .flatMap((day) => below(`${name}/${month}/${day}`).files.map((file) => `${name}/${month}/${day}/${file}`))
    )
}

/** What codelia keeps of a person's keys is never opened. */
const secret = new Set(['auth.json', 'mcp-auth.json'])

/** Files that are named after their session, in a folder of the root or in that folder itself. */
function sessionFiles(
  listing: Listing,
  folder: string,
  ending: string,
  isOne: (head: Buffer | undefined, name: string) => boolean
): ReadonlyMap<string, string> {
  const own = basename(listing.path) === folder || ending === '.json' ? listing.files : []
  const below = listing.folders.includes(folder) ? listing.below(folder).files.map((name) => `${folder}/${name}`) : []
  const names = [...own, ...below].filter(
    (name) => name.endsWith(ending) && !secret.has(basename(name)) && isOne(listing.head(name), name)
  )
  return new Map(names.map((name) => [basename(name, ending), name]))
}

const readRows = new WeakMap<Listing, ReturnType<typeof sessionRows>>()

/** None without a database, null where it cannot be read; read once for the same listing. */
function rowsOf(listing: Listing): ReadonlyMap<string, JsonObject> | null {
  const { path, files, head } = listing
  if (!files.includes('state.db')) return new Map()
  const known = readRows.get(listing)
  if (known !== undefined) return known
  // Looked into, so that a change of either is noticed.
  for (const name of ['state.db', 'state.db-wal']) if (files.includes(name)) head(name)
  const rows = sessionRows(join(path, 'state.db'))
  readRows.set(listing, rows)
  return rows
}

/** A run by its header, or by its records where that is missing; undefined where it is none. */
function runOf({ head }: Listing, name: string): Run | undefined {
  const lines = headLines(head(name))
  for (const line of lines) {
    const object = parsed(line) ?? cutHeader(line)
    if (object === null) continue
    const type = asString(object['type']) ?? ''
    const isRun = recordTypes.has(type) && asString(object['run_id']) !== null
    if (!isRun || (type === 'header' && asNumber(object['schema_version']) === null)) return undefined
    return {
      name,
      session: asString(object['session_id']),
      startedAt: asString(object['started_at']) ?? asString(object['ts']) ?? ''
    }
  }
  return undefined
}

function headLines(head: Buffer | undefined): readonly string[] {
  return (head ?? Buffer.alloc(0))
    .toString()
    .replace(/^\ufeff/, '')
    .split('\n', mostLines)
}

/** So many lines are tried where the first ones are damaged. */
const mostLines = 20

function parsed(line: string): JsonObject | null {
  try {
    return asObject(JSON.parse(line))
  } catch {
    return null
  }
}

/** What is needed of a header that is longer than the head of its file; codelia writes these members first. */
function cutHeader(line: string): JsonObject | null {
  if (!line.startsWith('{"type":"header",')) return null
  const start = line.slice(0, 1024)
  const member = (name: string): string | undefined => new RegExp(`"${name}":"([\\w.:+-]+)"`).exec(start)?.[1]
  const version = /"schema_version":(\d+)/.exec(start)?.[1]
  const found = {
    run_id: member('run_id'),
    session_id: member('session_id'),
    started_at: member('started_at'),
    schema_version: version === undefined ? undefined : Number(version)
  }
  return { type: 'header', ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) }
}

/** Messages carry no mark of their own: they are known by their place and by the first line that is whole. */
function isMessages(head: Buffer | undefined, name: string): boolean {
  if (head === undefined || !isUuid(basename(name, '.jsonl'))) return false
  const first = firstObject(head)
  return first === null || isMessage(first)
}

const isMessage = (object: JsonObject): boolean => asString(object['role']) !== null && object['type'] === undefined

function firstObject(head: Buffer | undefined): JsonObject | null {
  for (const line of headLines(head)) {
    const object = parsed(line)
    if (object !== null) return object
  }
  return null
}

/** A snapshot is one object, often longer than what is read of it: its first members tell. */
function isSnapshot(head: Buffer | undefined): boolean {
  const start = head?.subarray(0, 4096).toString() ?? ''
  return (
    /^\s*\{(?!\s*"type")/.test(start) && /"schema_version"\s*:\s*\d/.test(start) && /"session_id"\s*:\s*"/.test(start)
  )
}

/** A file that the person named: what its place or its first lines say, else a run. */
export function forceCodelia(path: string, _agent: AgentId | null): SessionSet {
  return setOf(path, [fileOf(dirname(path), basename(path), roleOf(path))], null, undefined)
}

function roleOf(path: string): FileRole {
  const head = headOf(path)
  if (path.endsWith('.json') || isSnapshot(head)) return 'snapshot'
  const first = firstObject(head)
  const isOne = first === null ? basename(dirname(path)) === 'messages' : isMessage(first)
  return isOne ? 'messages' : 'log'
}

function headOf(path: string): Buffer | undefined {
  try {
    return readHead(path)
  } catch {
    return undefined
  }
}

/** Folders in which the whole outputs of tools may lie: beside the sessions, or where the XDG layout has caches. */
export function outputFolders(
  root: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir()
): readonly string[] {
  const xdg = join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'codelia', 'tool-output')
  return [join(dirname(root), 'cache', 'tool-output'), xdg]
}
