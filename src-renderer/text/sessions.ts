import type { SessionRow } from '#shared/model/session.ts'

/** A session's title, or what stands for one. */
export const titleOf = (session: Pick<SessionRow, 'title' | 'id'>): string => session.title ?? `Untitled ${session.id}`

/** Name of the project that a session worked in: the last segment of its folder; of unknown ones the file's folder. */
export function projectOf(session: Pick<SessionRow, 'cwd' | 'file'>): string {
  return lastSegment(session.cwd ?? '') ?? lastSegment(folderOf(session.file)) ?? session.file
}

/** The first characters of an id: 8, or as many as tell it from the other ids. */
export function shortId(id: string, others: readonly string[]): string {
  const isShared = (length: number) => others.some((other) => other !== id && other.startsWith(id.slice(0, length)))
  let length = 8
  while (length < id.length && isShared(length)) length++
  return id.slice(0, length)
}

/** What tells two projects of one name apart: the folder itself. */
export const projectPathOf = (session: Pick<SessionRow, 'cwd' | 'file'>): string =>
  session.cwd === null || session.cwd === '' ? folderOf(session.file) : session.cwd

/** The folder of a path, with either kind of slash. */
const folderOf = (path: string): string => path.replace(/[\\/][^\\/]*$/, '')

/** The last segment of a path, undefined where there is none. */
const lastSegment = (path: string): string | undefined => path.split(/[\\/]/).findLast((part) => part !== '')
