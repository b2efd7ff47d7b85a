import * as v from 'valibot'
import { AgentId } from './agent.ts'
import { FolderKey, SessionKey } from './keys.ts'
import { Usage } from './usage.ts'

const origins = ['user', 'fork', 'subagent', 'continuation'] as const

/** A run of a session, for a store that writes one file for each. */
const Run = v.object({
  id: v.string(),
  file: v.string(),
  startedAt: v.nullable(v.string()),
  /** In the store's own word; null where it has not ended. */
  outcome: v.nullable(v.string())
})

/** A session as the command line prints it (docs/command-line.md). Times are ISO 8601 UTC. */
export const Session = v.object({
  id: v.string(),
  agent: AgentId,
  file: v.string(),
  title: v.nullable(v.string()),
  cwd: v.nullable(v.string()),
  createdAt: v.nullable(v.string()),
  updatedAt: v.nullable(v.string()),
  entries: v.number(),
  leaves: v.number(),
  compactions: v.number(),
  models: v.array(v.string()),
  usage: Usage,
  faults: v.number(),
  parent: v.nullable(v.object({ id: v.nullable(v.string()), file: v.nullable(v.string()) })),
  origin: v.picklist(origins),
  live: v.boolean(),
  /** The oldest first; absent for a store without runs. */
  runs: v.optional(v.array(Run))
})
export type Session = v.InferOutput<typeof Session>

/** A session with what the window needs to address it. `revision` counts index changes of the session. */
export const SessionRow = v.object({
  ...Session.entries,
  key: SessionKey,
  folder: v.nullable(FolderKey),
  revision: v.number(),
  /** Size of the session's files in bytes, as far as they were read. */
  bytes: v.number(),
  /** There while the files are being read for the first time, or anew: more will come. */
  reading: v.optional(v.literal(true))
})
export type SessionRow = v.InferOutput<typeof SessionRow>
