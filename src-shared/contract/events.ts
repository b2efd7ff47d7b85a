import * as v from 'valibot'
import { FolderKey, SessionKey } from '#shared/model/keys.ts'
import type { EventMap } from '#shared/rpc/types.ts'

/** Events carry keys, never content: who wants more asks. */
export const events = {
  'folder.changed': v.object({ folder: FolderKey }),
  'session.changed': v.object({ session: SessionKey, revision: v.number() }),
  'session.gone': v.object({ session: SessionKey }),
  'settings.changed': v.object({}),
  /** A thread of the engine has ended by itself, or both run again. */
  'engine.changed': v.object({}),
  /** The shell's menu asks every window for one of its dialogs. */
  'dialog.asked': v.object({ dialog: v.picklist(['settings', 'shortcuts', 'palette']) })
} as const satisfies EventMap
