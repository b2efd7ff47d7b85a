import { entryKinds, type Outline } from '#shared/model/entry.ts'

export const treeFilters = ['all', 'without-tools', 'only-mine', 'labelled'] as const
export type TreeFilter = (typeof treeFilters)[number]

const toolRoles: readonly string[] = ['toolResult', 'tool', 'bashExecution', 'pythonExecution']
const toolKinds: readonly string[] = ['tool-call', 'tool-result']

/** 1 for each entry that the filter shows, 0 for the others. */
export function shownBy(filter: TreeFilter, outline: Outline): Uint8Array {
  const shown = new Uint8Array(outline.ids.length)
  if (filter === 'labelled') {
    for (const { at } of outline.labels) shown[at] = 1
    return shown
  }
  const message = entryKinds.indexOf('message')
  const request = entryKinds.indexOf('request')
  const user = outline.roleNames.indexOf('user')
  const isTool = outline.roleNames.map((role) => toolRoles.includes(role))
  const isToolKind = entryKinds.map((kind) => toolKinds.includes(kind))
  for (let at = 0; at < shown.length; at++) {
    const kind = outline.kinds[at] ?? -1
    const role = outline.roles[at] ?? -1
    const show =
      filter === 'all' ||
      (filter === 'only-mine'
        ? role === user && role >= 0 && (kind === message || kind === request)
        : isTool[role] !== true && isToolKind[kind] !== true)
    if (show) shown[at] = 1
  }
  return shown
}
