import * as v from 'valibot'
import type { CallMap, EventMap } from '#shared/rpc/types.ts'

/** What both threads answer and say. */
export const roleCalls = {
  /** Ends what runs and lets go of the index and the files. */
  'role.close': { input: v.object({}), output: v.null() }
} as const satisfies CallMap

export const roleEvents = { 'log.written': v.string() } as const satisfies EventMap
export type RoleEvents = typeof roleEvents
