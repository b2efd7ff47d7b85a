import type { Opening } from '#main/index/types.ts'
import { rowsAPage } from '#shared/contract/entry.ts'
import { defaultPath, entryRow, outline, type Outlined } from './session-views.ts'

/** What a window shows first of a session: its outline, and the pages of rows around its default leaf. */
export function openingOf(session: Outlined): Opening {
  const { records, tree } = session
  const page = Math.floor(
    Math.max(
      0,
      tree.nodes.findLastIndex(({ id }) => id === tree.defaultLeaf.id)
    ) / rowsAPage
  )
  const [first, end] = [Math.max(0, page - 1) * rowsAPage, Math.min(tree.nodes.length, (page + 2) * rowsAPage)]
  const rowed = { records, tree, onDefaultPath: defaultPath(tree) }
  return {
    outline: outline(session),
    rows: Array.from({ length: end - first }, (_, index) => entryRow(rowed, first + index))
  }
}
