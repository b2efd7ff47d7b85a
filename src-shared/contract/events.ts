import * as v from 'valibot'
import { FolderKey, SessionKey } from '#shared/model/keys.ts'
import type { EventMap } from '#shared/rpc/types.ts'

/** Events carry keys, never content: who wants more asks. */
export const events = {
  'folder.changed': v.object({ folder: FolderKey }),
  'session.changed': v.object({ session: SessionKey, revision: v.number() }),
  'session.gone': v.object({ session: SessionKey })
} as const satisfies EventMap
