import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generationsIn } from './locate.ts'

const plain = /^[A-Za-z0-9._-]$/

/** An id as the name of its session's folder: every other unit of it as `~XXXX`, and the dots of `.` and `..`. */
export function encodedId(id: string): string {
  const isDots = id === '.' || id === '..'
  return id
    .split('')
    .map((unit) =>
      plain.test(unit) && !isDots ? unit : `~${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
    )
    .join('')
}

/** The file of another session of the same project, its highest generation; null where there is none. */
export function sessionBeside(path: string, id: string): string | null {
  const folder = join(dirname(dirname(path)), encodedId(id))
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
