import { appCalls } from './app.ts'
import { branchCalls } from './branch.ts'
import { compactionCalls } from './compaction.ts'
import { contextCalls } from './context.ts'
import { entryCalls } from './entry.ts'
import { events } from './events.ts'
import { exportCalls } from './export.ts'
import { folderCalls } from './folder.ts'
import { replayCalls } from './replay.ts'
import { sessionCalls } from './session.ts'
import { settingsCalls } from './settings.ts'
import { usageCalls } from './usage.ts'
import { transcriptCalls } from './transcript.ts'

/** Every call that crosses the boundary, in one object. To add one: a line in a domain's file, a handler in the engine. */
export const calls = {
  ...appCalls,
  ...settingsCalls,
  ...folderCalls,
  ...sessionCalls,
  ...replayCalls,
  ...entryCalls,
  ...transcriptCalls,
  ...contextCalls,
  ...compactionCalls,
  ...usageCalls,
  ...branchCalls,
  ...exportCalls
}
export { events }
export type Calls = typeof calls
export type Events = typeof events
