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

/** The whole text of `state/<session_id>.json`, a session that codelia takes over when it is first opened. */
export function snapshotText(state: SessionState): string {
  return `${JSON.stringify(state)}\n`
}
