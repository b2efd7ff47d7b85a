import { randomBytes } from 'node:crypto'
import { failureOf } from '#main/shell-cli/failure.ts'

/** Tells the person why nothing opened, as the command line does for every command; returns the exit code. */
export function reportFailure(error: unknown, file: string | null, json: boolean): number {
  const failure = failureOf(error, file, (bug) => {
    const id = randomBytes(4).toString('hex')
    console.error(id, bug)
    return id
  })
  if (json && failure.value !== undefined) console.log(JSON.stringify(failure.value))
  console.error(`treeline open: ${failure.line}`)
  return failure.exitCode
}
