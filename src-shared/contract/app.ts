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

export const appCalls = {
  'app.info': { input: v.object({}), output: AppInfo }
} as const satisfies CallMap
