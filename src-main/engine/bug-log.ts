import { randomBytes } from 'node:crypto'
import type { ReportBug } from '#shared/rpc/server.ts'

/** Writes a bug's stack to the log under an id that the person can quote. */
export function bugLog(log: (line: string) => void): ReportBug {
  return (error, call) => {
    const id = `bug-${randomBytes(4).toString('hex')}`
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    log(`${new Date().toISOString()} ${id} in ${call}: ${stack}`)
    return id
  }
}
