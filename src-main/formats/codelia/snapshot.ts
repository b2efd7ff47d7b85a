import { join } from 'node:path'
import { isObject } from './checked.ts'
import type { BaseMessage } from './messages.ts'

/** A session as it is resumed: its messages, and where it stands. */
export interface SessionState {
  readonly schema_version: number
  readonly session_id: string
  /** ISO 8601 UTC. */
  readonly updated_at: string
  /** The last run. */
  readonly run_id?: string
  /** Number of the last invocation. */
  readonly invoke_seq?: number
  readonly messages: readonly BaseMessage[]
  readonly meta?: Readonly<Record<string, unknown>>
}

/** Where a snapshot lies: a session that codelia takes over when it is first opened. */
export const snapshotPath = (sessionsFolder: string, sessionId: string): string =>
  join(sessionsFolder, 'state', `${sessionId}.json`)

/** The whole text of a snapshot. */
export function snapshotText(state: SessionState): string {
  return `${JSON.stringify(state)}\n`
}

/** The snapshot in a file that is named after that session; null where it is none. */
export function snapshotIn(text: string, sessionId: string): SessionState | null {
  const stored = parsed(text)
  if (!isObject(stored) || stored['session_id'] !== sessionId || typeof stored['updated_at'] !== 'string') return null
  const { schema_version: version, updated_at, run_id: runId, invoke_seq: seq, messages, meta } = stored
  return {
    schema_version: typeof version === 'number' ? version : 1,
    session_id: sessionId,
    updated_at,
    ...(typeof runId === 'string' ? { run_id: runId } : {}),
    ...(typeof seq === 'number' ? { invoke_seq: seq } : {}),
    messages: Array.isArray(messages)
      ? messages.filter(isObject).map((message) => message as unknown as BaseMessage)
      : [],
    ...(isObject(meta) ? { meta } : {})
  }
}

/** The messages without those of the system, which codelia makes anew when a session is resumed. */
export function durableHistory(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  return messages.filter(({ role }) => role !== 'system')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
