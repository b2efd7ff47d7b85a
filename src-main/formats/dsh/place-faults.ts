import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { FaultKind } from '#shared/model/fault.ts'
import { oneLine } from '../cut.ts'
import type { Header } from './schema.ts'
import { encodedId, isProjectFolder, logIn, projectFolder } from './session-folder.ts'

const longestName = 200

/**
 * Why dsh would not find a log where it lies, or not know it from another (docs/formats/dsh.md, "Places"). What is in no
 * project's folder is a copy, of which only its own folder can tell.
 */
export function placeFaults(path: string, { id, cwd }: Header): readonly (readonly [FaultKind, string])[] {
  const folder = dirname(path)
  const above = dirname(folder)
  const own = encodedId(id)
  const isInProject = isProjectFolder(basename(above))
  const root = isInProject ? dirname(above) : above
  const proper = isInProject ? join(projectFolder(cwd), own) : own
  const faults: (readonly [FaultKind, string])[] = []
  if (relative(root, folder) !== proper && !isSame(folder, join(root, proper))) {
    const message = `The log lies in ${named(relative(root, folder))}; dsh looks for it in ${named(proper)}, as its header says, and refuses it here.`
    faults.push(['misplaced', message])
  }
  const others = isInProject ? projectsWith(root, own).filter((project) => project !== basename(above)) : []
  if (others.length > 0) {
    const message = `dsh refuses an id that several projects have; this one is also in ${named(others.join(', '))}.`
    faults.push(['duplicate-id', message])
  }
  return faults
}

const named = (place: string): string => oneLine(place, longestName)

/** Whether two names are of one folder, as where the file system takes capitals for small letters. */
function isSame(folder: string, other: string): boolean {
  try {
    return realpathSync.native(folder) === realpathSync.native(other)
  } catch {
    return false
  }
}

/** Projects that have such a session, links left out. */
function projectsWith(root: string, session: string): readonly string[] {
  try {
    const projects = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return projects.flatMap(({ name }) => {
      const folder = join(root, name, session)
      return existsSync(folder) && logIn(folder) !== null ? [name] : []
    })
  } catch {
    return []
  }
}
