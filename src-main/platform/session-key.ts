import { createHash } from 'node:crypto'
import type { SessionKey } from '#shared/model/keys.ts'

/** Key of a session by the real path of its main file. */
export function sessionKey(realPath: string): SessionKey {
  return createHash('sha256').update(realPath).digest('hex').slice(0, 16) as SessionKey
}
