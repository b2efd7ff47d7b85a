import * as v from 'valibot'
import { Folder } from '#shared/contract/folder.ts'
import { AgentId } from '#shared/model/agent.ts'
import { SessionKey } from '#shared/model/keys.ts'
import type { CallMap, EventMap } from '#shared/rpc/types.ts'
import { roleCalls, roleEvents } from './role-contract.ts'

const { key: _key, ...state } = Folder.entries

/** A folder as the writer knows it: by its real path. */
export const FolderState = v.object(state)
export type FolderState = v.InferOutput<typeof FolderState>

const path = v.object({ path: v.string() })

/** What the writer thread answers: which real paths to read and to follow. */
export const writerCalls = {
  /** Resolves when the folder is registered, not when it is read. */
  'folder.follow': { input: path, output: v.null() },
  'folder.drop': { input: path, output: v.null() },
  'folder.states': { input: v.object({}), output: v.array(FolderState) },
  /** Resolves when the file and its lineage are indexed, or the first of the file. */
  'file.follow': {
    input: v.object({ path: v.string(), agent: v.nullable(AgentId), until: v.optional(v.picklist(['read', 'shown'])) }),
    output: SessionKey
  },
  ...roleCalls,
  idle: { input: v.object({}), output: v.null() }
} as const satisfies CallMap
export type WriterCalls = typeof writerCalls

export const writerEvents = {
  'folder.changed': path,
  'session.changed': v.object({ session: SessionKey, revision: v.number() }),
  'session.gone': v.object({ session: SessionKey }),
  ...roleEvents
} as const satisfies EventMap
export type WriterEvents = typeof writerEvents
