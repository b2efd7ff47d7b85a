import type { Folder } from '#shared/contract/folder.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'

/**
 * The one session that there is; null where there are others or may be. The two lists arrive apart, so the first session
 * of many can be there before its folder is: every folder must be read, and count no more.
 */
export function onlySession(
  sessions: readonly Pick<SessionRow, 'key'>[],
  folders: readonly Pick<Folder, 'state' | 'sessions'>[]
): SessionKey | null {
  const isRead = folders.every((folder) => folder.state !== 'reading' && folder.sessions <= 1)
  const isOfOne = folders.some((folder) => folder.sessions === 1)
  return sessions.length === 1 && isRead && isOfOne ? (sessions[0]?.key ?? null) : null
}
