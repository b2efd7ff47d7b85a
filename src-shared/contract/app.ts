import * as v from 'valibot'
import type { CallMap } from '#shared/rpc/types.ts'

export const shells = ['electron', 'browser', 'none'] as const
export type Shell = (typeof shells)[number]

export const AppInfo = v.object({
  version: v.string(),
  shell: v.picklist(shells),
  /** One line: which shell runs and why. */
  why: v.string(),
  /** True where the shell has a native dialog for folders; else the page shows the engine's picker. */
  nativeDialog: v.boolean(),
  /** True where the shell can show a file in the system's file browser. */
  reveal: v.boolean()
})
export type AppInfo = v.InferOutput<typeof AppInfo>

/** A thread of the engine that ended by itself: the writer reads session files, the reader answers questions. */
export const EngineEnd = v.object({
  role: v.picklist(['writer', 'reader']),
  why: v.variant('kind', [
    v.object({ kind: v.literal('memory') }),
    /** A mistake of ours; the log has it under its id. */
    v.object({ kind: v.literal('bug'), id: v.string() })
  ])
})
export type EngineEnd = v.InferOutput<typeof EngineEnd>

export const appCalls = {
  'app.info': { input: v.object({}), output: AppInfo },
  'engine.state': { input: v.object({}), output: v.object({ ended: v.nullable(EngineEnd) }) },
  /** Starts both threads again and follows what is open; refused as `disconnected` where one ends at once. */
  'engine.restart': { input: v.object({}), output: v.null() }
} as const satisfies CallMap
