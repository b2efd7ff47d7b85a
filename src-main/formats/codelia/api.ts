export type * from './messages.ts'
export type * from './records.ts'
export { sessionsFolder } from './sessions-folder.ts'
export type { SessionState } from './snapshot.ts'
