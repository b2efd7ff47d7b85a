import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { replaceFileSync } from '#main/platform/replace-file-sync.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { isObject, isUuid, jsonLine, refuseInput, requireNewId, requireTime } from './checked.ts'
import type { BaseMessage } from './messages.ts'
import { messagesPath, messagesText, readMessages } from './messages-file.ts'
import { snapshotIn, snapshotPath, type SessionState } from './snapshot.ts'
import { openStateDb, type StateDb, type StateRow } from './state-db.ts'

/** What a list of sessions says of one. */
export interface SessionStateSummary {
  readonly session_id: string
  /** ISO 8601 UTC. */
  readonly updated_at: string
  readonly run_id?: string
  readonly message_count?: number
  readonly last_user_message?: string
  /** The folder in which the agent works. */
  readonly workspace_root?: string
}

const workspaceMember = 'codelia_workspace_root'

/**
 * What sessions are resumed from: the rows of `state.db` and a file of messages each, in the folder that is named, which
 * is made where it is not there. To be closed. Whatever is refused throws an `Error` with a `code` such as
 * `invalid-input`, `unsupported` or `read-only`, and leaves the store as it was.
 */
export class SessionStateStore implements Disposable {
  readonly #folder: string
  readonly #db: StateDb

  constructor(sessionsFolder: string) {
    this.#folder = resolve(sessionsFolder)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#db = openStateDb(join(this.#folder, 'state.db'))
  }

