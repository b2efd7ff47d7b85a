import * as v from 'valibot'
import { Fault } from '#shared/model/fault.ts'
import { FolderKey } from '#shared/model/keys.ts'
import type { CallMap } from '#shared/rpc/types.ts'

/** A folder that is open. Counts grow while `state` is `reading`. */
export const Folder = v.object({
  key: FolderKey,
  path: v.string(),
  name: v.string(),
  state: v.picklist(['reading', 'ready', 'gone']),
  /** Files looked at so far. */
  files: v.number(),
  sessions: v.number(),
  /** What was looked for, in words, for a folder that holds no session. */
  lookedFor: v.array(v.string()),
  faults: v.array(Fault)
})
export type Folder = v.InferOutput<typeof Folder>

/** A folder that exists: one that was opened before, a well-known place, or the samples; never read unasked. */
export const Offer = v.object({
  key: FolderKey,
  path: v.string(),
  label: v.string(),
  sample: v.boolean(),
  /** True for folders that were opened before; these come first, the latest first. */
  recent: v.boolean()
})
export type Offer = v.InferOutput<typeof Offer>

/** A folder as the engine's picker lists it: names of folders and nothing else. */
export const PickerPage = v.object({
  key: FolderKey,
  path: v.string(),
  parent: v.nullable(FolderKey),
  folders: v.array(v.object({ key: FolderKey, name: v.string() }))
})
export type PickerPage = v.InferOutput<typeof PickerPage>

export const folderCalls = {
  'folder.list': {
    input: v.object({}),
    output: v.object({ opened: v.array(Folder), offered: v.array(Offer) })
  },
  /** Opens a folder by the key of an offer or of a picker's row. Resolves when it is registered, not when it is read. */
  'folder.open': { input: v.object({ folder: FolderKey }), output: Folder },
  /** Shows the shell's own dialog; null when the person cancels; refused as `unsupported` without one. */
  'folder.dialog': { input: v.object({}), output: v.nullable(Folder) },
  /** Shows the shell's own dialog and names the folder as a target to write into; opens nothing. Null, refused: as above. */
  'folder.choose': { input: v.object({}), output: v.nullable(v.object({ key: FolderKey, path: v.string() })) },
  'folder.close': { input: v.object({ folder: FolderKey }), output: v.null() },
  /** Without `at`, the person's home folder. */
  'picker.list': { input: v.object({ at: v.nullable(FolderKey) }), output: PickerPage }
} as const satisfies CallMap
