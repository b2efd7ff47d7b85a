import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generationsIn } from './locate.ts'

const withoutDirectory = '_no-cwd'
const longestKey = 251

/** An id as the name of its session's folder: every other unit of it as `~XXXX`, and the dots of `.` and `..`. */
export function encodedId(id: string): string {
  return id.replaceAll(id === '.' || id === '..' ? /\./g : /[^A-Za-z0-9._-]/g, encodedUnit)
}

/** The name of the folder for a project's sessions. Several directories may have the same. */
export function projectFolder(cwd: string | null): string {
  if (cwd === null) return withoutDirectory
  const key = cwd
    .replaceAll(/[/\\:]+/g, '-')
    .replaceAll(/[^A-Za-z0-9._-]/g, encodedUnit)
    .replace(/^-+/, '')
  return `--${(key || 'root').slice(0, longestKey)}--`
}

/** Whether a folder's name is one that dsh gives to a project. */
export const isProjectFolder = (name: string): boolean => name === withoutDirectory || /^--.+--$/.test(name)

const encodedUnit = (unit: string): string => `~${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** The file of another session of the same project, its highest generation; null where there is none. */
export function sessionBeside(path: string, id: string): string | null {
  return logIn(join(dirname(dirname(path)), encodedId(id)))
}

/** The log of a session's folder, its highest generation; null where there is none. */
export function logIn(folder: string): string | null {
  const [highest] = generationsIn(names(folder))
  return highest === undefined ? null : join(folder, highest)
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