  /**
   * Stores a session whole in place of what is there of it. After a crash at any moment the store holds the old messages
   * or the new ones, never a part. Refused as `unsupported` over a session of another schema version.
   */
  save(state: SessionState): void {
    requireState(state)
    const row = rowOf(state)
    const text = messagesText(state.messages)
    this.#db.locked(() => {
      const version = this.#db.row(state.session_id)?.schema_version ?? 1
      if (version !== 1) throw this.#tooNew(state.session_id, version)
      this.#write(row, text)
    })
  }

  /**
   * A session's state, or null where there is none. One that only a snapshot of an older codelia has is taken over into
   * the store; the snapshot stays. Refused as `unsupported` where a line of its messages is damaged. A state of an unknown
   * schema version is given as far as it is understood, and never written.
   */
  load(sessionId: string): SessionState | null {
    if (!isUuid(sessionId)) refuseInput('A session is named by a UUID.')
    return this.#db.locked(() => {
      const row = this.#db.row(sessionId)
      if (row !== undefined) return stateOf(row, readMessages(messagesPath(this.#folder, sessionId)))
      const snapshot = this.#snapshot(sessionId)
      if (snapshot?.schema_version === 1) this.#write(rowOf(snapshot), messagesText(snapshot.messages))
      return snapshot
    })
  }

  /** All sessions, or those of a workspace: those of the database, then those that only have a snapshot; of either the last updated first. */
  list(workspaceRoot?: string): SessionStateSummary[] {
    const rows = this.#db.rows()
    const known = new Set(rows.map(({ session_id: id }) => id))
    const snapshots = this.#snapshotIds()
      .filter((id) => !known.has(id))
      .flatMap((id) => this.#snapshot(id) ?? [])
      .map(rowOf)
      .toSorted((one, next) => (one.updated_at < next.updated_at ? 1 : -1))
    return [...rows, ...snapshots]
      .map(summaryOf)
      .filter((summary) => workspaceRoot === undefined || summary.workspace_root === workspaceRoot)
  }

  close(): void {
    this.#db.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** The row first: it is taken back where the messages cannot be written. */
  #write(row: StateRow, messages: string): void {
    this.#db.put(row)
    replaceFileSync(messagesPath(this.#folder, row.session_id), messages)
  }

  #snapshot(sessionId: string): SessionState | null {
    try {
      return snapshotIn(readFileSync(snapshotPath(this.#folder, sessionId), 'utf8'), sessionId)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  #snapshotIds(): readonly string[] {
    try {
      const entries = readdirSync(join(this.#folder, 'state'), { withFileTypes: true })
      const named = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      return named.map(({ name }) => basename(name, '.json')).filter(isUuid)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  #tooNew(sessionId: string, version: number): Refusal {
    return new Refusal(
      'unsupported',
      `The session ${sessionId} is of schema version ${version}; only version 1 can be written.`,
      { file: join(this.#folder, 'state.db') }
    )
  }
}

function requireState(state: SessionState): void {
  if (!isObject(state) || state.schema_version !== 1) refuseInput('A state is of schema version 1.')
  requireNewId(state.session_id, 'session_id')
  requireTime(state.updated_at, 'updated_at')
  // `findIndex` looks at holes too.
  if (
    !Array.isArray(state.messages) ||
    state.messages.findIndex((one) => !isObject(one) || typeof one['role'] !== 'string') >= 0
  )
    refuseInput('Messages are a list of objects with a role.')
  if (state.run_id !== undefined && typeof state.run_id !== 'string') refuseInput('run_id is a text.')
  if (state.invoke_seq !== undefined && !Number.isSafeInteger(state.invoke_seq))
    refuseInput('invoke_seq is a whole number.')
  if (state.meta !== undefined && !isObject(state.meta)) refuseInput('meta is an object.')
}

function rowOf(state: SessionState): StateRow {
  const workspace = state.meta?.[workspaceMember]
  return {
    session_id: state.session_id,
    updated_at: state.updated_at,
    run_id: state.run_id ?? null,
    invoke_seq: state.invoke_seq ?? null,
    schema_version: state.schema_version,
    meta_json: state.meta === undefined ? null : jsonLine(state.meta).trimEnd(),
    message_count: state.messages.length,
    last_user_message: lastUserMessage(state.messages),
    workspace_root: typeof workspace === 'string' ? workspace : null
  }
}

function stateOf(row: StateRow, messages: readonly BaseMessage[]): SessionState {
  const meta = metaIn(row.meta_json)
  return {
    schema_version: row.schema_version,
    session_id: row.session_id,
    updated_at: row.updated_at,
    ...(row.run_id === null ? {} : { run_id: row.run_id }),
    ...(row.invoke_seq === null ? {} : { invoke_seq: row.invoke_seq }),
    messages,
    ...(meta === null ? {} : { meta })
  }
}

function summaryOf(row: StateRow): SessionStateSummary {
  const workspace = row.workspace_root ?? metaIn(row.meta_json)?.[workspaceMember]
  return {
    session_id: row.session_id,
    updated_at: row.updated_at,
    ...(row.run_id === null ? {} : { run_id: row.run_id }),
    ...(row.message_count === null ? {} : { message_count: row.message_count }),
    ...(row.last_user_message === null ? {} : { last_user_message: row.last_user_message }),
    ...(typeof workspace === 'string' ? { workspace_root: workspace } : {})
  }
}

/** null where it is none or damaged, as codelia takes it. */
function metaIn(text: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const meta: unknown = JSON.parse(text ?? 'null')
    return isObject(meta) ? meta : null
  } catch {
    return null
  }
}

/** In the words of codelia's own list; null where the person has said nothing. */
function lastUserMessage(messages: readonly BaseMessage[]): string | null {
  const last = messages.findLast(({ role }) => role === 'user')
  if (last === undefined) return null
  const content: unknown = last.content
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return content.map(wordOf).join('') || jsonLine(content).trimEnd()
}

function wordOf(part: unknown): string {
  const { type, text, provider, kind } = isObject(part) ? part : {}
  switch (type) {
    case 'text':
      return typeof text === 'string' ? text : ''
    case 'image_url':
      return '[image]'
    case 'document':
      return '[document]'
    case 'other':
      return `[other:${String(provider)}/${String(kind)}]`
    default:
      return '[content]'
  }
}
