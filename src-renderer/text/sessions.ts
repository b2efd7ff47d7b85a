import { projectPath } from '#shared/model/project-path.ts'
import type { SessionRow } from '#shared/model/session.ts'

/** A session's title, or what stands for one. */
export const titleOf = (session: Pick<SessionRow, 'title' | 'id'>): string => session.title ?? `Untitled ${session.id}`

type Placed = Pick<SessionRow, 'cwd' | 'file' | 'id'>

/** Name of the project that a session worked in. */
export const projectOf = (session: Placed): string => projectName(projectPathOf(session))

/** A project's name: the last segment of its folder. */
export const projectName = (path: string): string => lastSegment(path) ?? path

/** The first characters of an id: 8, or as many as tell it from the other ids. */
export function shortId(id: string, others: readonly string[]): string {
  const isShared = (length: number) => others.some((other) => other !== id && other.startsWith(id.slice(0, length)))
  let length = 8
  while (length < id.length && isShared(length)) length++
  return id.slice(0, length)
}

/**
 * The project of a session, which tells it from another one of its name: the folder that it worked in; where that is
 * unknown the folder of its file, or, where that folder is the session itself, the one above.
 */
export function projectPathOf({ cwd, file, id }: Placed): string {
  if (cwd !== null && cwd !== '') return projectPath(cwd)
  const folder = folderOf(file)
  return lastSegment(folder) === id ? folderOf(folder) : folder
}

/** The folder of a path, with either kind of slash. */
const folderOf = (path: string): string => path.replace(/[\\/][^\\/]*$/, '')

/** The last segment of a path, undefined where there is none. */
const lastSegment = (path: string): string | undefined => path.split(/[\\/]/).findLast((part) => part !== '')
