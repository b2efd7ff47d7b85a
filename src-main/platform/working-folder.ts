import { Refusal } from '#shared/contract/refusal.ts'

/** Where the person typed relative paths, under npm too; null where that folder is gone. */
export function workingFolder(env: NodeJS.ProcessEnv): string | null {
  try {
    return env['INIT_CWD'] ?? process.cwd()
  } catch {
    return null
  }
}

/** Refused as `not-found`. */
export function requireWorkingFolder(folder: string | null): string {
  if (folder !== null) return folder
  throw new Refusal('not-found', 'The folder that this was started in is gone. Change to another one and run it again.')
}
