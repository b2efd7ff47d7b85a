import type { DefaultLeaf } from '#shared/model/entry.ts'

/** Why a leaf is the default one. */
export const leafReason: Readonly<Record<DefaultLeaf['reason'], string>> = {
  'only-leaf': 'Default: the only leaf',
  'last-entry': 'Default: the last entry of the file',
  empty: 'The session has no entries'
}
