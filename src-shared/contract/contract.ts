import { appCalls } from './app.ts'
import { branchCalls } from './branch.ts'
import { entryCalls } from './entry.ts'
import { events } from './events.ts'
import { exportCalls } from './export.ts'
import { folderCalls } from './folder.ts'
import { sessionCalls } from './session.ts'

/** Every call that crosses the boundary, in one object. To add one: a line in a domain's file, a handler in the engine. */
export const calls = { ...appCalls, ...folderCalls, ...sessionCalls, ...entryCalls, ...branchCalls, ...exportCalls }
export { events }
export type Calls = typeof calls
export type Events = typeof events
